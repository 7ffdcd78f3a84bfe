package fast

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// held is a body of an island whose centre of mass may not move along x or along y, a feature
// that the library lacks. The solver handles it after the other constraints of each pass,
// without an impulse: it sets the velocity along the axis to 0, and the position to that at
// the start of the step.
type held struct {
	body  int32        // in the island
	flags uint32       // of the body: which axis is fixed
	from  box2d.B2Vec2 // the centre of mass at the start of the step
}

// hold adds body i of the island to held if one of its axes is fixed, and returns its
// velocity v without the part along that axis.
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
