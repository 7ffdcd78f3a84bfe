package fast

import (
	"math"

	"github.com/ByteArena/box2d"
)

// sweep is a B2Sweep, with the sine and cosine of the angle at the last call of transform.
type sweep struct {
	box2d.B2Sweep
	rotation rotation
}

func (sw *sweep) set(s *box2d.B2Sweep) {
	sw.B2Sweep = *s
	sw.Normalize() // large angles could make the root finder fail
	sw.rotation = rotation{0, 0, 1}
}

// transform is GetTransform. The time t is a fraction of the sweep.
func (sw *sweep) transform(t float64, xf *box2d.B2Transform) {
	angle := (1-t)*sw.A0 + t*sw.A
	s, c := sw.rotation.sinCos(angle)
	xf.Q = box2d.B2Rot{S: s, C: c}
	xf.P.X = ((1-t)*sw.C0.X + t*sw.C.X) - (c*sw.LocalCenter.X - s*sw.LocalCenter.Y)
	xf.P.Y = ((1-t)*sw.C0.Y + t*sw.C.Y) - (s*sw.LocalCenter.X + c*sw.LocalCenter.Y)
}

// toiInput is B2TOIInput. It has two shapes and their sweeps.
type toiInput struct {
	proxyA, proxyB distanceProxy
	sweepA, sweepB sweep
}

// setProxies sets the proxies to the shapes of a contact.
func (in *toiInput) setProxies(r *contactRef) {
	in.proxyA.set(r.fA.M_shape, r.c.M_indexA)
	in.proxyB.set(r.fB.M_shape, r.c.M_indexB)
}

// The types of a separation function.
const (
	pointsAxis = iota // the axis between two points
	faceAAxis         // the normal of a face of A
	faceBAxis         // the normal of a face of B
)

// separationFunction is B2SeparationFunction. It gives the separation of two moving shapes along an
// axis, which is fixed to one of the shapes or to the world.
type separationFunction struct {
	input      *toiInput
	axisType   uint8 // pointsAxis, faceAAxis or faceBAxis
	localPoint vec
	axis       vec
}

// initialize sets the axis to that between the closest features at time t1.
func (f *separationFunction) initialize(cache *simplexCache, t1 float64) {
	box2d.B2Assert(0 < cache.count && cache.count < 3)
	in := f.input
	var xfA, xfB box2d.B2Transform
	in.sweepA.transform(t1, &xfA)
	in.sweepB.transform(t1, &xfB)
	a0, b0 := in.proxyA.vertices[cache.indexA[0]], in.proxyB.vertices[cache.indexB[0]]
	if cache.count == 1 {
		f.axisType = pointsAxis
		f.axis = sub(transformMul(&xfB, b0), transformMul(&xfA, a0))
		f.axis.Normalize()
		return
	}
	face, other, first, second, opposite := &xfA, &xfB, a0, in.proxyA.vertices[cache.indexA[1]], b0
	f.axisType = faceAAxis
	if cache.indexA[0] == cache.indexA[1] { // two points of B and one point of A
		face, other, first, second, opposite = &xfB, &xfA, b0, in.proxyB.vertices[cache.indexB[1]], a0
		f.axisType = faceBAxis
	}
	e := sub(second, first)
	f.axis = vec{X: 1.0 * e.Y, Y: -1.0 * e.X}
	f.axis.Normalize()
	n := box2d.B2RotVec2Mul(face.Q, f.axis)
	f.localPoint = vec{X: 0.5 * (first.X + second.X), Y: 0.5 * (first.Y + second.Y)}
	if dot(sub(transformMul(other, opposite), transformMul(face, f.localPoint)), n) < 0 {
		f.axis = f.axis.OperatorNegate()
	}
}

// findMinSeparation finds the vertices that are closest to each other at time t. It returns their
// indices and their separation. The index in a shape is -1 if the axis is a normal of that shape.
func (f *separationFunction) findMinSeparation(t float64) (indexA, indexB int, separation float64) {
	in := f.input
	var xfA, xfB box2d.B2Transform
	in.sweepA.transform(t, &xfA)
	in.sweepB.transform(t, &xfB)
	indexA, indexB = -1, -1
	switch f.axisType {
	case pointsAxis:
		dA, dB := box2d.B2RotVec2MulT(xfA.Q, f.axis), box2d.B2RotVec2MulT(xfB.Q, f.axis.OperatorNegate())
		indexA, indexB = in.proxyA.support(dA.X, dA.Y), in.proxyB.support(dB.X, dB.Y)
	case faceAAxis:
		d := box2d.B2RotVec2MulT(xfB.Q, box2d.B2RotVec2Mul(xfA.Q, f.axis).OperatorNegate())
		indexB = in.proxyB.support(d.X, d.Y)
	case faceBAxis:
		d := box2d.B2RotVec2MulT(xfA.Q, box2d.B2RotVec2Mul(xfB.Q, f.axis).OperatorNegate())
		indexA = in.proxyA.support(d.X, d.Y)
	}
	return indexA, indexB, f.separation(indexA, indexB, &xfA, &xfB)
}

