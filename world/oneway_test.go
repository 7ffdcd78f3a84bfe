package world

import (
	"math"
	"testing"
)

// platform is a static one-way box of 6 m by 0.4 m. It is turned about (0,
// -0.2); before that its top is at y = 0.
func (r *rig) platform(angle float64) Body {
	s := Box(3, .2)
	s.OneWay = Vec{Y: 2} // of any length
	return r.body(BodyDef{Position: Vec{Y: -.2}, Angle: angle, Shapes: []ShapeDef{s}})
}

// thrown is a box of 1 m with a velocity.
func (r *rig) thrown(x, y float64, v Vec) Body {
	return r.body(BodyDef{Kind: Dynamic, Position: Vec{X: x, Y: y}, Velocity: v, FixedRotation: true, Shapes: []ShapeDef{Box(.5, .5)}})
}

// begins counts the ContactBegin events of body b.
func begins(events []Event, b Body) (n int) {
	for _, e := range only(events, ContactBegin) {
		if e.A == b || e.B == b {
			n++
		}
	}
	return n
}

// alternate finds contacts that ended without having begun, or began twice.
func alternate(t *testing.T, name string, events []Event) {
	t.Helper()
	touching := map[[2]Shape]bool{}
	for _, e := range events {
		pair := [2]Shape{min(e.ShapeA, e.ShapeB), max(e.ShapeA, e.ShapeB)}
		if begin := e.Kind == ContactBegin; begin || e.Kind == ContactEnd {
			if touching[pair] == begin {
				t.Errorf("%s: out of order: %v", name, e)
			}
			touching[pair] = begin
		}
	}
}

func TestAOneWayPlatformHoldsWhatFallsOnIt(t *testing.T) {
	for name, v := range map[string]Vec{"dropped": {}, "slanting": {X: 3, Y: -5}, "fast": {X: 0, Y: -100}, "without continuous collision": {}} {
		config := gravity()
		config.NoContinuous = name == "without continuous collision"
		r := newRig(t, config)
		r.platform(0)
		b := r.thrown(-2, 9, v)
		r.start()
		r.run(150)
		if y := r.at(b).Y; !near(y, .5, .02) {
			t.Errorf("%s: it is at y = %v", name, y)
		}
		events := r.events()
		if begins(events, b) == 0 || len(only(events, ContactHit)) == 0 {
			t.Errorf("%s: %v", name, events)
		}
		if r.isAwake(b) {
			t.Errorf("%s: it does not sleep", name)
		}
		r.run(120)
		if y := r.at(b).Y; !near(y, .5, .02) {
			t.Errorf("%s: asleep it went to y = %v", name, y)
		}
	}
}

func TestAOneWayPlatformIsJumpedThroughFromBelowAndLandedOn(t *testing.T) {
	for name, v := range map[string]float64{"barely": 7.85, "slow": 9, "fast": 25, "through in a step": 100} {
		r := newRig(t, gravity())
		r.platform(0)
		b := r.thrown(0, -2.5, Vec{Y: v})
		r.start()
		last := v
		for r.speed(b).Y > 0 {
			before := r.at(b).Y
			r.run(1)
			if lost := last - r.speed(b).Y; !near(lost, 10*dt, tiny*max(3, v/10)) {
				t.Fatalf("%s: it lost %v m/s in a step at y = %v", name, lost, r.at(b).Y)
			}
			if rose := r.at(b).Y - before; !near(rose, r.speed(b).Y*dt, .002) {
				t.Fatalf("%s: at %v m/s it rose by %v m in a step to y = %v", name, r.speed(b).Y, rose, r.at(b).Y)
			}
			last = r.speed(b).Y
		}
		all := r.events()
		if begins(all, b) != 0 {
			t.Errorf("%s: on the way up: %v", name, all)
		}
		top := r.at(b).Y
		if top < .5 {
			t.Fatalf("%s: it rose to %v only", name, top)
		}
		r.run(int(60*math.Sqrt(top/5)) + 90)
		if y := r.at(b).Y; !near(y, .5, .02) {
			t.Errorf("%s: it came to y = %v", name, y)
		}
		if all = append(all, r.events()...); begins(all, b) == 0 {
			t.Errorf("%s: no event told of the landing", name)
		}
		alternate(t, name, all)
	}
}

