package world

import (
	"fmt"
	"math/bits"
	"slices"

	"halfstep/box/b2"
	"halfstep/box/paged"
	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/owner"
)

// changed are the slots whose state may be another one now.
type changed struct {
	all        bool         // every slot may differ from what was captured last
	fresh      paged.Marks  // those that the next two lack
	uncaptured paged.Marks  // may differ from what was captured last
	unsaved    *paged.Marks // may differ from the last snapshot
	slots      []int32      // scratch: uncaptured as a list
	// fading are the slots that were shown with a flag of one tick. Their next
	// state does not have it.
	fading []int32
	awake  []uint64 // a bit for each slot: whether World.awake counts it
}

func (c *changed) add(slot int32) { c.fresh.Add(slot) }

// merge brings uncaptured and unsaved up to date.
func (c *changed) merge() {
	c.uncaptured.Merge(&c.fresh)
	c.unsaved.Merge(&c.fresh)
	c.fresh.Clear()
}

func (c *changed) clear() {
	c.merge()
	c.uncaptured.Clear()
	c.all = false
}

// list returns the slots to capture.
func (c *changed) list() []int32 {
	c.merge()
	slots := c.slots[:0]
	c.uncaptured.Each(func(i int) { slots = append(slots, int32(i)) })
	c.slots = slots
	return slots
}

// touch says that the world's own record of a body has changed.
func (w *World) touch(r *body) { w.box.Touch(r.b) }

// count counts a slot among those that are awake, or no longer.
func (w *World) count(slot int32, awake bool) {
	bits, word, mask := w.changed.awake, int(slot)/64, uint64(1)<<(slot%64)
	for len(bits) <= word {
		bits = append(bits, 0)
		w.changed.awake = bits
	}
	switch had := bits[word]&mask != 0; {
	case awake && !had:
		w.awake++
	case had && !awake:
		w.awake--
	default:
		return
	}
	bits[word] ^= mask
}

// recount counts the slots that have changed since a capture counted them.
func (w *World) recount() {
	count := func(i int) {
		b := w.slots[i].b
		w.count(int32(i), b != nil && b2.IsAwake(b))
	}
	if w.changed.all {
		for i := range w.slots {
			count(i)
		}
		return
	}
	w.changed.merge()
	w.changed.uncaptured.Each(count)
}

// fade adds the slots that were shown with a flag of one tick. Where most of all
// slots have changed, it adds all.
func (c *changed) fade(slots int) {
	c.merge()
	if 2*(c.uncaptured.Len()+len(c.fading)) > slots {
		c.all = true
	} else {
		for _, slot := range c.fading {
			c.add(slot)
		}
	}
	c.fading = c.fading[:0]
}

// Capture writes every slot's state once, straight from the bodies, behind
// dst[:0] and returns it. It allocates only where dst is too small.
func (s *Simulation) Capture(dst []body2d.State) []body2d.State {
	w := &s.world
	w.changed.fade(len(w.slots))
	return w.captureAll(dst)
}

func (w *World) captureAll(dst []body2d.State) []body2d.State {
	w.restamp(w.tick + w.shift)
	dst = slices.Grow(dst[:0], len(w.slots))[:len(w.slots)]
	w.awake = 0
	words := (len(dst) + 63) / 64
	awake := slices.Grow(w.changed.awake[:0], words)[:words]
	for word := range awake {
		set := uint64(0)
		for i := 64 * word; i < min(64*word+64, len(dst)); i++ {
			if w.capture(i, &dst[i])&body2d.Awake != 0 {
				set |= 1 << (i % 64)
			}
		}
		awake[word] = set
		w.awake += int32(bits.OnesCount64(set))
	}
	w.changed.awake = awake
	w.captureDying(dst)
	return dst
}

// CaptureChanged brings the states of an exchange's slot up to date. They are then
// what Capture returns. It looks at those alone that may have changed.
func (s *Simulation) CaptureChanged(to *buffer.Slot[body2d.State]) {
	w := &s.world
	c := &w.changed
	c.fade(len(w.slots))
	if c.all {
		to.States = w.captureAll(to.States[:0])
	} else {
		w.restamp(w.tick + w.shift)
		to.Update(len(w.slots), c.list(), func(i int, to *body2d.State) { w.count(int32(i), w.capture(i, to)&body2d.Awake != 0) })
		w.captureDying(to.States)
	}
	c.clear()
	if owner.Checked {
		w.checkCaptured(to.States)
	}
}

func (w *World) captureDying(to []body2d.State) {
	for i := range w.dying {
		to[w.dying[i].slot] = w.dying[i].state
	}
}

// checkCaptured panics if a state is not what a look at all bodies says, because
// something has changed without a touch. Race builds call it.
func (w *World) checkCaptured(states []body2d.State) {
	var want body2d.State
next:
	for i := range states {
		for _, d := range w.dying {
			if d.slot == int32(i) {
				continue next
			}
		}
		if w.capture(i, &want); want != states[i] {
			panic(fmt.Sprintf("world: slot %d has changed from %+v to %+v and nobody was told", i, states[i], want))
		}
	}
}
