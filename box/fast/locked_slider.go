package fast

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
)

// lockedSlider is a locked slider. It gives the library's solver other anchors and limits while the
// slider is solved.
type lockedSlider struct{ *box2d.B2PrismaticJoint }

// solved returns a joint in a form that the library's solver can solve.
func (cs *constraintSolver) solved(j box2d.B2JointInterface) box2d.B2JointInterface {
	if t, ok := j.(*box2d.B2PrismaticJoint); ok && cs.locksSliders && box.IsLocked(t) {
		return lockedSlider{t}
	}
	return j
}

func (s lockedSlider) InitVelocityConstraints(data box2d.B2SolverData) {
	defer box.Lock(s.B2PrismaticJoint).Unlock()
	s.B2PrismaticJoint.InitVelocityConstraints(data)
}

func (s lockedSlider) SolvePositionConstraints(data box2d.B2SolverData) bool {
	defer box.Lock(s.B2PrismaticJoint).Unlock()
	return s.B2PrismaticJoint.SolvePositionConstraints(data)
}
