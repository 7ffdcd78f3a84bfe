package engine_test

import (
	"math"
	"testing"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

func TestStatesBlendToThePose(t *testing.T) {
	e := start(t, engine.Config{World: world.Config{NoGravity: true}, Time: engine.Time{Rate: clock.Hz(37)}})
	def := ball(0, 0)
	def.Velocity, def.AngularVelocity = world.Vec{X: 5, Y: -2}, 3
	b := e.CreateBody(def)
	if _, _, ok := e.States(b); ok {
		t.Error("states before any frame")
	}
	moved := false
	for range 50 {
		frames(e, 1)
		p, c, ok := e.States(b)
		pose, shown := e.Pose(b)
		if ok != shown {
			t.Fatalf("states %v, pose %v", ok, shown)
		}
		a := float64(e.View().Alpha)
		x := float64(p.X) + a*float64(c.X-p.X)
		turn := p.Unwrapped() + a*(c.Unwrapped()-p.Unwrapped())
		if ok && (math.Abs(x-pose.CentreX) > 1e-5 || math.Abs(turn-pose.Angle) > 1e-5) {
			t.Fatalf("blended to %v, %v; pose %+v", x, turn, pose)
		}
		moved = moved || p.X != c.X
	}
	if !moved {
		t.Error("nothing to blend")
	}
}

func TestATeleportIsOneStateTwice(t *testing.T) {
	e := start(t, engine.Config{World: world.Config{NoGravity: true}, Time: engine.Time{Sync: renderloop.Lockstep}})
	b := e.CreateBody(ball(0, 0))
	frames(e, 5)
	e.Teleport(b, world.Vec{X: 100}, 0)
	far := false
	for range 5 {
		frames(e, 1)
		p, c, _ := e.States(b)
		far = far || c.X == 100
		if p.X != c.X {
			t.Fatalf("from %v to %v", p.X, c.X)
		}
	}
	if !far {
		t.Error("it went nowhere")
	}
}

func TestTheHeirOfASlotHasNoPast(t *testing.T) {
	e := start(t, engine.Config{World: world.Config{NoGravity: true}, Time: engine.Time{Sync: renderloop.Lockstep}})
	old := e.CreateBody(ball(0, 0))
	frames(e, 5)
	e.DestroyBody(old)
	heir := e.CreateBody(ball(50, 0))
	for range 5 {
		frames(e, 1)
		if p, c, ok := e.States(heir); ok && p.X != c.X {
			t.Fatalf("from %v to %v", p.X, c.X)
		}
	}
	if _, _, ok := e.States(old); ok {
		t.Error("the old handle has states")
	}
	if _, _, ok := e.States(heir); !ok {
		t.Error("the heir has none")
	}
}
