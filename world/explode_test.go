package world

import (
	"math"
	"testing"

	"halfstep/buffer/body2d"
)

// blown returns the momentum that an explosion gives a body of 1 kg at a place.
func blown(t *testing.T, at Vec, angle float64, s ShapeDef, e Explosion) (v Vec, spin float64) {
	t.Helper()
	r := newRig(t, Config{NoGravity: true})
	b := r.body(BodyDef{Kind: Dynamic, Position: at, Angle: angle, Mass: &Mass{Mass: 1, Inertia: 1}, Shapes: []ShapeDef{s}})
	r.start()
	r.apply(e.command())
	if bad := only(r.events(), CommandRejected); len(bad) > 0 {
		t.Fatal(bad)
	}
	return r.speed(b), r.info(b).AngularVelocity
}

func TestAnExplosionPushesByDistanceAndExposedLength(t *testing.T) {
	e := Explosion{Radius: 2, Falloff: 4, ImpulsePerLength: 3}
	long, category := Box(.1, 2), Box(.5, .5)
	category.Filter = Filter{Category: 1 << 50, Mask: 0xffff}
	area := Box(.5, .5)
	area.Sensor = true
	masked, inward := e, e
	masked.Mask = 1 << 50
	inward.ImpulsePerLength = -3
	for name, c := range map[string]struct {
		at    Vec
		angle float64
		s     ShapeDef
		e     Explosion
		want  Vec
	}{
		"near":           {Vec{X: 2, Y: 0}, 0, Box(.5, .5), e, Vec{X: 3}},                        // 1.5 m away
		"half way":       {Vec{X: 4.5, Y: 0}, 0, Box(.5, .5), e, Vec{X: 1.5}},                    // 4 m away
		"three quarters": {Vec{X: 0, Y: 5.5}, 0, Box(.5, .5), e, Vec{Y: .75}},                    // 5 m away
		"out of reach":   {Vec{X: 6.6, Y: 0}, 0, Box(.5, .5), e, Vec{}},                          // 6.1 m away
		"wide":           {Vec{X: 2, Y: 0}, 0, long, e, Vec{X: 12}},                              // 4 m wide
		"edge-on":        {Vec{X: 3.9, Y: 0}, math.Pi / 2, long, e, Vec{X: .6}},                  // 0.2 m wide, 1.9 m away
		"turned":         {Vec{X: 1, Y: 0}, math.Pi / 4, Box(.5, .5), e, Vec{X: 3 * math.Sqrt2}}, // a corner first
		"circle":         {Vec{X: -4.5, Y: 0}, 0, Circle(.5), e, Vec{X: -1.5}},
		"inside":         {Vec{X: .2, Y: 0}, 0, Box(.5, .5), e, Vec{X: 3}},
		"masked out":     {Vec{X: 2, Y: 0}, 0, Box(.5, .5), masked, Vec{}},
		"in the mask":    {Vec{X: 2, Y: 0}, 0, category, masked, Vec{X: 3}},
		"sensor":         {Vec{X: 2, Y: 0}, 0, area, e, Vec{}},
		"pulling":        {Vec{X: 2, Y: 0}, 0, Box(.5, .5), inward, Vec{X: -3}},
		"in its centre":  {Vec{}, 0, Box(.5, .5), e, Vec{}},
	} {
		v, _ := blown(t, c.at, c.angle, c.s, c.e)
		if math.Hypot(v.X-c.want.X, v.Y-c.want.Y) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, v, c.want)
		}
	}
}

func TestAnExplosionOfAnySizeIsTaken(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	in, out := r.box(0, 0), r.box(2, 0)
	check(t, r.Explode(Explosion{Centre: Vec{X: .2, Y: 0}, ImpulsePerLength: 1})) // a point
	if r.speed(in).X >= 0 || r.speed(out) != (Vec{}) {
		t.Errorf("a point: %v and %v", r.speed(in), r.speed(out))
	}
	check(t, r.Explode(Explosion{Centre: Vec{X: 1e9, Y: 0}, Radius: 1e9, Falloff: 1e9, ImpulsePerLength: 1}))
	if r.speed(out).X >= 0 {
		t.Errorf("all of the world: %v", r.speed(out))
	}
}

func TestAnExplosionAtACornerTurnsTheBody(t *testing.T) {
	v, spin := blown(t, Vec{X: 2, Y: -1}, 0, Box(.5, .8), Explosion{Radius: 9, ImpulsePerLength: 1})
	// The nearest point is (1.5, -0.2); the lever arm and the push determine the spin.
	if v.X <= 0 || v.Y >= 0 || !near(spin, -.5*v.Y-.8*v.X, 1e-12) {
		t.Errorf("velocity %v, spin %v", v, spin)
	}
}

func TestAnExplosionWakesSleepersAndLeavesStandingBodiesAlone(t *testing.T) {
	r := newRig(t, gravity())
	ground := r.ground()
	b := r.box(2, .5)
	floating := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: 3}, NoGravity: true, Shapes: []ShapeDef{Circle(.5)}})
	r.start()
	r.run(90)
	if r.isAwake(b) {
		t.Fatal("it is not asleep")
	}
	check(t, r.Explode(Explosion{Centre: Vec{X: 0, Y: .5}, Radius: 4, ImpulsePerLength: 5}))
	r.run(1)
	if !r.has(floating, body2d.Impact) {
		t.Error("its curve has a kink, which its state does not say")
	}
	r.run(1)
	if r.speed(b).X < 1 || r.speed(ground) != (Vec{}) {
		t.Errorf("the box has %v, the ground %v", r.speed(b), r.speed(ground))
	}
}
