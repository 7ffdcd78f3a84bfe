package fast

import (
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/test/norace"
)

func TestRotationHasTheBitsOfSinAndCos(t *testing.T) {
	norace.Only(t)
	var body rotation
	check := func(a float64) {
		t.Helper()
		sin, cos := body.sinCos(a)
		again, anew := body.sinCos(a)
		for _, x := range [][2]float64{{sin, math.Sin(a)}, {cos, math.Cos(a)}, {again, sin}, {anew, cos}} {
			if math.Float64bits(x[0]) != math.Float64bits(x[1]) && !(x[0] != x[0] && x[1] != x[1]) {
				t.Fatalf("angle %v: %v, want %v", a, x[0], x[1])
			}
		}
	}
	for octant := -40; octant <= 40; octant++ { // at these angles the reduction of the argument changes
		a := float64(octant) * math.Pi / 4
		for range 50 {
			check(a)
			a = math.Nextafter(a, math.Inf(1))
		}
		a = float64(octant) * math.Pi / 4
		for range 50 {
			check(a)
			a = math.Nextafter(a, math.Inf(-1))
		}
	}
	for _, a := range []float64{
		0, math.Copysign(0, -1), 5e-324, 1e-160, 1<<20 - 0.1, 1 << 20, 1 << 29, 1 << 40, 1e300,
		math.Inf(1), math.Inf(-1), math.NaN(),
	} {
		check(a)
		check(-a)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 1_000_000 {
		check((r.Float64() - 0.5) * []float64{1, 10, 1000, 1e6, 1e9}[i%5])
		check(math.Float64frombits(r.Uint64()))
	}
}

var sum float64

func BenchmarkRotation(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name   string
		spread float64
	}{{"upright", 1}, {"turned", 20}} {
		angles := make([]float64, 1024)
		for i := range angles {
			angles[i] = (r.Float64() - 0.5) * c.spread
		}
		b.Run(c.name+"/stepper", func(b *testing.B) {
			var t rotation
			for i := 0; b.Loop(); i++ {
				s, c := t.sinCos(angles[i%len(angles)])
				sum += s + c
			}
		})
		b.Run(c.name+"/math", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				s, c := math.Sincos(angles[i%len(angles)])
				sum += s + c
			}
		})
	}
}
