package scenes

import (
	"math"
	"testing"

	"halfstep/test/norace"
	"halfstep/world"
)

func TestDriftIsAtTheInstantInSeconds(t *testing.T) {
	w := open(t, lookup(t, "drift"))
	if n := w.Counts().Bodies; n != 1 {
		t.Errorf("%d bodies, not one", n)
	}
	n := find(t, w, "drift")
	if b, _ := w.Body(n); b.Position != (vec{}) || b.Angle != 0 {
		t.Errorf("starts at %v, %v", b.Position, b.Angle)
	}
	for tick := 1; tick <= 36_000; tick++ {
		step(w, 1, 60)
		b, _ := w.Body(n)
		p, a := b.Position, b.Angle
		if math.Abs(p.X-float64(tick)/60) > 1e-9 || p.Y != 0 || a != 0 {
			t.Fatalf("after %d ticks it is at %v, %v", tick, p, a)
		}
		if !b.Awake {
			t.Fatalf("asleep after %d ticks", tick)
		}
	}
}

func TestSpinGoesStraightAndItsOriginCircles(t *testing.T) {
	w := open(t, lookup(t, "spin"))
	n := find(t, w, "spin")
	b, _ := w.Body(n)
	if b.Position != (vec{}) || b.Centre != (vec{X: 1}) || b.Velocity != (vec{X: 1}) || b.AngularVelocity != 2*math.Pi {
		t.Errorf("starts at %v, centre %v, velocity %v, turning at %v", b.Position, b.Centre, b.Velocity, b.AngularVelocity)
	}
	if shapes, _ := w.Shapes(n); len(shapes) != 1 {
		t.Errorf("it has %d shapes", len(shapes))
	}
	for tick := 1; tick <= 3600; tick++ {
		step(w, 1, 60)
		b, _ := w.Body(n)
		c, p, a := b.Centre, b.Position, b.Angle
		at := float64(tick) / 60
		if math.Abs(c.X-1-at) > 1e-9 || c.Y != 0 || math.Abs(a-2*math.Pi*at) > 1e-8 {
			t.Fatalf("after %d ticks the centre is at %v, the angle %v", tick, c, a)
		}
		sin, cos := math.Sincos(a)
		if math.Hypot(p.X-(c.X-cos), p.Y-(c.Y-sin)) > 1e-9 {
			t.Fatalf("after %d ticks the origin is at %v, the centre at %v", tick, p, c)
		}
	}
}

func TestJointsHasOneOfEachKindAndAllMove(t *testing.T) {
	w := open(t, lookup(t, "joints"))
	kinds := map[uint8]bool{}
	for j := w.Box2D().M_jointList; j != nil; j = j.GetNext() {
		kinds[j.GetType()] = true
	}
	if len(kinds) != 11 {
		t.Errorf("%d kinds of joint, not 11: %v", len(kinds), kinds)
	}
	names := []string{"revolute", "prismatic", "distance", "pulley", "mouse", "gear", "wheel", "weld", "friction", "rope", "motor"}
	for range 4 { // not only at first
		moved := map[string]float64{}
		before := map[string][3]float64{}
		pose := func(name string) [3]float64 {
			b, _ := w.Body(find(t, w, name))
			return [3]float64{b.Position.X, b.Position.Y, b.Angle}
		}
		for _, name := range names {
			before[name] = pose(name)
		}
		for range 60 * 5 {
			step(w, 1, 60)
			for _, name := range names {
				p, q := pose(name), before[name]
				by := math.Hypot(p[0]-q[0], p[1]-q[1])
				if name == "revolute" || name == "gear" {
					by = math.Abs(p[2] - q[2])
				}
				moved[name] = max(moved[name], by)
			}
		}
		for _, name := range names {
			if moved[name] < .2 {
				t.Errorf("within 5 s up to tick %d %q moved by %.3f", w.Tick(), name, moved[name])
			}
		}
	}
}

func TestSpringsHoldAtTheFixedStepAndTearAtALongOne(t *testing.T) {
	for _, c := range []struct {
		hz    float64
		holds int // of five
	}{{60, 5}, {30, 3}, {10, 0}} {
		w := open(t, lookup(t, "spring"))
		step(w, int(10*c.hz), c.hz)
		if n := w.Counts().Joints; int(n) != c.holds {
			t.Errorf("at %v Hz %d springs hold, not %d", c.hz, n, c.holds)
		}
	}
}

