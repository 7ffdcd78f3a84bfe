package stepper

import (
	"math"
	"runtime"
)

// rotation is an angle with its sine and cosine.
type rotation struct{ a, s, c float64 }

// sinCos gives sine and cosine of an angle, remembering the body's last.
func (t *rotation) sinCos(a float64) (sin, cos float64) {
	if math.Float64bits(a) != math.Float64bits(t.a) {
		t.set(a)
	}
	return t.s, t.c
}

// set turns to an angle. Sine and cosine have the bits of math.Sincos, and so
// of math.Sin and math.Cos, in less time for angles that need no reduction:
// most bodies at rest stand upright.
//
// The polynomials and the reduction by pi/4 in three parts are those of the
// Cephes library (Stephen L. Moshier), which package math uses too. As long as
// the terms are summed in its order, so are the roundings.
func (t *rotation) set(a float64) {
	t.a = a
	x := math.Abs(a)
	if a == 0 || !(x < 1<<20) || !exact {
		t.s, t.c = math.Sincos(a)
		return
	}
	z, octant := a, 0
	if eighths := x * (4 / math.Pi); eighths >= 1 {
		octant = int(eighths)
		octant += octant & 1 // to the nearest multiple of pi/2
		y := float64(octant)
		z = x - y*7.85398125648498535156e-1
		z -= y * 3.77489470793079817668e-8
		z -= y * 2.69515142907905952645e-15
	}
	q := z * z
	cos := -1.13585365213876817300e-11
	cos = cos*q + 2.08757008419747316778e-9
	cos = cos*q + -2.75573141792967388112e-7
	cos = cos*q + 2.48015872888517045348e-5
	cos = cos*q + -1.38888888888730564116e-3
	cos = cos*q + 4.16666666666665929218e-2
	cos = 1 - 0.5*q + q*q*cos

	sin := 1.58962301576546568060e-10
	sin = sin*q + -2.50507477628578072866e-8
	sin = sin*q + 2.75573136213857245213e-6
	sin = sin*q + -1.98412698295895385996e-4
	sin = sin*q + 8.33333333332211858878e-3
	sin = sin*q + -1.66666666666666307295e-1
	sin = z + z*q*sin
	if octant != 0 {
		sin, cos = unreduce(sin, cos, octant, a < 0)
	}
	t.s, t.c = sin, cos
}

// exact tells that the compiler rounds every product, as it does in package
// math there. On other machines it may join a product and a sum.
const exact = runtime.GOARCH == "amd64"

// unreduce takes sine and cosine back from the remainder to the angle, which
// an even octant and its sign tell.
func unreduce(sin, cos float64, octant int, negative bool) (float64, float64) {
	turned, flipped := octant&2 != 0, octant&4 != 0
	if turned {
		sin, cos = cos, sin
	}
	if turned != flipped {
		cos = -cos
	}
	if flipped != negative {
		sin = -sin
	}
	return sin, cos
}
