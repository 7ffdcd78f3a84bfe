package world

import (
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// slot is a body's place in the published states. It has all values that capture and aftermath read, so that both
// read one array from the start to the end.
type slot struct {
	b               *box2d.B2Body // nil in a free slot, and in a slot that waits for the last capture of a destroyed body
	rec             *body
	generation      uint32
	flags           body2d.Flags // Alive and smoothing
	awake           bool         // according to the last BodySlept or BodyWoke event
	velocityChanged bool         // a command has changed the velocity since the last step
	dying           bool         // the body was destroyed after a step; the tick of that step is not captured yet and shows the body
	jump            uint64       // the last tick whose state has body2d.Jump, noJump or jumpPending
	leapt           bool         // the state of the body after a step back has body2d.Jump, although jump is the number of an earlier tick
	impact          uint64       // 1 + the last tick that shows an impact
	shifted         uint64       // 1 + the tick after which World.Shift last moved the body
	vx, vy          float64      // velocity of the centre after the last step
	omega           float64
	origin          box2d.B2Vec2 // origin in m, and angle in rad, after the last step
	angle           float64
}

// Values of slot.jump that are not ticks.
const (
	noJump      = ^uint64(0)
	jumpPending = noJump - 1 // the next captured tick shows the jump
)

// places are the slots of bodies, in the order of capture.
type places struct {
	box      *box.World
	when     *moment
	registry *registry

	slots   []slot
	free    []int32 // slots without a body; a new body takes the last of them
	changed changed
	awake   int32 // the number of awake bodies; recount updates it
	course  course
	dying   []dying   // bodies that were destroyed since the last step and that the present tick still shows
	shown   []shownAt // by slot: places before a restore, while a command restores a snapshot
	moved   []move    // by slot: jumps, while a step back runs
}

// newSlot gives a new body a slot.
func (p *places) newSlot(r *body) {
	var i int32
	if n := len(p.free); n > 0 {
		i = p.free[n-1]
		p.free = p.free[:n-1]
	} else {
		i = int32(len(p.slots))
		if len(p.slots) == cap(p.slots) {
			p.slots = slices.Grow(p.slots, len(p.slots)+16)
		}
		p.slots = append(p.slots, slot{})
	}
	r.slot = i
	b := r.b
	jump := noJump
	if p.when.phase == idle && (p.when.still || p.when.tick+p.when.shift == p.when.start) {
		jump = p.when.tick
	}
	p.slots[i] = slot{
		b: b, rec: r, generation: p.slots[i].generation, flags: body2d.Alive,
		awake: b.M_flags&box2d.B2Body_Flags.E_awakeFlag != 0,
		jump:  jump,
		vx:    b.M_linearVelocity.X, vy: b.M_linearVelocity.Y, omega: b.M_angularVelocity,
		origin: b.M_xf.P, angle: b.M_sweep.A,
	}
	p.box.Touch(r.b)
	p.registry.edited(r)
}

// freeSlot frees a slot for another body. The slot then has another generation.
func (p *places) freeSlot(i int32) {
	p.slots[i] = p.slots[i].freed()
	p.changed.Mark(i)
	p.free = append(p.free, i)
}

// freed returns the value of the slot after its body is gone.
func (s slot) freed() slot {
	return slot{generation: (s.generation + 1) & body2d.GenerationMask, jump: noJump}
}

// capture writes the state of the body in a slot, and returns the flags of the state.
func (p *places) capture(i int, d *body2d.State) body2d.Flags {
	s := &p.slots[i]
	b := s.b
	if b == nil {
		*d = body2d.State{Bits: s.generation << 8} // the flags are the lower 8 bits
		return 0
	}
	d.X, d.Y = float32(b.M_sweep.C.X), float32(b.M_sweep.C.Y)
	d.SetAngle(b.M_sweep.A)
	d.VX, d.VY = float32(b.M_linearVelocity.X), float32(b.M_linearVelocity.Y)
	d.Omega = float32(b.M_angularVelocity)
	flags := s.flags
	switch of := b.M_flags; {
	case of&b2.BodyActive == 0:
		flags |= body2d.Disabled
	case of&b2.BodyAwake != 0 && b.M_type != b2.StaticBody:
		flags |= body2d.Awake
	}
	if s.jump+1 > p.when.tick || s.impact > p.when.tick || s.leapt { // noJump+1 is 0
		flags |= p.flash(i)
	}
	if p.course != forward {
		flags |= p.course.turn(d)
	}
	d.SetBits(flags, s.generation)
	return flags
}

// flash returns the flags of a slot that last for one tick. The present tick shows a jump, in each of its captures,
// if no earlier tick has shown the jump.
func (p *places) flash(i int) (flags body2d.Flags) {
	s := &p.slots[i]
	if s.jump == jumpPending {
		s.jump = p.when.tick
		s.leapt = p.course != forward
		p.changed.Mark(int32(i))
	}
	if s.jump == p.when.tick && p.course == forward || s.leapt {
		flags |= body2d.Jump
	}
	if s.impact == p.when.tick+1 {
		flags |= body2d.Impact
	}
	if flags != 0 {
		p.changed.fading = append(p.changed.fading, int32(i))
	}
	return flags
}

// Skip is called instead of a capture if the present tick will not be shown. It assigns jumps and structure records
// to this tick, as a capture does.
func (private) Skip(s *Simulation) {
	w := &s.world
	w.news.restamp(w.when.state())
	for i := range w.places.slots {
		if s := &w.places.slots[i]; s.jump == jumpPending && s.b != nil {
			s.jump = w.when.tick
			w.places.changed.Mark(int32(i))
		}
	}
}
