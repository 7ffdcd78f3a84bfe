package world_test

import (
	"fmt"
	"testing"

	"halfstep/world"
)

func sensor(hx, hy float64) world.ShapeDef {
	d := world.Box(hx, hy)
	d.Sensor = true
	return d
}

// box2d.ts issue 47: a sensor and a body that sleeps.
func TestASensorThatComesOverASleeperTellsOfItAndLetsItSleep(t *testing.T) {
	nowhere := world.Filter{Category: 2, Mask: 2}
	off, elsewhere, solid := sensor(1, 1), sensor(1, 1), world.Box(1, 1)
	off.Filter, elsewhere.Filter, solid.Filter = nowhere, nowhere, nowhere
	at, far := world.Vec{Y: .5}, world.Vec{Y: 5}
	first := func(x *situation, b world.Body) world.Shape { return must(x.Shapes(b))[0] }
	ways := []struct {
		name string
		def  world.BodyDef // the body that exists before the sleeper sleeps
		come func(x *situation, z, sleeper world.Body) world.Body
	}{
		{"made", world.BodyDef{}, func(x *situation, _, _ world.Body) world.Body { return x.body(world.Static, at, sensor(1, 1)) }},
		{"teleported", world.BodyDef{Position: far, Shapes: []world.ShapeDef{sensor(1, 1)}}, func(x *situation, z, _ world.Body) world.Body {
			x.worked(x.Teleport(z, at, 0))
			return z
		}},
		{"teleported from beside it", world.BodyDef{Position: world.Vec{X: 1.55, Y: .5}, Shapes: []world.ShapeDef{sensor(1, 1)}}, func(x *situation, z, _ world.Body) world.Body {
			x.worked(x.Teleport(z, at, 0))
			return z
		}},
		{"enabled", world.BodyDef{Position: at, Disabled: true, Shapes: []world.ShapeDef{sensor(1, 1)}}, func(x *situation, z, _ world.Body) world.Body {
			x.worked(x.SetEnabled(z, true))
			return z
		}},
		{"allowed by its filter", world.BodyDef{Position: at, Shapes: []world.ShapeDef{off}}, func(x *situation, z, _ world.Body) world.Body {
			x.worked(x.SetFilter(first(x, z), world.Filter{}))
			return z
		}},
		{"allowed by the sleeper's filter", world.BodyDef{Position: at, Shapes: []world.ShapeDef{elsewhere}}, func(x *situation, z, sleeper world.Body) world.Body {
			x.worked(x.SetFilter(first(x, sleeper), world.Filter{Category: 3, Mask: 0xffff}))
			return z
		}},
		{"enlarged", world.BodyDef{Position: far, Shapes: []world.ShapeDef{sensor(1, 1)}}, func(x *situation, z, _ world.Body) world.Body {
			x.worked(x.ReplaceShape(first(x, z), sensor(1, 5)))
			return z
		}},
		{"enlarged beside it", world.BodyDef{Position: world.Vec{X: 1.55, Y: .5}, Shapes: []world.ShapeDef{sensor(1, 1)}}, func(x *situation, z, _ world.Body) world.Body {
			x.worked(x.ReplaceShape(first(x, z), sensor(2, 1)))
			return z
		}},
		{"a shape of a body that is there", world.BodyDef{Position: at}, func(x *situation, z, _ world.Body) world.Body {
			must(x.CreateShape(z, sensor(1, 1)))
			return z
		}},
		{"not solid any more", world.BodyDef{Position: at, Shapes: []world.ShapeDef{solid}}, func(x *situation, z, _ world.Body) world.Body {
			x.worked(x.SetSensor(first(x, z), true))
			x.worked(x.SetFilter(first(x, z), world.Filter{}))
			return z
		}},
		{"static now", world.BodyDef{Kind: world.Kinematic, Position: at, Shapes: []world.ShapeDef{off}}, func(x *situation, z, _ world.Body) world.Body {
			x.worked(x.SetFilter(first(x, z), world.Filter{}))
			x.worked(x.SetKind(z, world.Static))
			return z
		}},
		{"let by the hook", world.BodyDef{Position: at, Shapes: []world.ShapeDef{sensor(1, 1)}}, func(x *situation, z, _ world.Body) world.Body {
			x.SetShouldCollide(nil)
			return z
		}},
		{"made with snapshots", world.BodyDef{}, func(x *situation, _, _ world.Body) world.Body {
			z := x.body(world.Static, at, sensor(1, 1))
			var s world.Snapshot
			x.worked(x.Snapshot(&s))
			x.steps(3)
			x.worked(x.Restore(&s))
			x.events = nil
			return z
		}},
	}
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, way := range ways {
			x := newSituation(t, world.Config{Stepper: s})
			x.body(world.Static, world.Vec{Y: -1}, world.Box(20, 1))
			b := x.body(world.Dynamic, at, world.Box(.5, .5))
			z := x.made(way.def)
			if way.name == "let by the hook" {
				x.SetShouldCollide(func(w *world.World, a, b world.Shape) bool {
					return !must(w.Shape(a)).Sensor && !must(w.Shape(b)).Sensor
				})
			}
			x.steps(150)
			x.events = nil
			if x.info(b).Awake {
				t.Fatalf("%s: the body does not sleep", way.name)
			}
			z = way.come(x, z, b)
			x.steps(1)
			x.between(way.name+": SensorBegin", float64(x.told(world.SensorBegin)), 1, 1)
			in := 0
			for _, sh := range must(x.Shapes(z)) {
				x.worked(x.ShapeContacts(sh, func(world.Contact) bool { in++; return true }))
			}
			x.between(way.name+": shapes in the sensor", float64(in), 1, 1)
			x.steps(1)
			if x.info(b).Awake {
				t.Errorf("%s: the sensor has woken the sleeper", way.name)
			}
			x.steps(10)
			x.Teleport(z, world.Vec{Y: 9}, 0)
			x.steps(1)
			x.between(way.name+": SensorBegin", float64(x.told(world.SensorBegin)), 1, 1)
			x.between(way.name+": SensorEnd", float64(x.told(world.SensorEnd)), 1, 1)
			if x.info(b).Awake {
				t.Errorf("%s: the sensor has woken the sleeper when it left", way.name)
			}
		}
	})
}

