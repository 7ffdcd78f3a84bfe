package scene

import (
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/buffer/body2d"
)

const sixtieth = float32(1) / 60

var modes = []body2d.Smoothing{body2d.Interpolate, body2d.Newest, body2d.Extrapolate, body2d.Hermite}

// state returns the state of a body at (x, y), turned by an unwrapped angle.
func state(x, y float32, angle float64, f body2d.Flags, generation uint32) *body2d.State {
	s := &body2d.State{X: x, Y: y}
	s.SetAngle(angle)
	s.SetBits(body2d.Alive|f, generation)
	return s
}

func within(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func TestARestingBodyStaysExactlyWhereItIs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 10_000 {
		s := state(float32(r.NormFloat64()*1e4), float32(r.NormFloat64()), r.NormFloat64()*1e5, 0, 1)
		want := CentrePose{s.X, s.Y, s.Angle, s.Turns}
		for _, mode := range modes {
			if got := Blend(s, s, r.Float32(), sixtieth, mode, true); got != want {
				t.Fatalf("%v: %+v becomes %+v", mode, *s, got)
			}
		}
	}
}

func TestInterpolateRunsFromPreviousToCurrent(t *testing.T) {
	p, c := state(1, 2, .5, 0, 1), state(3, 1, .9, 0, 1)
	if got := Blend(p, c, 0, sixtieth, body2d.Interpolate, true); got != (CentrePose{1, 2, .5, 0}) {
		t.Errorf("at 0: %+v", got)
	}
	if got := Blend(p, c, 1, sixtieth, body2d.Interpolate, true); got.X != 3 || got.Y != 1 || !within(got.Unwrapped(), .9, 1e-6) {
		t.Errorf("at 1: %+v", got)
	}
	if got := Blend(p, c, .25, sixtieth, body2d.Interpolate, true); got.X != 1.5 || got.Y != 1.75 || !within(got.Unwrapped(), .6, 1e-6) {
		t.Errorf("at 1/4: %+v", got)
	}
}

func TestFullTurnsInOneStepAreTurned(t *testing.T) {
	for _, by := range []float64{3, -3, 2 * math.Pi, 11, -50} {
		for _, from := range []float64{0, 3.1, -3.1, 2e6 * math.Pi} {
			p, c := state(0, 0, from, 0, 1), state(0, 0, from+by, 0, 1)
			for _, a := range []float32{0, .25, .5, 1} {
				got := Blend(p, c, a, sixtieth, body2d.Interpolate, true).Unwrapped()
				if want := from + float64(a)*by; !within(got, want, 1e-5) {
					t.Errorf("from %v by %v at %v: %v, want %v", from, by, a, got, want)
				}
			}
		}
	}
}

func TestATeleportedBodyIsNotBlended(t *testing.T) {
	c := state(100, 0, 1, body2d.Jump, 1)
	for _, mode := range []body2d.Smoothing{body2d.Interpolate, body2d.Newest, body2d.Hermite} {
		if got := Blend(state(0, 0, 0, 0, 1), c, .5, sixtieth, mode, true); got.X != 100 {
			t.Errorf("%v: shown at %v", mode, got.X)
		}
	}
	next := state(101, 0, 1, 0, 1)
	if got := Blend(c, next, .5, sixtieth, body2d.Interpolate, true); got.X != 100.5 {
		t.Errorf("a tick later: shown at %v, blending has not resumed", got.X)
	}
}

func TestABodyThatIsMadeComesAlongItsVelocity(t *testing.T) {
	made := func(f body2d.Flags) *body2d.State {
		c := state(3, 2, 1, f, 2)
		c.VX, c.VY, c.Omega = 60, -30, 6
		return c
	}
	comes, there, on := CentrePose{2.25, 2.375, .925, 0}, CentrePose{3, 2, 1, 0}, CentrePose{3.25, 1.875, 1.025, 0}
	near := func(a, b CentrePose) bool {
		return within(float64(a.X), float64(b.X), 1e-6) && within(float64(a.Y), float64(b.Y), 1e-6) && within(a.Unwrapped(), b.Unwrapped(), 1e-6)
	}
	for name, p := range map[string]*body2d.State{"another body": state(9, 9, 0, 0, 1), "nobody": {Bits: 2 << 8}} {
		for mode, want := range map[body2d.Smoothing]CentrePose{body2d.Interpolate: comes, body2d.Hermite: comes, body2d.Newest: there, body2d.Extrapolate: on} {
			if got := Blend(p, made(0), .25, sixtieth, mode, false); !near(got, want) {
				t.Errorf("after %s, %v: %+v", name, mode, got)
			}
		}
		if got := Blend(p, made(0), 1, sixtieth, body2d.Interpolate, true); got != there {
			t.Errorf("after %s, at its tick: %+v", name, got)
		}
		for _, f := range []body2d.Flags{body2d.Jump, body2d.Impact, body2d.Disabled} {
			if got := Blend(p, made(f), .25, sixtieth, body2d.Interpolate, true); got != there {
				t.Errorf("after %s, with the flag %d: %+v", name, f, got)
			}
		}
	}
}

func TestTwoBodiesInOneSlotAreNeverBlended(t *testing.T) {
	c := state(100, 0, 0, 0, 2)
	for name, p := range map[string]*body2d.State{
		"another generation": state(0, 0, 0, 0, 1), "an empty slot": {Bits: 2 << 8},
	} {
		for _, mode := range modes {
			if got := Blend(p, c, .5, sixtieth, mode, true); got.X != 100 {
				t.Errorf("%s, %v: shown at %v", name, mode, got.X)
			}
		}
	}
}

