package fast

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// held is a body of an island whose centre of mass keeps its x or its y, which the library
// does not know. That is one more constraint, between the body and the world. It is solved
// after the others in each pass, and needs no impulse: the velocity along the axis is 0, and
// the position is that at the start.
type held struct {
	body  int32  // in the island
	flags uint32 // of the body
	from  box2d.B2Vec2
}

// hold notes body i of the island if an axis of it is fixed, and returns what is left of its
// velocity.
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
