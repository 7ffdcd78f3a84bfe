package fast

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// synchronize computes the AABBs that cover a body's fixtures on the way from xf1 to the body's
// transform, unless computed is true. It moves the proxies of fixtures that have left their fat
// AABB, and records the changes of the broad phase.
func (s *Stepper) synchronize(b *box2d.B2Body, xf1 *box2d.B2Transform, computed bool) {
	bp := &s.world.M_contactManager.M_broadPhase
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		for i := 0; i < f.M_proxyCount; i++ {
			p := &f.M_proxies[i]
			if !computed {
				computeSweptAABB(f, p, xf1, &b.M_xf)
			}
			if !containsAABB(&bp.M_tree.M_nodes[p.ProxyId].Aabb, &p.Aabb) {
				d := box2d.B2Vec2{X: b.M_xf.P.X - xf1.P.X, Y: b.M_xf.P.Y - xf1.P.Y}
				s.mirror.owner.Proxies.Move(p.ProxyId, p.Aabb, d)
			}
		}
	}
}

// computeSweptAABB computes the AABB that covers a child shape under both
// transforms.
func computeSweptAABB(f *box2d.B2Fixture, p *box2d.B2FixtureProxy, xf1, xf2 *box2d.B2Transform) {
	var a, b box2d.B2AABB
	if poly, ok := f.M_shape.(*box2d.B2PolygonShape); ok {
		b2.PolygonBounds(&a, poly, xf1)
		b2.PolygonBounds(&b, poly, xf2)
	} else if circle, ok := f.M_shape.(*box2d.B2CircleShape); ok {
		b2.CircleBounds(&a, circle, xf1)
		b2.CircleBounds(&b, circle, xf2)
	} else if round, ok := f.M_shape.(*b2.RoundPolygon); ok {
		a, b = round.Box(xf1), round.Box(xf2)
	} else {
		computeSweptAABBGeneric(f, p, xf1, xf2)
		return
	}
	combineAABBs(&p.Aabb, &a, &b)
	if b2.HasNaN(&p.Aabb) { // the built-in min and max treat NaN in another way than the library
		computeSweptAABBGeneric(f, p, xf1, xf2)
	}
}

// computeSweptAABBGeneric is computeSweptAABB for any shape. It calls the library's methods through
// an interface. It is a separate function, because the arguments of such calls are allocated.
func computeSweptAABBGeneric(f *box2d.B2Fixture, p *box2d.B2FixtureProxy, xf1, xf2 *box2d.B2Transform) {
	var a, b box2d.B2AABB
	f.M_shape.ComputeAABB(&a, *xf1, p.ChildIndex)
	f.M_shape.ComputeAABB(&b, *xf2, p.ChildIndex)
	p.Aabb.CombineTwoInPlace(a, b)
}

func combineAABBs(out, a, b *box2d.B2AABB) {
	out.LowerBound = box2d.B2Vec2{X: min(a.LowerBound.X, b.LowerBound.X), Y: min(a.LowerBound.Y, b.LowerBound.Y)}
	out.UpperBound = box2d.B2Vec2{X: max(a.UpperBound.X, b.UpperBound.X), Y: max(a.UpperBound.Y, b.UpperBound.Y)}
}

func containsAABB(a, b *box2d.B2AABB) bool {
	return a.LowerBound.X <= b.LowerBound.X && a.LowerBound.Y <= b.LowerBound.Y &&
		b.UpperBound.X <= a.UpperBound.X && b.UpperBound.Y <= a.UpperBound.Y
}

// synchronizeBodies synchronizes the fixtures of all bodies that were in an island, the newest body
// first, as in the library.
func (s *Stepper) synchronizeBodies() {
	is := &s.islands
	bodies := s.mirror.bodies
	// with solveParallel, the workers have called computeIslandAABBs
	computed := s.mode.islands == solveParallel
	for i := len(bodies) - 1; i >= 0; i-- {
		if !is.bodyInIsland[i] || is.isStatic[i] {
			continue
		}
		if s.mode.islands.oneByOne() {
			// In this mode a callback may have moved the body, because each island was reported before the
			// next island was found. So the motion begins at the body's present sweep.
			s.synchronizeFixtures(bodies[i])
		} else if !computed || is.leftFatAABB[i] {
			s.synchronize(bodies[i], &is.startTransforms[i], computed)
		}
	}
}

// synchronizeFixtures is B2Body.SynchronizeFixtures. The motion of the body begins at the
// start of its sweep.
func (s *Stepper) synchronizeFixtures(b *box2d.B2Body) {
	var xf box2d.B2Transform
	w := &b.M_sweep
	xf.Q.Set(w.A0)
	xf.P.X = w.C0.X - (xf.Q.C*w.LocalCenter.X - xf.Q.S*w.LocalCenter.Y)
	xf.P.Y = w.C0.Y - (xf.Q.S*w.LocalCenter.X + xf.Q.C*w.LocalCenter.Y)
	s.synchronize(b, &xf, false) // false: no worker has computed the AABBs
}

// computeIslandAABBs computes the AABBs of an island's fixtures and records which bodies have
// left a fat AABB. It does not change the tree, so workers may run it.
func (s *Stepper) computeIslandAABBs(isl *island) {
	is := &s.islands
	nodes := s.world.M_contactManager.M_broadPhase.M_tree.M_nodes
	for i := isl.bodies; i < isl.bodiesEnd; i++ {
		b := is.bodies[i]
		if b.M_type == b2.StaticBody {
			continue
		}
		index := is.worldIndex[i]
		for f := b.M_fixtureList; f != nil; f = f.M_next {
			for k := 0; k < f.M_proxyCount; k++ {
				p := &f.M_proxies[k]
				computeSweptAABB(f, p, &is.startTransforms[index], &b.M_xf)
				if !containsAABB(&nodes[p.ProxyId].Aabb, &p.Aabb) {
					is.leftFatAABB[index] = true
				}
			}
		}
	}
}
