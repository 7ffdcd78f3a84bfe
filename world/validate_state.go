package world

import (
	"errors"
	"reflect"
	"strings"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// The functions below hold what is read from bytes to the limits that commands and steps hold
// a world to. Within them a step may lose a body, but leaves nothing that is not a number.

var errLimits = errors.New("a body, shape, contact or joint is beyond the limits of a world")

// farthest is how far the origin or the centre of mass of a body can be: the other
// one, which may be a corner of a shape away, is within maxPosition.
const farthest = 4 * maxPosition

// checkBody refuses positions that no body can have, and a sine and cosine that do not fit.
func checkBody(b *box2d.B2Body) error {
	q, s := &b.M_xf.Q, &b.M_sweep
	ok := within(float64(q.S*q.S)+float64(q.C*q.C)-1, 1e-6) && within(s.A, farthest) && within(s.A0, farthest)
	for _, v := range [...]box2d.B2Vec2{b.M_xf.P, s.C, s.C0, s.LocalCenter} {
		ok = ok && isPoint(v, farthest)
	}
	if !ok {
		return errLimits
	}
	return nil
}

// checkShape refuses a fixture with numbers that no definition may have.
func checkShape(f *box2d.B2Fixture, shape box2d.B2ShapeInterface) error {
	ok := within(shape.GetRadius(), maxPosition)
	for _, x := range [...]float64{f.M_density, f.M_friction, f.M_restitution} {
		ok = ok && within(x, maxValue) && x >= 0
	}
	points := func(list ...box2d.B2Vec2) {
		for _, v := range list {
			ok = ok && isPoint(v, maxPosition)
		}
	}
	polygon := func(s *box2d.B2PolygonShape) {
		points(s.M_vertices[:]...)
		points(s.M_centroid)
		for _, n := range s.M_normals {
			ok = ok && isPoint(n, 1.001)
		}
	}
	switch s := shape.(type) {
	case *box2d.B2CircleShape:
		points(s.M_p)
	case *box2d.B2EdgeShape:
		points(s.M_vertex0, s.M_vertex1, s.M_vertex2, s.M_vertex3)
	case *box2d.B2ChainShape:
		points(s.M_vertices...)
		points(s.M_prevVertex, s.M_nextVertex)
	case *box2d.B2PolygonShape:
		polygon(s)
	case *b2.RoundPolygon:
		polygon(&s.B2PolygonShape)
	}
	if !ok {
		return errLimits
	}
	return nil
}

// checkJoint refuses a joint made of or set to numbers that are too large: Box2D keeps those
// before M_indexA. What a step works out of them may be of any size.
func checkJoint(j box2d.B2JointInterface) error {
	for f, v := range reflect.ValueOf(j).Elem().Fields() {
		name := f.Name
		if name == "M_indexA" {
			break
		}
		if strings.HasSuffix(name, "mpulse") || name == "M_bias" || name == "M_gamma" || name == "M_beta" {
			continue
		}
		ok := true
		switch x := v.Interface().(type) {
		case box2d.B2Vec2:
			ok = isPoint(x, farthest)
		case float64:
			ok = within(x, maxValue*maxValue)
		}
		if !ok {
			return errLimits
		}
	}
	return nil
}

// checkExtra reports whether what Box2D's joint has no fields for is within the limits, besides
// the impulses: a step may have worked out any.
func checkExtra(x *box.JointExtra) bool {
	ok := x.Frequency >= 0 && x.Damping >= 0 && x.ConstraintFrequency >= 0 && x.ConstraintDamping >= 0
	for f, v := range reflect.ValueOf(x).Elem().Fields() {
		switch v := v.Interface().(type) {
		case box2d.B2Vec2:
			ok = ok && isPoint(v, maxValue)
		case float64:
			ok = ok && (within(v, maxValue*maxValue) || strings.HasSuffix(f.Name, "Impulse"))
		}
	}
	return ok
}

// checkContact refuses a contact whose surface no two shapes or hook can have given it.
func checkContact(friction, restitution, tangentSpeed float64) error {
	for _, x := range [...]float64{friction, restitution, tangentSpeed} {
		if !within(x, 2*maxValue) {
			return errLimits
		}
	}
	return nil
}

func isPoint(v box2d.B2Vec2, limit float64) bool { return within(v.X, limit) && within(v.Y, limit) }
