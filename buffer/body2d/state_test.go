package body2d

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

func TestAStateIsThirtyTwoBytes(t *testing.T) {
	if n := unsafe.Sizeof(State{}); n != 32 {
		t.Fatalf("a State is %d bytes; the GPU reads 32", n)
	}
}

func TestAngleStaysExactAfterAMillionTurns(t *testing.T) {
	for _, turns := range []float64{0, 1, -1, 999_999, -1_000_000, 1e8} {
		for _, a := range []float64{0, 1e-3, 1, 3.1, -3.1, math.Pi - 1e-9, -math.Pi} {
			unwrapped := a + turns*2*math.Pi
			var s State
			s.SetAngle(unwrapped)
			// the rounding error of a float64 after so many turns, and the distance of two float32
			// near π
			tolerance := math.Abs(turns)*1e-15 + 2.4e-7
			if math.Abs(s.Unwrapped()-unwrapped) > tolerance {
				t.Errorf("%v + %v turns: stored as %v, off by %g", a, turns, s.Unwrapped(), s.Unwrapped()-unwrapped)
			}
		}
	}
}

func TestAngleLiesInHalfOpenInterval(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	try := func(a float64) {
		var s State
		s.SetAngle(a)
		if f := float64(s.Angle); f < -math.Pi || f >= math.Pi {
			t.Fatalf("angle %v is stored as %v", a, s.Angle)
		}
	}
	for range 100_000 {
		try((r.Float64() - .5) * 100)
	}
	for k := -50.; k < 50; k++ {
		for _, d := range []float64{0, 1e-16, -1e-16, 1e-9, -1e-9} {
			try(math.Pi*k + d)
		}
	}
}

func TestFlagsAndGenerationDoNotDisturbEachOther(t *testing.T) {
	var s State
	s.SetBits((Alive | Awake).WithSmoothing(Hermite), GenerationMask)
	if m := s.Flags().Smoothing(); m != Hermite {
		t.Errorf("smoothing %v", m)
	}
	if s.Flags()&(Alive|Awake|Jump|Impact|Disabled) != Alive|Awake || s.Generation() != GenerationMask {
		t.Errorf("bits %x", s.Bits)
	}
	if m := (Alive | Awake).WithSmoothing(Hermite).WithSmoothing(Inherit).Smoothing(); Alive.Smoothing() != Inherit || m != Inherit {
		t.Error("a body without a mode of its own has one")
	}
}
