package world_test

import (
	"testing"

	"halfstep/world"
)

// nphysics issue 154 and reactphysics3d issue 235: boxes that slept on a support stayed in the air
// when it was removed.
func TestASleeperFallsWhenWhatItLiesOnIsGone(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for name, take := range map[string]func(*world.World, world.Body) error{
			"destroyed":           func(w *world.World, b world.Body) error { return w.DestroyBody(b) },
			"its shape destroyed": func(w *world.World, b world.Body) error { return w.DestroyShape(must(w.Shapes(b))[0]) },
			"disabled":            func(w *world.World, b world.Body) error { return w.SetEnabled(b, false) },
			"moved":               func(w *world.World, b world.Body) error { return w.Teleport(b, world.Vec{X: 30}, 0) },
			"a sensor":            func(w *world.World, b world.Body) error { return w.SetSensor(must(w.Shapes(b))[0], true) },
			"filtered": func(w *world.World, b world.Body) error {
				return w.SetFilter(must(w.Shapes(b))[0], world.Filter{Category: 2, Mask: 2})
			},
			"one-way from below": func(w *world.World, b world.Body) error { return w.SetOneWay(must(w.Shapes(b))[0], world.Vec{Y: -1}) },
			"ignored by a hook": func(w *world.World, b world.Body) error {
				w.SetShouldCollide(func(w *world.World, p, q world.Shape) bool {
					return must(w.Shape(p)).Body != b && must(w.Shape(q)).Body != b
				})
				return nil
			},
		} {
			x := newSituation(t, world.Config{Stepper: s})
			x.body(world.Static, world.Vec{Y: -11}, world.Box(20, 1))
			shelf := x.body(world.Static, world.Vec{}, world.Box(1, .5))
			low, high := x.body(world.Dynamic, world.Vec{Y: 1}, world.Box(.5, .5)), x.body(world.Dynamic, world.Vec{Y: 2}, world.Box(.5, .5))
			x.steps(200)
			if x.info(low).Awake || x.info(high).Awake {
				t.Fatalf("%s: they do not sleep before", name)
			}
			must(0, take(x.World, shelf))
			x.steps(240)
			if name == "one-way from below" && x.info(low).Position.Y > .9 {
				continue // contacts of the shape that were solid stay solid, see SetOneWay
			}
			x.between("the lower one's height, its shelf "+name, x.info(low).Position.Y, -9.7, -9)
			x.between("the upper one's height, its shelf "+name, x.info(high).Position.Y, -9.7, -8)
		}
	})
}

// box2d issue 547: a body that flew past a sleeper woke it. Box2D 2.3 and FastStep still do so.
// Box2D 2.4.1 and v3 wake only bodies that are touched.
func TestABodyThatFliesPastWakesNobody(t *testing.T) {
	x := newSituation(t, world.Config{Stepper: world.SoftStep})
	x.body(world.Static, world.Vec{Y: -1}, world.Box(50, 1))
	b := x.body(world.Dynamic, world.Vec{Y: .5}, world.Box(.5, .5))
	x.steps(150)
	x.made(world.BodyDef{Kind: world.Dynamic, NoGravity: true, Position: world.Vec{X: -3, Y: 1.25}, Velocity: world.Vec{X: 2}, Shapes: []world.ShapeDef{world.Circle(.2)}})
	x.events = nil
	for range 180 {
		x.steps(1)
		if x.info(b).Awake {
			t.Fatalf("it is awake at tick %d", x.Tick())
		}
	}
}
