package world

import (
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
)

// Capture writes every slot's state once, straight from the bodies. It
// allocates only where dst is too small.
func (w *World) Capture(dst []body2d.State) []body2d.State {
	w.restamp(w.tick)
	dst = slices.Grow(dst[:0], len(w.slots))[:len(w.slots)]
	awake := int32(0)
	for i := range w.slots {
		s := &w.slots[i]
		d := &dst[i]
		if s.b == nil {
			*d = body2d.State{Bits: s.generation << 8}
			continue
		}
		w.fill(s, d)
		if d.Bits&uint32(body2d.Awake) != 0 {
			awake++
		}
	}
	for i := range w.dying {
		dst[w.dying[i].slot] = w.dying[i].state
	}
	w.awake = awake
	return dst
}

// fill writes one state. A jump that no capture has shown yet belongs to this
// tick, however often the tick is captured.
func (w *World) fill(s *slot, d *body2d.State) {
	b := s.b
	d.X, d.Y = float32(b.M_sweep.C.X), float32(b.M_sweep.C.Y)
	d.SetAngle(b.M_sweep.A)
	d.VX, d.VY = float32(b.M_linearVelocity.X), float32(b.M_linearVelocity.Y)
	d.Omega = float32(b.M_angularVelocity)
	flags := s.flags
	switch of := b.M_flags; {
	case of&box2d.B2Body_Flags.E_activeFlag == 0:
		flags |= body2d.Disabled
	case of&box2d.B2Body_Flags.E_awakeFlag != 0 && b.M_type != box2d.B2BodyType.B2_staticBody:
		flags |= body2d.Awake
	}
	if s.jump == jumpPending {
		s.jump = w.tick
	}
	if s.jump == w.tick {
		flags |= body2d.Jump
	}
	if s.impact == w.tick+1 {
		flags |= body2d.Impact
	}
	d.SetBits(flags, s.generation)
}