func TestWhatDoesNotClearAOneWayPlatformFallsBackWithoutAPush(t *testing.T) {
	r := newRig(t, gravity())
	r.platform(0)
	b := r.thrown(0, -1.5, Vec{Y: 5.6}) // the top of the box stops in the middle of the platform
	r.start()
	high := -9.
	for range 90 {
		before := r.speed(b).Y
		r.run(1)
		high = max(high, r.at(b).Y)
		if lost := before - r.speed(b).Y; !near(lost, 10*dt, tiny) {
			t.Fatalf("at y = %v it lost %v m/s", r.at(b).Y, lost)
		}
	}
	if high < -.9 || high > .4 {
		t.Errorf("it rose to %v: the test wants it within the platform", high)
	}
}

func TestAOneWayPlatformIsPassedSideways(t *testing.T) {
	for _, platformFirst := range []bool{true, false} { // the platform is Box2D's shape A, or its shape B
		r := newRig(t, Config{NoGravity: true})
		if platformFirst {
			r.platform(0)
		}
		b := r.thrown(-5, -.4, Vec{X: 4})
		if !platformFirst {
			r.platform(0)
		}
		r.start()
		r.run(180)
		if v := r.speed(b); v != (Vec{X: 4}) || r.at(b).X < 6 {
			t.Errorf("it is at %v with %v", r.at(b), v)
		}
		if events := r.events(); len(only(events, ContactBegin))+len(only(events, ContactEnd)) != 0 {
			t.Errorf("events %v", events)
		}
	}
}

func TestAOneWayPlatformTurnsItsDirectionWithItsBody(t *testing.T) {
	for name, c := range map[string]struct {
		angle float64
		holds bool
	}{"slope": {.4, true}, "wall": {math.Pi / 2, false}, "upside down": {math.Pi, false}} {
		r := newRig(t, gravity())
		r.platform(c.angle)
		b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: 4}, NoSleep: true, Shapes: []ShapeDef{Box(.5, .5)}})
		r.start()
		r.run(70)
		if held := r.at(b).Y > -2; held != c.holds {
			t.Errorf("%s: it is at %v", name, r.at(b))
		}
	}
	// A platform that is upside down stops bodies that fly up from its solid side.
	r := newRig(t, Config{NoGravity: true})
	r.platform(math.Pi)
	b := r.thrown(0, -4, Vec{Y: 9})
	r.start()
	r.run(120)
	if y := r.at(b).Y; y > -.85 {
		t.Errorf("it flew through to %v", y)
	}
}

func TestABoxSlidesOverOneWayTilesWithoutABump(t *testing.T) {
	r := newRig(t, gravity())
	for i := range 20 {
		s := Box(.5, .2)
		s.OneWay, s.Friction = Vec{Y: 1}, 0
		r.body(BodyDef{Position: Vec{X: float64(i), Y: -.2}, Shapes: []ShapeDef{s}})
	}
	b := r.thrown(1, .6, Vec{X: 5})
	r.start()
	for r.at(b).X < 18 {
		r.run(1)
		if p := r.at(b); p.Y < .45 || p.Y > .62 || r.tick > 600 {
			t.Fatalf("tick %d: it is at %v", r.tick, p)
		}
	}
	if v := r.speed(b).X; v < 4.9 {
		t.Errorf("the tiles took its speed: %v", v)
	}
	events := r.events()
	alternate(t, "sliding", events)
	if n := begins(events, b); n < 17 {
		t.Errorf("it began to touch %d tiles", n)
	}
}

func TestDropThroughLetsABodyDownOnce(t *testing.T) {
	for name, start := range map[string]Vec{ // x, and the speed
		"standing": {X: 2, Y: 0}, "running over tiles": {X: 2, Y: 5}, "running, a bit on": {X: 2.2, Y: 5}, "running, at an edge": {X: 2.45, Y: 5},
	} {
		x, speed := start.X, start.Y
		r := newRig(t, gravity())
		for _, y := range [...]float64{0, -3} {
			for i := range 20 {
				s := Box(.5, .2)
				s.OneWay, s.Friction = Vec{Y: 1}, 0
				r.body(BodyDef{Position: Vec{X: float64(i), Y: y - .2}, Shapes: []ShapeDef{s}})
			}
		}
		b := r.thrown(x, .5, Vec{X: speed})
		r.start()
		r.run(90)
		if y := r.at(b).Y; !near(y, .5, .02) || speed == 0 && r.isAwake(b) {
			t.Fatalf("%s: it begins at y = %v", name, y)
		}
		all := r.events()
		r.apply(Command{Op: opDropThrough, Body: b})
		for c := range r.Contacts() {
			t.Errorf("%s: still listed: %+v", name, c)
		}
		ends := r.events()
		if len(only(ends, ContactEnd)) == 0 {
			t.Errorf("%s: no event told that it has left", name)
		}
		for range 90 {
			before := r.speed(b).Y
			r.run(1)
			if y := r.at(b).Y; y > -2 && !near(before-r.speed(b).Y, 10*dt, tiny) {
				t.Fatalf("%s: at y = %v it was pushed", name, y)
			}
		}
		if y := r.at(b).Y; !near(y, -2.5, .02) {
			t.Errorf("%s: it ended at y = %v, not on the lower platform", name, y)
		}
		alternate(t, name, append(append(all, ends...), r.events()...))
	}
}

