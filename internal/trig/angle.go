package trig

import "math"

// Angle is math.Atan2 with the same bits on every machine. Converting each product to
// float64 keeps the compiler from fusing the product with a sum. The polynomials and the
// reduction are those of the Cephes library (Stephen L. Moshier).
func Angle(y, x float64) float64 {
	switch {
	case y == 0 && !math.Signbit(x):
		return y
	case y == 0:
		return math.Copysign(math.Pi, y)
	case x == 0:
		return math.Copysign(math.Pi/2, y)
	}
	a := math.Copysign(arctan(math.Abs(y/x)), y/x)
	switch {
	case x > 0:
		return a
	case a <= 0:
		return a + math.Pi
	}
	return a - math.Pi
}

// arctan returns the arctangent of a number that is not negative.
func arctan(t float64) float64 {
	const rest = 6.123233995736765886130e-17 // pi/2 minus its float64
	switch {
	case t <= .66:
		return arctanNear(t)
	case t > 2.41421356237309504880: // tan(3/8 pi)
		return math.Pi/2 - arctanNear(1/t) + rest
	}
	return math.Pi/4 + arctanNear((t-1)/(t+1)) + .5*rest
}

// arctanNear returns the arctangent of a number up to 0.66.
func arctanNear(t float64) float64 {
	z := t * t
	p := float64(-8.750608600031904122785e-01*z) + -1.615753718733365076637e+01
	p = float64(p*z) + -7.500855792314704667340e+01
	p = float64(p*z) + -1.228866684490136173410e+02
	p = float64(p*z) + -6.485021904942025371773e+01
	q := float64(z) + 2.485846490142306297962e+01
	q = float64(q*z) + 1.650270098316988542046e+02
	q = float64(q*z) + 4.328810604912902668951e+02
	q = float64(q*z) + 4.853903996359136964868e+02
	q = float64(q*z) + 1.945506571482613964425e+02
	return float64(t*(z*p/q)) + t
}