func TestBulletsHitWhatOrdinaryShotsPass(t *testing.T) {
	w := open(t, lookup(t, "bullets"))
	swung := map[string]float64{}
	for range 600 {
		step(w, 1, 60)
		for n := range w.Bodies() {
			b, _ := w.Body(n)
			swung[b.Name] = max(swung[b.Name], math.Abs(b.Angle))
		}
	}
	for _, i := range "12345" {
		if a := swung["slowplate"+string(i)]; a > .05 {
			t.Errorf("slowplate%c was hit: it swung by %.2f", i, a)
		}
	}
	if swung["plate1"] < .5 {
		t.Errorf("plate1 was missed: it swung by %.2f", swung["plate1"])
	}
}

func TestBuoyancyFloatsWhatIsLighterThanWater(t *testing.T) {
	w := open(t, lookup(t, "buoyancy"))
	step(w, 1200, 60)
	for name, floats := range map[string]bool{"boat": true, "buoy": true, "stone": false} {
		p := at(w, find(t, w, name))
		if floats && p.Y < -1 || !floats && p.Y > -4 {
			t.Errorf("%s is at %v", name, p)
		}
	}
}

func TestRainAndMissilesKeepTheirNumbersBounded(t *testing.T) {
	norace.Only(t)
	for name, limit := range map[string]int32{"rain": 260, "missiles": 16, "bullets": 30} {
		w := open(t, lookup(t, name))
		made := map[world.Body]bool{}
		for range 1000 {
			step(w, 1, 60)
			for n := range w.Bodies() {
				made[n] = true
			}
			if n := w.Counts().Bodies; n > limit {
				t.Fatalf("%s: %d bodies at tick %d", name, n, w.Tick())
			}
		}
		if len(made) < 2*int(w.Counts().Bodies) {
			t.Errorf("%s: only %d bodies in all, %d of them still there", name, len(made), w.Counts().Bodies)
		}
	}
}

func TestCradleHandsTheSwingOn(t *testing.T) {
	w := open(t, lookup(t, "cradle"))
	high := map[string]float64{}
	for range 180 {
		step(w, 1, 60)
		for _, name := range []string{"ball1", "ball3", "ball5"} {
			p := at(w, find(t, w, name))
			high[name] = max(high[name], p.Y+4)
		}
	}
	if high["ball5"] < .8 || high["ball3"] > .1 {
		t.Errorf("the last ball rose by %.2f m, the middle one by %.2f", high["ball5"], high["ball3"])
	}
}

func TestTeleportMovesEverybodyOncePerSecondAtAnyRate(t *testing.T) {
	for _, hz := range []float64{30, 60, 144} {
		w := open(t, lookup(t, "teleport"))
		n := find(t, w, "hopper1")
		last := at(w, n)
		jumps := 0
		for range int(10*hz) + 1 {
			step(w, 1, hz)
			p := at(w, n)
			if math.Hypot(p.X-last.X, p.Y-last.Y) > 5 {
				jumps++
			}
			last = p
		}
		if jumps != 10 {
			t.Errorf("at %v Hz: %d jumps in 10 s", hz, jumps)
		}
	}
}

func TestSensorsCountAndNoBallGetsOut(t *testing.T) {
	norace.Only(t)
	w := open(t, lookup(t, "sensors"))
	gauge := find(t, w, "gauge")
	lo, hi := math.Inf(1), math.Inf(-1)
	for range 1800 {
		step(w, 1, 60)
		p := at(w, gauge)
		lo, hi = min(lo, p.Y), max(hi, p.Y)
	}
	if hi-lo < .5 {
		t.Errorf("the gauge stayed between %.2f and %.2f", lo, hi)
	}
	for n := range w.Bodies() {
		b, _ := w.Body(n)
		if p := b.Position; b.Kind == world.Dynamic && (p.Y < 0 || math.Abs(p.X) > 10) {
			t.Errorf("%s is at %v", b.Name, p)
		}
	}
}

func TestTheCarCrossesTheBridgeAndComesBack(t *testing.T) {
	norace.Only(t)
	w := open(t, lookup(t, "car"))
	n := find(t, w, "car")
	far, back := 0.0, math.Inf(1)
	for range 60 * 60 {
		step(w, 1, 60)
		p := at(w, n)
		if far = max(far, p.X); far > bridgeTo {
			back = min(back, p.X)
		}
		if p.Y < -6 || p.X < -2 || p.X > carGround+2 {
			t.Fatalf("tick %d: the car is at %v", w.Tick(), p)
		}
	}
	if far < bridgeTo || back > bridgeFrom {
		t.Errorf("it came to x = %.1f, and back to %.1f", far, back)
	}
}
