// Package shifted moves the earlier pictures of bodies that were moved without a stop.
package shifted

import "halfstep/buffer/body2d"

// Body says that a body was moved to another place and keeps its motion
// (world.World.Shift). The states published before are moved with it, so that
// the picture blends from them as if the body had always been at the new place.
type Body struct {
	Slot       int32
	Generation uint32
	X, Y       float64 // the displacement, m
}

// Apply moves the body in states that were published before the shift. It does nothing where
// its slot is empty or held another body then.
func (h *Body) Apply(states []body2d.State) {
	if h.Slot < 0 || int(h.Slot) >= len(states) {
		return
	}
	if s := &states[h.Slot]; s.Flags()&body2d.Alive != 0 && s.Generation() == h.Generation {
		s.X, s.Y = float32(float64(s.X)+h.X), float32(float64(s.Y)+h.Y)
	}
}
