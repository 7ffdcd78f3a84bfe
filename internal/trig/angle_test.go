package trig

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestTheAngleHasTheBitsOfAtan2(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		if x, y, z := r.Float64(), r.Float64(), r.Float64(); x*y+z != float64(x*y)+z {
			t.Skip("the standard library's products are fused on this machine")
		}
	}
	for range 100000 {
		x, y := r.NormFloat64()*float64(r.IntN(5)), r.NormFloat64()*float64(r.IntN(5))
		if got, want := Angle(y, x), math.Atan2(y, x); math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%v, %v: %v; it is %v", y, x, got, want)
		}
	}
}
