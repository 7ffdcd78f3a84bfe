package fast

import (
	"math"
	"runtime"
)

// rotation is a B2Rot that knows its angle.
type rotation struct{ a, s, c float64 }

// sinCos returns sine and cosine of an angle. It computes them only if the angle
// differs from the last.
func (t *rotation) sinCos(a float64) (sin, cos float64) {
	if math.Float64bits(a) != math.Float64bits(t.a) {
		t.set(a)
	}
	return t.s, t.c
}

// set computes sine and cosine of an angle. They have the bits of math.Sincos,
// and so of math.Sin and math.Cos. It is faster for angles that need no
// reduction, as most bodies at rest stand upright.
//
// The polynomials and the reduction by pi/4 in three parts are those of the
// Cephes library (Stephen L. Moshier), which package math uses too. The terms
// are summed in the order of package math, so they are rounded alike.
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

// exact tells that the compiler rounds every product, here and in package math.
// On other architectures it may fuse a product and a sum.
const exact = runtime.GOARCH == "amd64"

// unreduce turns sine and cosine of the reduced angle into those of the angle.
// octant is even.
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
