package stepper

import "github.com/ByteArena/box2d"

// synchronizeFixtures fits the boxes of a body's fixtures around their motion from
// xf1 to the body's transform, and moves those in the tree that have left
// their fat box.
func (s *Stepper) synchronizeFixtures(b *box2d.B2Body, xf1 *box2d.B2Transform) {
	bp := &s.world.M_contactManager.M_broadPhase
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		for i := 0; i < f.M_proxyCount; i++ {
			p := &f.M_proxies[i]
			computeSweptAABB(f, p, xf1, &b.M_xf)
			if !containsAABB(&bp.M_tree.M_nodes[p.ProxyId].Aabb, &p.Aabb) {
				d := box2d.B2Vec2{X: b.M_xf.P.X - xf1.P.X, Y: b.M_xf.P.Y - xf1.P.Y}
				bp.MoveProxy(p.ProxyId, p.Aabb, d)
			}
		}
	}
}

// computeSweptAABB writes the box that covers a child shape under both transforms.
func computeSweptAABB(f *box2d.B2Fixture, p *box2d.B2FixtureProxy, xf1, xf2 *box2d.B2Transform) {
	if poly, ok := f.M_shape.(*box2d.B2PolygonShape); ok {
		var a, b box2d.B2AABB
		polygonAABB(poly, xf1, &a)
		polygonAABB(poly, xf2, &b)
		combineAABBs(&p.Aabb, &a, &b)
		if hasNaN(&p.Aabb) {
			computeSweptAABBGeneric(f, p, xf1, xf2)
		}
		return
	}
	if circle, ok := f.M_shape.(*box2d.B2CircleShape); ok {
		var a, b box2d.B2AABB
		circleAABB(circle, xf1, &a)
		circleAABB(circle, xf2, &b)
		combineAABBs(&p.Aabb, &a, &b)
		if hasNaN(&p.Aabb) {
			computeSweptAABBGeneric(f, p, xf1, xf2)
		}
		return
	}
	computeSweptAABBGeneric(f, p, xf1, xf2)
}

// hasNaN reports whether a box may hold a NaN. The built-in min and max differ
// there from the library's, for infinities.
func hasNaN(b *box2d.B2AABB) bool {
	sum := b.LowerBound.X + b.LowerBound.Y + b.UpperBound.X + b.UpperBound.Y
	return sum != sum
}

// computeSweptAABBGeneric is sweptBox by the library's means. It is apart because what goes
// through an interface is allocated.
func computeSweptAABBGeneric(f *box2d.B2Fixture, p *box2d.B2FixtureProxy, xf1, xf2 *box2d.B2Transform) {
	var a, b box2d.B2AABB
	f.M_shape.ComputeAABB(&a, *xf1, p.ChildIndex)
	f.M_shape.ComputeAABB(&b, *xf2, p.ChildIndex)
	p.Aabb.CombineTwoInPlace(a, b)
}

// polygonAABB is the library's box of a polygon, whose upper bound lies the
// radius too low there: the fattening of the broad phase hides it.
func polygonAABB(poly *box2d.B2PolygonShape, xf *box2d.B2Transform, out *box2d.B2AABB) {
	s, c, px, py := xf.Q.S, xf.Q.C, xf.P.X, xf.P.Y
	v := poly.M_vertices[0]
	lx, ly := (c*v.X-s*v.Y)+px, (s*v.X+c*v.Y)+py
	ux, uy := lx, ly
	for i := 1; i < poly.M_count; i++ {
		v := &poly.M_vertices[i]
		x, y := (c*v.X-s*v.Y)+px, (s*v.X+c*v.Y)+py
		lx, ly = min(lx, x), min(ly, y)
		ux, uy = max(ux, x), max(uy, y)
	}
	r := poly.M_radius
	out.LowerBound = box2d.B2Vec2{X: lx - r, Y: ly - r}
	out.UpperBound = box2d.B2Vec2{X: ux - r, Y: uy - r}
}

func circleAABB(circle *box2d.B2CircleShape, xf *box2d.B2Transform, out *box2d.B2AABB) {
	s, c, p, r := xf.Q.S, xf.Q.C, circle.M_p, circle.M_radius
	x, y := xf.P.X+(c*p.X-s*p.Y), xf.P.Y+(s*p.X+c*p.Y)
	out.LowerBound = box2d.B2Vec2{X: x - r, Y: y - r}
	out.UpperBound = box2d.B2Vec2{X: x + r, Y: y + r}
}

func combineAABBs(out, a, b *box2d.B2AABB) {
	out.LowerBound = box2d.B2Vec2{X: min(a.LowerBound.X, b.LowerBound.X), Y: min(a.LowerBound.Y, b.LowerBound.Y)}
	out.UpperBound = box2d.B2Vec2{X: max(a.UpperBound.X, b.UpperBound.X), Y: max(a.UpperBound.Y, b.UpperBound.Y)}
}

func containsAABB(a, b *box2d.B2AABB) bool {
	return a.LowerBound.X <= b.LowerBound.X && a.LowerBound.Y <= b.LowerBound.Y &&
		b.UpperBound.X <= a.UpperBound.X && b.UpperBound.Y <= a.UpperBound.Y
}
