package stepper

import (
	"math"

	"github.com/ByteArena/box2d"
)

// sweep is a B2Sweep with its last rotation.
type sweep struct {
	box2d.B2Sweep
	rotation rotation
}

func (m *sweep) set(s *box2d.B2Sweep) {
	m.B2Sweep = *s
	m.Normalize() // large angles can make the root finder fail
	m.rotation = rotation{0, 0, 1}
}

// transform is GetTransform at time t, a fraction of the sweep.
func (m *sweep) transform(t float64, xf *box2d.B2Transform) {
	angle := (1-t)*m.A0 + t*m.A
	s, c := m.rotation.sinCos(angle)
	xf.Q = box2d.B2Rot{S: s, C: c}
	xf.P.X = ((1-t)*m.C0.X + t*m.C.X) - (c*m.LocalCenter.X - s*m.LocalCenter.Y)
	xf.P.Y = ((1-t)*m.C0.Y + t*m.C.Y) - (s*m.LocalCenter.X + c*m.LocalCenter.Y)
}

// toiInput is B2TOIInput: two shapes and their sweeps.
type toiInput struct {
	proxyA, proxyB distanceProxy
	sweepA, sweepB sweep
}

func (t *toiInput) setProxies(r *contactRef) {
	t.proxyA.set(r.fA.M_shape, r.c.M_indexA)
	t.proxyB.set(r.fB.M_shape, r.c.M_indexB)
}

// separationFunction is B2SeparationFunction: the separation of two moving
// shapes along an axis that is fixed to one of them or to the world.
type separationFunction struct {
	input      *toiInput
	axisType   uint8 // 0: of two points, 1: of face A, 2: of face B
	localPoint vec
	axis       vec
}

// initialize takes the axis of the closest features at time t1.
func (f *separationFunction) initialize(cache *simplexCache, t1 float64) {
	box2d.B2Assert(0 < cache.count && cache.count < 3)
	t := f.input
	var xfA, xfB box2d.B2Transform
	t.sweepA.transform(t1, &xfA)
	t.sweepB.transform(t1, &xfB)
	a0, b0 := t.proxyA.vertices[cache.indexA[0]], t.proxyB.vertices[cache.indexB[0]]
	if cache.count == 1 {
		f.axisType = 0
		f.axis = sub(transformMul(&xfB, b0), transformMul(&xfA, a0))
		f.axis.Normalize()
		return
	}
	face, other, first, second, opposite := &xfA, &xfB, a0, t.proxyA.vertices[cache.indexA[1]], b0
	f.axisType = 1
	if cache.indexA[0] == cache.indexA[1] { // two points on B, one on A
		face, other, first, second, opposite = &xfB, &xfA, b0, t.proxyB.vertices[cache.indexB[1]], a0
		f.axisType = 2
	}
	e := sub(second, first)
	f.axis = vec{X: 1.0 * e.Y, Y: -1.0 * e.X}
	f.axis.Normalize()
	n := rotMul(face, f.axis)
	f.localPoint = vec{X: 0.5 * (first.X + second.X), Y: 0.5 * (first.Y + second.Y)}
	if dot(sub(transformMul(other, opposite), transformMul(face, f.localPoint)), n) < 0 {
		f.axis = vec{X: -f.axis.X, Y: -f.axis.Y}
	}
}

func rotMul(xf *box2d.B2Transform, v vec) vec {
	return vec{X: xf.Q.C*v.X - xf.Q.S*v.Y, Y: xf.Q.S*v.X + xf.Q.C*v.Y}
}

func rotMulT(xf *box2d.B2Transform, v vec) vec {
	return vec{X: xf.Q.C*v.X + xf.Q.S*v.Y, Y: -xf.Q.S*v.X + xf.Q.C*v.Y}
}

func negate(v vec) vec { return vec{X: -v.X, Y: -v.Y} }