// evaluate returns the separation of two vertices at time t.
func (f *separationFunction) evaluate(indexA, indexB int, t float64) float64 {
	var xfA, xfB box2d.B2Transform
	f.input.sweepA.transform(t, &xfA)
	f.input.sweepB.transform(t, &xfB)
	return f.separation(indexA, indexB, &xfA, &xfB)
}

// separation returns the separation of two vertices, with the given transforms of both shapes.
func (f *separationFunction) separation(indexA, indexB int, xfA, xfB *box2d.B2Transform) float64 {
	switch f.axisType {
	case pointsAxis:
		return dot(sub(transformMul(xfB, f.input.proxyB.vertices[indexB]), transformMul(xfA, f.input.proxyA.vertices[indexA])), f.axis)
	case faceAAxis:
		return dot(sub(transformMul(xfB, f.input.proxyB.vertices[indexB]), transformMul(xfA, f.localPoint)), box2d.B2RotVec2Mul(xfA.Q, f.axis))
	}
	return dot(sub(transformMul(xfA, f.input.proxyA.vertices[indexA]), transformMul(xfB, f.localPoint)), box2d.B2RotVec2Mul(xfB.Q, f.axis))
}

// timeOfImpact is B2TimeOfImpact. It returns the time at which the shapes touch, as a fraction of
// their sweeps. It finds the time by conservative advancement along separating axes. It returns
// false if the shapes do not touch, if they overlap at the start, or if the root finder fails.
func (in *toiInput) timeOfImpact(sweepA, sweepB *box2d.B2Sweep) (float64, bool) {
	in.sweepA.set(sweepA)
	in.sweepB.set(sweepB)
	const tolerance = 0.25 * box2d.B2_linearSlop
	target := max(box2d.B2_linearSlop, in.proxyA.radius+in.proxyB.radius-3.0*box2d.B2_linearSlop)
	box2d.B2Assert(target > tolerance)

	var cache simplexCache
	f := separationFunction{input: in}
	t1 := 0.0
	for iter := 0; iter < 20; iter++ {
		var xfA, xfB box2d.B2Transform
		in.sweepA.transform(t1, &xfA)
		in.sweepB.transform(t1, &xfB)
		dist := distance(&cache, &in.proxyA, &in.proxyB, &xfA, &xfB)
		if dist <= 0 {
			return 0, false
		}
		if dist < target+tolerance {
			return t1, true
		}
		f.initialize(&cache, t1)

		// solve for the deepest point, at most once for each vertex
		t2 := 1.0
		for pushBackIter := 0; pushBackIter < box2d.B2_maxPolygonVertices; pushBackIter++ {
			indexA, indexB, s2 := f.findMinSeparation(t2)
			if s2 > target+tolerance {
				return 1, false // the shapes are separated at the end
			}
			if s2 > target-tolerance {
				t1 = t2 // the separation at t2 is the target, so advance to t2
				break
			}
			s1 := f.evaluate(indexA, indexB, t1)
			if s1 < target-tolerance {
				return t1, false // the root finder has used up its iterations
			}
			if s1 <= target+tolerance {
				return t1, true
			}
			t2 = f.findRoot(indexA, indexB, t1, t2, s1, s2, target, tolerance)
		}
	}
	return t1, false
}

// findRoot finds the time at which the separation of two vertices is equal to target. It alternates
// between bisection and the secant rule.
func (f *separationFunction) findRoot(indexA, indexB int, t1, t2, s1, s2, target, tolerance float64) float64 {
	a1, a2 := t1, t2
	for n := 0; n < 50; n++ {
		t := 0.5 * (a1 + a2)
		if n&1 != 0 {
			t = a1 + (target-s1)*(a2-a1)/(s2-s1)
		}
		s := f.evaluate(indexA, indexB, t)
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
