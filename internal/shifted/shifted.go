// Package shifted moves bodies in states that were published before a shift.
package shifted

import "halfstep/buffer/body2d"

// Body is a body that a shift (world.World.Shift) has moved to another place. The motion of
// the body is unchanged. Earlier published states are moved by the same vector, so that the
// picture blends as if the body had always been at the new place.
type Body struct {
	Slot       int32
	Generation uint32
	X, Y       float64 // displacement, in m
}

// Apply moves the body in states that were published before the shift. It does nothing if
// the slot was empty or had another body at that time.
func (h *Body) Apply(states []body2d.State) {
	if h.Slot < 0 || int(h.Slot) >= len(states) {
		return
	}
	if s := &states[h.Slot]; s.Flags()&body2d.Alive != 0 && s.Generation() == h.Generation {
		s.X, s.Y = float32(float64(s.X)+h.X), float32(float64(s.Y)+h.Y)
	}
}