// findMinSeparation finds the closest vertices at a time and their separation.
// An index is -1 if the axis is of that shape's face.
func (f *separationFunction) findMinSeparation(time float64) (iA, iB int, separation float64) {
	t := f.input
	var xfA, xfB box2d.B2Transform
	t.sweepA.transform(time, &xfA)
	t.sweepB.transform(time, &xfB)
	iA, iB = -1, -1
	switch f.axisType {
	case 0:
		dA, dB := rotMulT(&xfA, f.axis), rotMulT(&xfB, negate(f.axis))
		iA, iB = t.proxyA.support(dA.X, dA.Y), t.proxyB.support(dB.X, dB.Y)
	case 1:
		d := rotMulT(&xfB, negate(rotMul(&xfA, f.axis)))
		iB = t.proxyB.support(d.X, d.Y)
	case 2:
		d := rotMulT(&xfA, negate(rotMul(&xfB, f.axis)))
		iA = t.proxyA.support(d.X, d.Y)
	}
	return iA, iB, f.separation(iA, iB, &xfA, &xfB)
}

// evaluate returns the separation of two vertices at a time.
func (f *separationFunction) evaluate(iA, iB int, time float64) float64 {
	var xfA, xfB box2d.B2Transform
	f.input.sweepA.transform(time, &xfA)
	f.input.sweepB.transform(time, &xfB)
	return f.separation(iA, iB, &xfA, &xfB)
}

func (f *separationFunction) separation(iA, iB int, xfA, xfB *box2d.B2Transform) float64 {
	switch f.axisType {
	case 0:
		return dot(sub(transformMul(xfB, f.input.proxyB.vertices[iB]), transformMul(xfA, f.input.proxyA.vertices[iA])), f.axis)
	case 1:
		return dot(sub(transformMul(xfB, f.input.proxyB.vertices[iB]), transformMul(xfA, f.localPoint)), rotMul(xfA, f.axis))
	}
	return dot(sub(transformMul(xfA, f.input.proxyA.vertices[iA]), transformMul(xfB, f.localPoint)), rotMul(xfB, f.axis))
}

// timeOfImpact is B2TimeOfImpact. It returns when the shapes touch, as a fraction
// of their sweeps, by conservative advancement along separating axes. The result
// is false if they do not touch, overlap from the start, or the root finder
// fails.
func (t *toiInput) timeOfImpact(sweepA, sweepB *box2d.B2Sweep) (float64, bool) {
	t.sweepA.set(sweepA)
	t.sweepB.set(sweepB)
	const tolerance = 0.25 * box2d.B2_linearSlop
	target := max(box2d.B2_linearSlop, t.proxyA.radius+t.proxyB.radius-3.0*box2d.B2_linearSlop)
	box2d.B2Assert(target > tolerance)

	var cache simplexCache
	f := separationFunction{input: t}
	t1 := 0.0
	for iter := 0; iter < 20; iter++ {
		var xfA, xfB box2d.B2Transform
		t.sweepA.transform(t1, &xfA)
		t.sweepB.transform(t1, &xfB)
		dist := distance(&cache, &t.proxyA, &t.proxyB, &xfA, &xfB)
		if dist <= 0 {
			return 0, false
		}
		if dist < target+tolerance {
			return t1, true
		}
		f.initialize(&cache, t1)

		// Resolve the deepest point, at most once for each vertex.
		t2 := 1.0
		for pushBackIter := 0; pushBackIter < box2d.B2_maxPolygonVertices; pushBackIter++ {
			iA, iB, s2 := f.findMinSeparation(t2)
			if s2 > target+tolerance {
				return 1, false // separated at the end
			}
			if s2 > target-tolerance {
				t1 = t2 // reached the target: go on from here
				break
			}
			s1 := f.evaluate(iA, iB, t1)
			if s1 < target-tolerance {
				return t1, false // the root finder ran out of iterations
			}
			if s1 <= target+tolerance {
				return t1, true
			}
			t2 = f.findRoot(iA, iB, t1, t2, s1, s2, target, tolerance)
		}
	}
	return t1, false
}

// findRoot finds the time at which the separation of two vertices is target. It
// alternates bisection and the secant rule.
func (f *separationFunction) findRoot(iA, iB int, t1, t2, s1, s2, target, tolerance float64) float64 {
	a1, a2 := t1, t2
	for n := 0; n < 50; n++ {
		t := 0.5 * (a1 + a2)
		if n&1 != 0 {
			t = a1 + (target-s1)*(a2-a1)/(s2-s1)
		}
		s := f.evaluate(iA, iB, t)
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
