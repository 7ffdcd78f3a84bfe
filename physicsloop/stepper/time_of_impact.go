package stepper

import (
	"math"

	"github.com/ByteArena/box2d"
)

// motion is a body's sweep with its last rotation.
type motion struct {
	box2d.B2Sweep
	turn turn
}

func (m *motion) start(s *box2d.B2Sweep) {
	m.B2Sweep = *s
	m.Normalize() // large rotations make the root finder fail
	m.turn = turn{0, 0, 1}
}

// at is the body's transform at a fraction of the sweep.
func (m *motion) at(t float64, xf *box2d.B2Transform) {
	angle := (1-t)*m.A0 + t*m.A
	s, c := m.turn.rotation(angle)
	xf.Q = box2d.B2Rot{S: s, C: c}
	xf.P.X = ((1-t)*m.C0.X + t*m.C.X) - (c*m.LocalCenter.X - s*m.LocalCenter.Y)
	xf.P.Y = ((1-t)*m.C0.Y + t*m.C.Y) - (s*m.LocalCenter.X + c*m.LocalCenter.Y)
}

// query is two shapes whose distance or time of impact is asked for.
type query struct {
	a, b             proxy
	motionA, motionB motion
}

func (t *query) set(r *contactRef) {
	t.a.set(r.fA.M_shape, r.c.M_indexA)
	t.b.set(r.fB.M_shape, r.c.M_indexB)
}

// separation is the gap between two moving shapes along an axis that is fixed
// to one of them or to the world.
type separation struct {
	t     *query
	kind  uint8 // axis of: 0 two points, 1 a face of A, 2 a face of B
	point vec
	axis  vec
}

// set chooses the axis that the closest features span at time t1.
func (f *separation) set(cache *simplexCache, t1 float64) {
	box2d.B2Assert(0 < cache.n && cache.n < 3)
	t := f.t
	var xfA, xfB box2d.B2Transform
	t.motionA.at(t1, &xfA)
	t.motionB.at(t1, &xfB)
	a0, b0 := t.a.vertices[cache.iA[0]], t.b.vertices[cache.iB[0]]
	if cache.n == 1 {
		f.kind = 0
		f.axis = minus(apply(&xfB, b0), apply(&xfA, a0))
		f.axis.Normalize()
		return
	}
	face, other, first, second, opposite := &xfA, &xfB, a0, t.a.vertices[cache.iA[1]], b0
	f.kind = 1
	if cache.iA[0] == cache.iA[1] { // two points on B, one on A
		face, other, first, second, opposite = &xfB, &xfA, b0, t.b.vertices[cache.iB[1]], a0
		f.kind = 2
	}
	e := minus(second, first)
	f.axis = vec{X: 1.0 * e.Y, Y: -1.0 * e.X}
	f.axis.Normalize()
	n := rotate(face, f.axis)
	f.point = vec{X: 0.5 * (first.X + second.X), Y: 0.5 * (first.Y + second.Y)}
	if dot(minus(apply(other, opposite), apply(face, f.point)), n) < 0 {
		f.axis = vec{X: -f.axis.X, Y: -f.axis.Y}
	}
}

func rotate(xf *box2d.B2Transform, v vec) vec {
	return vec{X: xf.Q.C*v.X - xf.Q.S*v.Y, Y: xf.Q.S*v.X + xf.Q.C*v.Y}
}

func unrotate(xf *box2d.B2Transform, v vec) vec {
	return vec{X: xf.Q.C*v.X + xf.Q.S*v.Y, Y: -xf.Q.S*v.X + xf.Q.C*v.Y}
}

func negative(v vec) vec { return vec{X: -v.X, Y: -v.Y} }