// box2d issue 867: a sensor on a bullet that flew into a wall and out again had only a
// begin event.
func TestAFastSensorTellsOfTheEndToo(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for phase := range 20 {
			x := newSituation(t, world.Config{Stepper: s})
			x.body(world.Static, world.Vec{X: 1.5, Y: 11}, world.Box(.5, 10))
			d := world.Circle(.1)
			d.Sensor = true
			x.made(world.BodyDef{Kind: world.Dynamic, Bullet: true, NoGravity: true, Position: world.Vec{X: 7.4 + float64(phase)/20/3, Y: 4}, Velocity: world.Vec{X: -20}, Shapes: []world.ShapeDef{d}})
			x.steps(60)
			x.between("begins", float64(x.told(world.SensorBegin)), 1, 1)
			x.between("ends", float64(x.told(world.SensorEnd)), 1, 1)
		}
	})
}

// JoltPhysics issue 240: whether a kinematic sensor saw a kinematic body depended on
// which of the two woke first. Here, as in Box2D 2.4.1, the sensor never sees it, and the
// guide says so. In v3 the sensor sees it.
func TestASensorSeesABodyIfOneOfTheTwoIsDynamic(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, first := range []bool{false, true} {
			for sensor := range world.Dynamic + 1 {
				for other := range world.Dynamic + 1 {
					x := newSituation(t, world.Config{Stepper: s, NoGravity: true})
					d := world.Box(1, 1)
					d.Sensor = true
					if first {
						x.body(other, world.Vec{X: .3}, world.Circle(.3))
					}
					x.body(sensor, world.Vec{}, d)
					if !first {
						x.body(other, world.Vec{X: .3}, world.Circle(.3))
					}
					right := 0.
					if sensor == world.Dynamic || other == world.Dynamic {
						right = 1
					}
					x.steps(2)
					x.between(fmt.Sprintf("how often a %v sensor tells of a %v body", sensor, other), float64(x.told(world.SensorBegin)), right, right)
				}
			}
		}
	})
}
