package fast

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// held is a body of an island with a fixed axis: its centre of mass may not move along x, or not
// along y. The library lacks this feature. After each pass over the other constraints, the solver
// sets the velocity along the fixed axis to 0. It also sets the position along the axis to that at
// the start of the step. No impulse is computed.
type held struct {
	body  int32        // body is the index of the body in the island.
	flags uint32       // the flags of the body, which say which axis is fixed
	from  box2d.B2Vec2 // centre of mass at the start of the step
}

// hold adds a body to the list held if one of the body's axes is fixed. The parameter i is the
// body's index in the island. The result is the velocity v without its part along a fixed axis.
func (cs *constraintSolver) hold(b *box2d.B2Body, i int, v box2d.B2Vec2) box2d.B2Vec2 {
	if b.M_flags&b2.BodyFixedAxes == 0 || b.M_type != b2.DynamicBody {
		return v
	}
	cs.held = append(cs.held, held{int32(i), b.M_flags, b.M_sweep.C})
	return b2.AlongFree(b.M_flags, v)
}

func (cs *constraintSolver) holdVelocities() {
	for i := range cs.held {
		h := &cs.held[i]
		v := &cs.velocities[h.body].V
		*v = b2.AlongFree(h.flags, *v)
	}
}

func (cs *constraintSolver) holdPositions() {
	for i := range cs.held {
		h := &cs.held[i]
		p := &cs.positions[h.body].C
		*p = box2d.B2Vec2Add(h.from, b2.AlongFree(h.flags, box2d.B2Vec2Sub(*p, h.from)))
	}
}