// least finds the closest vertices at a time and their separation.
func (f *separation) least(time float64) (iA, iB int, sep float64) {
	t := f.t
	var xfA, xfB box2d.B2Transform
	t.motionA.at(time, &xfA)
	t.motionB.at(time, &xfB)
	iA, iB = -1, -1
	switch f.kind {
	case 0:
		dA, dB := unrotate(&xfA, f.axis), unrotate(&xfB, negative(f.axis))
		iA, iB = t.a.support(dA.X, dA.Y), t.b.support(dB.X, dB.Y)
	case 1:
		d := unrotate(&xfB, negative(rotate(&xfA, f.axis)))
		iB = t.b.support(d.X, d.Y)
	case 2:
		d := unrotate(&xfA, negative(rotate(&xfB, f.axis)))
		iA = t.a.support(d.X, d.Y)
	}
	return iA, iB, f.between(iA, iB, &xfA, &xfB)
}

// of is the separation of two vertices at a time.
func (f *separation) of(iA, iB int, time float64) float64 {
	var xfA, xfB box2d.B2Transform
	f.t.motionA.at(time, &xfA)
	f.t.motionB.at(time, &xfB)
	return f.between(iA, iB, &xfA, &xfB)
}

func (f *separation) between(iA, iB int, xfA, xfB *box2d.B2Transform) float64 {
	switch f.kind {
	case 0:
		return dot(minus(apply(xfB, f.t.b.vertices[iB]), apply(xfA, f.t.a.vertices[iA])), f.axis)
	case 1:
		return dot(minus(apply(xfB, f.t.b.vertices[iB]), apply(xfA, f.point)), rotate(xfA, f.axis))
	}
	return dot(minus(apply(xfA, f.t.a.vertices[iA]), apply(xfB, f.point)), rotate(xfB, f.axis))
}

// timeOfImpact computes when the shapes set in t touch, as a fraction of their
// sweeps, by conservative advancement along separating axes. It reports false
// if they do not, or if they overlap from the start.
func (t *query) timeOfImpact(sweepA, sweepB *box2d.B2Sweep) (float64, bool) {
	t.motionA.start(sweepA)
	t.motionB.start(sweepB)
	const tolerance = 0.25 * box2d.B2_linearSlop
	target := max(box2d.B2_linearSlop, t.a.radius+t.b.radius-3.0*box2d.B2_linearSlop)
	box2d.B2Assert(target > tolerance)

	var cache simplexCache
	f := separation{t: t}
	t1 := 0.0
	for iter := 0; iter < 20; iter++ {
		var xfA, xfB box2d.B2Transform
		t.motionA.at(t1, &xfA)
		t.motionB.at(t1, &xfB)
		gap := distance(&cache, &t.a, &t.b, &xfA, &xfB)
		if gap <= 0 {
			return 0, false
		}
		if gap < target+tolerance {
			return t1, true
		}
		f.set(&cache, t1)

		// Resolve the deepest point again and again, at most once per vertex.
		t2 := 1.0
		for push := 0; push < box2d.B2_maxPolygonVertices; push++ {
			iA, iB, s2 := f.least(t2)
			if s2 > target+tolerance {
				return 1, false // apart at the end
			}
			if s2 > target-tolerance {
				t1 = t2 // as close as wanted: go on from here
				break
			}
			s1 := f.of(iA, iB, t1)
			if s1 < target-tolerance {
				return t1, false // the root finder ran out of iterations
			}
			if s1 <= target+tolerance {
				return t1, true
			}
			t2 = f.root(iA, iB, t1, t2, s1, s2, target, tolerance)
		}
	}
	return t1, false
}

// root finds when two vertices are the target apart, by turns with the secant
// rule and by bisection.
func (f *separation) root(iA, iB int, t1, t2, s1, s2, target, tolerance float64) float64 {
	a1, a2 := t1, t2
	for n := 0; n < 50; n++ {
		t := 0.5 * (a1 + a2)
		if n&1 != 0 {
			t = a1 + (target-s1)*(a2-a1)/(s2-s1)
		}
		s := f.of(iA, iB, t)
		if math.Abs(s-target) < tolerance {
			return t
		}
		if s > target {
			a1, s1 = t, s
		} else {
			a2, s2 = t, s
		}
	}
	return t2
}
