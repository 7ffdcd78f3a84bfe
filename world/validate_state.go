package world

import (
	"errors"
	"reflect"
	"strings"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// The functions below check that values from bytes obey the limits of commands and steps. If they do, a step may lose a body,
// but leaves no NaN.

var errLimits = errors.New("a body, shape, contact or joint is beyond the limits of a world")

// farthest is the limit on the coordinates of a body's origin and of its centre of mass, in m. At least one of the two points
// is inside maxPosition. The other point is no farther from it than a corner of a shape.
const farthest = 4 * maxPosition

// checkBody returns an error for a position that no body can have, or for a sine and a cosine that contradict each other.
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

// checkShape returns an error for a fixture with numbers that a definition may not have.
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

// checkJoint returns an error for a joint whose definition or settings are too large. In Box2D's joints these fields come
// before M_indexA. It does not check the values that a step computes, which may have any size.
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

// checkExtra reports whether the values that Box2D's joint lacks obey the limits. It does not check impulses, because a step may
// compute any.
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

// checkContact returns an error for a contact with surface values that it cannot get from shapes or from a hook.
func checkContact(friction, restitution, tangentSpeed float64) error {
	for _, x := range [...]float64{friction, restitution, tangentSpeed} {
		if !within(x, 2*maxValue) {
			return errLimits
		}
	}
	return nil
}

func isPoint(v box2d.B2Vec2, limit float64) bool { return within(v.X, limit) && within(v.Y, limit) }
