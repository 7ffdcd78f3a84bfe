package fast

import (
	"math"
	"runtime"

	"halfstep/internal/trig"
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

// set computes sine and cosine of an angle. They have the bits of math.Sincos, and so of math.Sin
// and math.Cos. SinCos is faster where it has them too: elsewhere a compiler may fuse a product
// and a sum, here and in package math.
func (t *rotation) set(a float64) {
	t.a = a
	if math.Abs(a) < 1<<20 && runtime.GOARCH == "amd64" {
		t.s, t.c = trig.SinCos(a)
	} else {
		t.s, t.c = math.Sincos(a)
	}
}
