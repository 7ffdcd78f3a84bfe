package world

import "testing"

// sleepers is a world with a box that sleeps on a platform.
func sleepers(t *testing.T) (r *rig, platform, b Body) {
	r = newRig(t, gravity())
	platform = r.body(BodyDef{Shapes: []ShapeDef{Box(5, .5)}})
	b = r.box(0, 1.01)
	r.start()
	r.run(120)
	if r.isAwake(b) {
		t.Fatal("the box does not sleep")
	}
	return
}

func TestMovingTheGroundWakesWhatRestsOnIt(t *testing.T) {
	r, platform, b := sleepers(t)
	r.frame(1, Command{Op: opTeleport, Body: platform, P: Vec{X: 0, Y: -3}})
	r.run(10)
	if y := r.at(b).Y; y > .9 {
		t.Errorf("the box hangs at y = %v", y)
	}
}

func TestMovingAWallIntoASleeperWakesIt(t *testing.T) {
	r, _, b := sleepers(t)
	wall := r.body(BodyDef{Position: Vec{X: 20, Y: 1}, Shapes: []ShapeDef{Box(.5, .4)}})
	r.run(1)
	r.frame(1, Command{Op: opTeleport, Body: wall, P: Vec{X: .9, Y: 1}})
	r.run(2)
	if !r.isAwake(b) {
		t.Error("the box sleeps in the wall")
	}
}

func TestGravityChangeWakes(t *testing.T) {
	r, _, b := sleepers(t)
	r.frame(30, Command{Op: opSetGravity, V: Vec{X: 0, Y: 10}})
	if y := r.at(b).Y; y < 2 {
		t.Errorf("the box did not rise: y = %v", y)
	}
}

func TestDestroyingTheGroundWakes(t *testing.T) {
	r, platform, b := sleepers(t)
	r.frame(1, Command{Op: opDestroyBody, Body: platform})
	if !r.isAwake(b) {
		t.Error("the box hangs in the air")
	}
}
