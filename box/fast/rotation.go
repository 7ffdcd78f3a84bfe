package fast

import (
	"math"
	"runtime"

	"halfstep/internal/trig"
)

// rotation is a B2Rot with its angle.
type rotation struct{ a, s, c float64 }

// sinCos returns sine and cosine of an angle. It computes them only if the angle
// differs from the last.
func (t *rotation) sinCos(a float64) (sin, cos float64) {
	if math.Float64bits(a) != math.Float64bits(t.a) {
		t.set(a)
	}
	return t.s, t.c
}

// set computes sine and cosine of an angle, with the bits of math.Sincos, and so of math.Sin and
// math.Cos. trig.SinCos is faster, but certain to have the same bits only on amd64: on other
// processors the compiler may fuse products and sums of package math.
func (t *rotation) set(a float64) {
	t.a = a
	if math.Abs(a) < 1<<20 && runtime.GOARCH == "amd64" {
		t.s, t.c = trig.SinCos(a)
	} else {
		t.s, t.c = math.Sincos(a)
	}
}
