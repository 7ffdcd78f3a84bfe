package world

import "testing"

func TestFastBodiesThatFlySideBySideAreNoPairAndThoseThatComeTogetherAreInTime(t *testing.T) {
	r := newRig(t, Config{Stepper: SoftStep, NoGravity: true})
	ball := func(x, y, speed float64) Body {
		return r.body(BodyDef{Kind: Dynamic, Position: Vec{X: x, Y: y}, Velocity: Vec{X: speed, Y: 0}, Shapes: []ShapeDef{Circle(.25)}})
	}
	for i := range 20 { // after a step, each body is where the one before it was
		ball(.7*float64(i), 0, 40)
	}
	still, fast := ball(0, 100, 0), ball(-5.25, 100, 40)
	r.start()
	for range 6 {
		r.run(1)
		if n := r.Counts().Contacts; n > 1 {
			t.Fatalf("%d contacts; at most the two that come together have one", n)
		}
	}
	r.run(6)
	if v := r.speed(still).X; v < 15 || r.at(still).X <= r.at(fast).X {
		t.Errorf("the ball that is hit has %v m/s; it is at %v, the other at %v", v, r.at(still), r.at(fast))
	}
}
