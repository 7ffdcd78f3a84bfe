// Package trig has functions of angles that give the same bits on every machine.
package trig

import "math"

// SinCos returns the sine and the cosine of an angle, with the same bits on every
// machine. For angles up to 2^20 the bits are those of math.Sincos on amd64. Converting
// each product to float64 keeps the compiler from fusing the product with a sum. The
// polynomials and the reduction by pi/4 in three parts are those of the Cephes library
// (Stephen L. Moshier).
func SinCos(a float64) (sin, cos float64) {
	x := math.Abs(a)
	if x == 0 {
		return a, 1
	}
	if !(x < 1<<20) {
		x = math.Mod(x, 2*math.Pi) // NaN remains NaN
	}
	z, octant := x, 0
	if eighths := x * (4 / math.Pi); eighths >= 1 {
		octant = int(eighths)
		octant += octant & 1 // round to the nearest multiple of pi/2
		y := float64(octant)
		z = x - float64(y*7.85398125648498535156e-1)
		z -= float64(y * 3.77489470793079817668e-8)
		z -= float64(y * 2.69515142907905952645e-15)
	}
	q := z * z
	cos = -1.13585365213876817300e-11
	cos = float64(cos*q) + 2.08757008419747316778e-9
	cos = float64(cos*q) + -2.75573141792967388112e-7
	cos = float64(cos*q) + 2.48015872888517045348e-5
	cos = float64(cos*q) + -1.38888888888730564116e-3
	cos = float64(cos*q) + 4.16666666666665929218e-2
	cos = 1 - float64(0.5*q) + float64(float64(q*q)*cos)

	sin = 1.58962301576546568060e-10
	sin = float64(sin*q) + -2.50507477628578072866e-8
	sin = float64(sin*q) + 2.75573136213857245213e-6
	sin = float64(sin*q) + -1.98412698295895385996e-4
	sin = float64(sin*q) + 8.33333333332211858878e-3
	sin = float64(sin*q) + -1.66666666666666307295e-1
	sin = z + float64(float64(z*q)*sin)
	turned, flipped := octant&2 != 0, octant&4 != 0
	if turned {
		sin, cos = cos, sin
	}
	if turned != flipped {
		cos = -cos
	}
	if flipped != (a < 0) {
		sin = -sin
	}
	return sin, cos
}
