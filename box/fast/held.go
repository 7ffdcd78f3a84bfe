package fast

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// held is a body of an island whose centre of mass may not move along x or along y, a feature
// that the library lacks. After the other constraints of each pass, the solver sets the
// velocity along the fixed axis to 0, and the position along it to that at the start of the
// step. There is no impulse.
type held struct {
	body  int32        // in the island
	flags uint32       // the flags of the body, which say which axis is fixed
	from  box2d.B2Vec2 // the centre of mass at the start of the step
}

// hold adds body i of the island to the list held if one of the body's axes is fixed. It
// returns the body's velocity v without the part along that axis.
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
