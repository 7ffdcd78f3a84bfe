package engine

import (
	"halfstep/buffer/body2d"
	"halfstep/world"
)

// States returns a body's states at the two ticks that this frame lies between,
// for programs that blend themselves; how far between is View().Alpha, and
// View().Dt the seconds from one to the other. A body that was spawned or
// teleported at the second has that state twice, so a blend can not draw a
// streak. It reports false if the body is not there (yet, or any more).
//
// What is blended should be the centre of mass and the unwrapped angle, as Pose
// does: see Pose for the body's origin.
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
