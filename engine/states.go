package engine

import (
	"halfstep/buffer/body2d"
	"halfstep/world"
)

// States returns a body's states at the two ticks that this frame lies between,
// for programs that blend themselves. View().Alpha says how far between them the
// frame lies, from 0 to 1, and View().Dt how many seconds lie between them. For a
// body that was created or teleported at the second tick both are the state at
// that tick, so that a blend draws no streak. States reports false if the body is
// not in the picture.
//
// Blend the centre of mass and the unwrapped angle, as Pose does; the origin of a
// body that turns does not move on a straight line.
func (e *Engine) States(b world.Body) (previous, current body2d.State, ok bool) {
	v := e.View()
	slot, ok := v.Scene.Slot(uint64(b))
	if !ok || slot >= len(v.Cur) || v.Cur[slot].Flags()&body2d.Alive == 0 {
		return body2d.State{}, body2d.State{}, false
	}
	current = v.Cur[slot]
	if slot < len(v.Prev) {
		previous = v.Prev[slot]
	}
	if current.Flags()&body2d.Jump != 0 || previous.Flags()&body2d.Alive == 0 || previous.Generation() != current.Generation() {
		previous = current
	}
	return previous, current, true
}
