package world

import (
	"errors"

	"github.com/ByteArena/box2d"
)

// QueryPoint calls f with every circle and polygon that contains a point, m,
// sensors included, until f returns false. f may change the world. A point that
// is not a finite number is an error.
func (w *World) QueryPoint(point Vec, f func(Body, Shape) bool) error {
	w.own()
	if err := checkVec("point", point, maxPosition); err != nil {
		return err
	}
	at := b2vec(point)
	w.query(at, at, func(x *box2d.B2Fixture, _ int) bool { return x.M_shape.TestPoint(x.M_body.M_xf, at) }, f)
	return nil
}

// QueryBox calls f with every shape that meets the box between two corners, m,
// sensors included, until f returns false. f may change the world. Corners the
// wrong way round, or that are not finite numbers, are an error.
func (w *World) QueryBox(low, high Vec, f func(Body, Shape) bool) error {
	w.own()
	if err := firstError(checkVec("lower corner", low, maxPosition), checkVec("upper corner", high, maxPosition)); err != nil {
		return err
	}
	if low.X > high.X || low.Y > high.Y {
		return errors.New("world: the box's corners are the wrong way round")
	}
	area := box2d.MakeB2PolygonShape()
	area.SetAsBoxFromCenterAndAngle((high.X-low.X)/2, (high.Y-low.Y)/2, box2d.B2Vec2{X: (low.X + high.X) / 2, Y: (low.Y + high.Y) / 2}, 0)
	w.query(b2vec(low), b2vec(high), func(x *box2d.B2Fixture, child int) bool { return w.meets(&area, x, child) }, f)
	return nil
}

// query first collects, then calls: f may change the tree that is walked.
func (w *World) query(lo, hi box2d.B2Vec2, test func(*box2d.B2Fixture, int) bool, f func(Body, Shape) bool) {
	var found []*shape
	bp := &w.b2.M_contactManager.M_broadPhase
	bp.Query(func(id int) bool {
		p := bp.M_tree.M_nodes[id].UserData.(*box2d.B2FixtureProxy)
		s := shapeOf(p.Fixture)
		if s == nil || contains(found, s) || !test(p.Fixture, p.ChildIndex) {
			return true
		}
		found = append(found, s)
		return true
	}, box2d.B2AABB{LowerBound: lo, UpperBound: hi})
	for _, s := range found {
		if s.fix != nil && !f(s.of.handle, s.handle) {
			return
		}
	}
}

// contains sees a chain's other segments; they come soon after each other.
func contains(list []*shape, s *shape) bool {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == s {
			return true
		}
	}
	return false
}

// meets reports whether a fixture reaches into area, without Box2D's skin.
func (w *World) meets(area *box2d.B2PolygonShape, f *box2d.B2Fixture, child int) bool {
	in := box2d.MakeB2DistanceInput()
	in.ProxyA.Set(area, 0)
	in.ProxyB.Set(f.M_shape, child)
	in.TransformA.SetIdentity()
	in.TransformB = f.M_body.M_xf
	var out box2d.B2DistanceOutput
	var cache box2d.B2SimplexCache
	w.distance(&out, &cache, &in)
	reach := 1e-9
	if c, ok := f.M_shape.(*box2d.B2CircleShape); ok {
		reach += c.M_radius
	}
	return out.Distance <= reach
}

// RayHit is where a ray meets a shape.
type RayHit struct {
	Body     Body
	Shape    Shape
	Point    Vec     // of the world, m
	Normal   Vec     // unit, out of the shape
	Fraction float64 // of the way, 0 to 1
}

// RayCast returns the first shape that a ray between two points, m, meets,
// sensors left out, and false if it meets none. A shape that the ray starts in
// is not met. A ray without length is an error.
func (w *World) RayCast(from, to Vec) (RayHit, bool, error) {
	w.own()
	if err := firstError(checkVec("start of the ray", from, maxPosition), checkVec("end of the ray", to, maxPosition)); err != nil {
		return RayHit{}, false, err
	}
	if dx, dy := to.X-from.X, to.Y-from.Y; !(dx*dx+dy*dy > 0) {
		return RayHit{}, false, errors.New("world: the ray has no length")
	}
	var hit RayHit
	found := false
	w.b2.RayCast(func(f *box2d.B2Fixture, p, n box2d.B2Vec2, fraction float64) float64 {
		s := shapeOf(f)
		if s == nil || f.M_isSensor {
			return -1
		}
		found = true
		hit = RayHit{s.of.handle, s.handle, fromB2(p), fromB2(n), fraction}
		return fraction
	}, b2vec(from), b2vec(to))
	return hit, found, nil
}
