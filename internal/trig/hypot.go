package trig

import "math"

// Hypot is math.Hypot with the same bits on every machine. The arguments must be finite or
// NaN.
func Hypot(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	if x < y {
		x, y = y, x
	}
	if x == 0 {
		return y
	}
	y /= x
	return float64(x * math.Sqrt(1+float64(y*y)))
}