func TestNoneShowsTheNewestState(t *testing.T) {
	for _, a := range []float32{0, .5, 1} {
		if got := Blend(state(0, 0, 0, 0, 1), state(1, 0, 0, 0, 1), a, sixtieth, body2d.Newest, true); got.X != 1 {
			t.Errorf("at %v: %v", a, got.X)
		}
	}
}

func TestExtrapolateGoesOnAlongTheVelocity(t *testing.T) {
	c := state(1, 1, 0, 0, 1)
	c.VX, c.VY, c.Omega = 60, -30, 6
	got := Blend(state(0, 0, 0, 0, 1), c, .5, sixtieth, body2d.Extrapolate, true)
	if !within(float64(got.X), 1.5, 1e-6) || !within(float64(got.Y), .75, 1e-6) || !within(float64(got.Angle), .05, 1e-6) {
		t.Errorf("%+v", got)
	}
}

// A body moves on a parabola. Hermite follows the parabola, and a straight line cuts
// the corner.
func TestHermiteFollowsAParabolaAndIsStraightOnAnImpact(t *testing.T) {
	dt := .1
	at := func(s float64) (x, v float64) { return 5*s - 5*s*s, 5 - 10*s }
	p, c := state(0, 0, 0, 0, 1), state(0, 0, 0, 0, 1)
	x0, v0 := at(0)
	x1, v1 := at(dt)
	p.Y, p.VY, c.Y, c.VY = float32(x0), float32(v0), float32(x1), float32(v1)
	p.VX, c.VX, c.X = 1, 1, float32(dt)
	for _, a := range []float32{0, .3, .5, .9, 1} {
		want, _ := at(float64(a) * dt)
		if got := Blend(p, c, a, float32(dt), body2d.Hermite, true); !within(float64(got.Y), want, 1e-6) || !within(float64(got.X), float64(a)*dt, 1e-6) {
			t.Errorf("at %v: %+v, want y = %v", a, got, want)
		}
	}
	c.SetBits(body2d.Alive|body2d.Impact, 1)
	if got, line := Blend(p, c, .5, float32(dt), body2d.Hermite, true), Blend(p, c, .5, float32(dt), body2d.Interpolate, true); got != line {
		t.Errorf("on an impact: %+v, the straight line is %+v", got, line)
	}
}

// A body moves on a circle. Its velocity is the velocity at the start of the step, as
// in a solver that moves bodies by this velocity.
func TestHermiteGoesRoundWithTheVelocitiesOfStarts(t *testing.T) {
	const turn = .17 // rad a step
	at := func(k float64) (x, y, vx, vy float32) {
		sin, cos := math.Sincos(turn * k)
		before, beside := math.Sincos(turn * (k - 1)) // where the step began
		return float32(cos), float32(sin), float32(-60 * turn * before), float32(60 * turn * beside)
	}
	p, c := state(0, 0, 0, 0, 1), state(0, 0, 0, 0, 1)
	p.X, p.Y, p.VX, p.VY = at(0)
	c.X, c.Y, c.VX, c.VY = at(1)
	for a := float32(0); a <= 1; a += .125 {
		pose := Blend(p, c, a, sixtieth, body2d.Hermite, false)
		line := Blend(p, c, a, sixtieth, body2d.Interpolate, false)
		off, straight := math.Abs(math.Hypot(float64(pose.X), float64(pose.Y))-1), math.Abs(math.Hypot(float64(line.X), float64(line.Y))-1)
		if off > 2e-4 || off > straight/5+1e-6 {
			t.Errorf("at %v: %v off the circle, %v on a straight line", a, off, straight)
		}
	}
}

func TestABodysOwnModeComesFirst(t *testing.T) {
	p := state(0, 0, 0, 0, 1)
	c := state(1, 0, 0, body2d.Flags(0).WithSmoothing(body2d.Newest), 1)
	if got := Blend(p, c, .25, sixtieth, body2d.Interpolate, true); got.X != 1 {
		t.Errorf("shown at %v with a mode of its own", got.X)
	}
	c.SetBits(body2d.Alive.WithSmoothing(body2d.Interpolate), 1)
	if got := Blend(p, c, .25, sixtieth, body2d.Newest, true); got.X != .25 {
		t.Errorf("shown at %v where all others are not blended", got.X)
	}
}

// The centre of mass moves in a straight line, and the body's origin circles about it.
func TestTheOriginCirclesTheCentre(t *testing.T) {
	p, c := state(0, 0, 0, 0, 1), state(1, 0, math.Pi/2, 0, 1)
	for a := float32(0); a <= 1; a += .125 {
		pose := Blend(p, c, a, sixtieth, body2d.Interpolate, true)
		if ox, oy := (CentrePose{X: 5, Y: 5, Angle: math.Pi / 2}).Origin(1, 2); !within(ox, 7, 1e-6) || !within(oy, 4, 1e-6) {
			t.Fatalf("the origin of (1, 2) turned by a quarter is (%v, %v)", ox, oy)
		}
		x, y := pose.Origin(1, 0)
		if d := math.Hypot(x-float64(pose.X), y-float64(pose.Y)); !within(d, 1, 1e-6) || pose.Y != 0 {
			t.Errorf("at %v: the origin is %v from the centre (%v, %v)", a, d, pose.X, pose.Y)
		}
	}
}