func TestDropThroughDoesNothingToABodyThatStandsOnNone(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	b := r.box(0, .5)
	r.start()
	r.run(60)
	r.frame(30, Command{Op: opDropThrough, Body: b})
	if y := r.at(b).Y; !near(y, .5, .02) {
		t.Errorf("it is at y = %v", y)
	}
	r.frame(1, Command{Op: opDropThrough, Body: 99})
	if got := only(r.events(), CommandRejected); len(got) != 1 || !oneLine(got[0].Err) {
		t.Errorf("a stale body: %v", got)
	}
}

func TestAOneWayElevatorLiftsWhatStandsOnIt(t *testing.T) {
	r := newRig(t, gravity())
	s := Box(2, .1)
	s.OneWay = Vec{Y: 1}
	lift := r.body(BodyDef{Kind: Kinematic, Position: Vec{Y: -.1}, Velocity: Vec{Y: 2}, Shapes: []ShapeDef{s}})
	rider := r.thrown(0, .5, Vec{})
	below := r.thrown(1.2, -1.4, Vec{Y: 6}) // jumps through the platform while it rises
	r.start()
	r.run(60)
	top := r.at(lift).Y + .1
	if y := r.at(rider).Y - top; !near(y, .5, .02) {
		t.Errorf("the rider is %v above", y)
	}
	if y := r.at(below).Y - top; y > .5 {
		t.Errorf("the other is %v above", y)
	}
	check(t, r.SetVelocity(lift, Vec{Y: -1}))
	r.run(60)
	if y := r.at(rider).Y - r.at(lift).Y - .1; !near(y, .5, .05) {
		t.Errorf("on the way down the rider is %v above", y)
	}
}

func TestSetOneWayAtRunTime(t *testing.T) {
	r := newRig(t, gravity())
	ground := r.ground()
	shapes, _ := r.Shapes(ground)
	b := r.box(0, .5)
	r.start()
	r.run(60)
	down := Command{Op: opSetOneWay, Shape: shapes[0], V: Vec{Y: -1}}
	r.frame(30, down) // a body on the platform stays on it
	if y := r.at(b).Y; !near(y, .5, .02) {
		t.Errorf("it was let go, and is at y = %v", y)
	}
	check(t, r.Teleport(b, Vec{X: 0, Y: 2}, 0))
	r.run(120)
	if y := r.at(b).Y; y > -2 {
		t.Errorf("it did not pass: y = %v", y)
	}
	if info, err := r.Shape(shapes[0]); err != nil || info.OneWay != (Vec{Y: -1}) {
		t.Errorf("shape %+v: %v", info, err)
	}
	r.apply(Command{Op: opSetOneWay, Shape: shapes[0]})
	check(t, r.Teleport(b, Vec{X: 0, Y: 2}, 0))
	check(t, r.SetVelocity(b, Vec{}))
	r.run(120)
	if y := r.at(b).Y; !near(y, .5, .02) {
		t.Errorf("solid again, and it is at y = %v", y)
	}
}

func TestASleeperInsideAShapeThatTurnsSolidIsWoken(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	platform := r.platform(0)
	b := r.thrown(0, -.2, Vec{})
	r.start()
	r.run(60)
	if r.isAwake(b) || r.at(b) != (Vec{Y: -.2}) {
		t.Fatalf("it is not asleep, or was pushed to %v", r.at(b))
	}
	shapes, _ := r.Shapes(platform)
	r.frame(60, Command{Op: opSetOneWay, Shape: shapes[0]})
	if p := r.at(b); near(p.Y, -.2, .1) {
		t.Errorf("it is still at %v", p)
	}
}

func TestOnlyHeldContactsAreListed(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	r.platform(0)
	r.thrown(0, -.2, Vec{Y: 1}) // within it
	r.start()
	r.run(3)
	for c := range r.Contacts() {
		t.Errorf("listed: %+v", c)
	}
}
