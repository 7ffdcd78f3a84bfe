package world

import (
	"fmt"
	"math/bits"
	"slices"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/box/b2"
	"halfstep/internal/owner"
	"halfstep/internal/stamps"
)

// changed lists the slots whose states may have changed since their last capture. A slot is the place
// of a body in a capture.
type changed struct {
	stamps.Stamps
	captured uint64  // the serial of the stamps at the last call of CaptureChanged
	slots    []int32 // scratch for the slots to capture
	// fading are the slots that were captured with a flag for one tick only, such as Jump. Their next
	// state lacks the flag.
	fading []int32
	awake  []uint64 // by slot: a bit that says whether places.awake counts the body in the slot
}

// fade marks the slots that were captured with a flag for one tick only. So they are captured again
// without the flag.
func (c *changed) fade() {
	for _, slot := range c.fading {
		c.Mark(slot)
	}
	c.fading = c.fading[:0]
}

// list returns the slots below count that must be captured.
func (c *changed) list(count int) []int32 {
	slots := c.slots[:0]
	for i := range c.Since(c.captured) {
		if i < count {
			slots = append(slots, int32(i))
		}
	}
	c.slots = slots
	return slots
}

// count updates places.awake, the number of awake bodies. The parameter awake says whether the body in
// the slot is awake.
func (p *places) count(slot int32, awake bool) {
	words, word, mask := p.changed.awake, int(slot)/64, uint64(1)<<(slot%64)
	for len(words) <= word {
		words = append(words, 0)
		p.changed.awake = words
	}
	switch had := words[word]&mask != 0; {
	case awake && !had:
		p.awake++
	case had && !awake:
		p.awake--
	default:
		return
	}
	words[word] ^= mask
}

// recount updates the number of awake bodies between two captures.
func (p *places) recount() {
	for i := range p.changed.Since(p.changed.captured) {
		p.count(int32(i), i < len(p.slots) && p.slots[i].b != nil && b2.IsAwake(p.slots[i].b))
	}
}

// Capture writes the states of all slots to the memory of dst, and returns the states. It
// allocates only if dst is too small. The next CaptureChanged still captures all changes since
// the last CaptureChanged.
func (s *Simulation) Capture(dst []body2d.State) []body2d.State {
	w := &s.world
	w.places.changed.fade()
	w.news.restamp(w.when.state())
	return w.places.captureAll(dst)
}

// captureAll captures all slots and counts the awake bodies. Structure records get the loop's tick,
// which after a restore differs from the world's tick by shift.
func (p *places) captureAll(dst []body2d.State) []body2d.State {
	dst = slices.Grow(dst[:0], len(p.slots))[:len(p.slots)]
	p.awake = 0
	words := (len(dst) + 63) / 64
	awake := slices.Grow(p.changed.awake[:0], words)[:words]
	for word := range awake {
		set := uint64(0)
		for i := 64 * word; i < min(64*word+64, len(dst)); i++ {
			if p.capture(i, &dst[i])&body2d.Awake != 0 {
				set |= 1 << (i % 64)
			}
		}
		awake[word] = set
		p.awake += int32(bits.OnesCount64(set))
	}
	p.changed.awake = awake
	p.captureDying(dst)
	return dst
}

// CaptureChanged updates the states in a slot of the loop's exchange, so that they equal the
// result of Capture. It reads only bodies that may have changed since the last call.
func (s *Simulation) CaptureChanged(to *buffer.Slot[body2d.State]) {
	w := &s.world
	c := &w.places.changed
	c.fade()
	w.news.restamp(w.when.state())
	if slots := c.list(len(w.places.slots)); 2*len(slots) > len(w.places.slots) { // a capture of all slots costs less
		to.States = w.places.captureAll(to.States[:0])
	} else {
		to.Update(len(w.places.slots), slots, func(i int, to *body2d.State) { w.places.count(int32(i), w.places.capture(i, to)&body2d.Awake != 0) })
		w.places.captureDying(to.States)
	}
	c.captured = c.Now()
	if owner.Checked {
		w.places.checkCaptured(to.States)
	}
}

// captureDying adds the last states of bodies that were destroyed after the step of the captured
// tick, because that tick still shows them.
func (p *places) captureDying(to []body2d.State) {
	for i := range p.dying {
		to[p.dying[i].slot] = p.dying[i].state
	}
}

// checkCaptured panics if a state differs from the result of a capture of all bodies. Such a
// difference means that something changed a slot without a mark. Race builds call it.
func (p *places) checkCaptured(states []body2d.State) {
	var want body2d.State
next:
	for i := range states {
		for _, d := range p.dying {
			if d.slot == int32(i) {
				continue next
			}
		}
		if p.capture(i, &want); want != states[i] {
			panic(fmt.Sprintf("world: slot %d has changed from %+v to %+v without a mark", i, states[i], want))
		}
	}
}
