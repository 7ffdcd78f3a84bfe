package forces

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
)

func TestTheAngleHasTheBitsOfAtan2(t *testing.T) {
	if z := math.Atan2(1, 3); runtime.GOARCH != "amd64" || z != angle(1, 3) {
		t.Skip("the standard library's products may be fused on this machine")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 100000 {
		x, y := r.NormFloat64()*float64(r.IntN(5)), r.NormFloat64()*float64(r.IntN(5))
		if got, want := angle(y, x), math.Atan2(y, x); math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%v, %v: %v; it is %v", y, x, got, want)
		}
	}
}
