package fast

import (
	"math"
	"runtime"

	"halfstep/internal/trig"
)

// rotation is a B2Rot with its angle.
type rotation struct{ a, s, c float64 }

// sinCos returns the sine and cosine of an angle. It computes them only if the angle differs from
// that of the last call.
func (t *rotation) sinCos(a float64) (sin, cos float64) {
	if math.Float64bits(a) != math.Float64bits(t.a) {
		t.set(a)
	}
	return t.s, t.c
}

// set computes the sine and cosine of an angle with the bits of math.Sincos, which has the bits of
// math.Sin and math.Cos. The function trig.SinCos is faster. It has the same bits on amd64. On other
// processors its bits may differ, because there the compiler may fuse products and sums of package
// math.
func (t *rotation) set(a float64) {
	t.a = a
	if math.Abs(a) < 1<<20 && runtime.GOARCH == "amd64" {
		t.s, t.c = trig.SinCos(a)
	} else {
		t.s, t.c = math.Sincos(a)
	}
}
