package world_test

import (
	"errors"
	"testing"

	"halfstep/world"
)

// box2d issue 828 and libgdx issue 2750: a contact or overlap that an edit ended had no
// end event.
func TestEachBeginHasItsEndHoweverAnEditEndsIt(t *testing.T) {
	ways := map[string]func(x *situation, a, b world.Body) error{
		"the body destroyed":  func(x *situation, a, _ world.Body) error { return x.DestroyBody(a) },
		"the other destroyed": func(x *situation, _, b world.Body) error { return x.DestroyBody(b) },
		"the shape destroyed": func(x *situation, a, _ world.Body) error { return x.DestroyShape(must(x.Shapes(a))[0]) },
		"the shape replaced": func(x *situation, a, _ world.Body) error {
			return x.ReplaceShape(must(x.Shapes(a))[0], world.Circle(.05))
		},
		"teleported": func(x *situation, a, _ world.Body) error { return x.Teleport(a, world.Vec{X: 50, Y: 50}, 0) },
		"both made static": func(x *situation, a, b world.Body) error {
			return errors.Join(x.SetKind(a, world.Static), x.SetKind(b, world.Static))
		},
		"disabled":           func(x *situation, a, _ world.Body) error { return x.SetEnabled(a, false) },
		"the other disabled": func(x *situation, _, b world.Body) error { return x.SetEnabled(b, false) },
		"filtered": func(x *situation, a, _ world.Body) error {
			return x.SetFilter(must(x.Shapes(a))[0], world.Filter{Group: -1, Category: 2, Mask: 2})
		},
		"a sensor":  func(x *situation, a, _ world.Body) error { return x.SetSensor(must(x.Shapes(a))[0], true) },
		"no sensor": func(x *situation, _, b world.Body) error { return x.SetSensor(must(x.Shapes(b))[0], false) },
		"joined": func(x *situation, a, b world.Body) error {
			_, err := x.CreateJoint(world.JointDef{Kind: world.DistanceJoint, A: a, B: b})
			return err
		},
		"ignored by a hook": func(x *situation, _, _ world.Body) error {
			x.SetShouldCollide(func(*world.World, world.Shape, world.Shape) bool { return false })
			return nil
		},
	}
	withEach(t, func(t *testing.T, s world.Stepper) {
		for name, end := range ways {
			for _, asleep := range []bool{false, true} {
				for _, sensor := range []bool{false, true} {
					x := newSituation(t, world.Config{Stepper: s, NoGravity: true})
					d := world.Box(.5, .5)
					d.Sensor = sensor
					kind := world.Static
					if name == "a sensor" || sensor {
						kind = world.Dynamic
					}
					a, b := x.body(world.Dynamic, world.Vec{}, world.Circle(.3)), x.body(kind, world.Vec{X: .6}, d)
					x.steps(2)
					if asleep {
						x.steps(100)
					}
					begun := x.told(world.ContactBegin) + x.told(world.SensorBegin)
					if begun == 0 {
						t.Fatalf("%s: they do not touch before", name)
					}
					if name == "joined" && sensor {
						continue // a joint does not affect sensors
					}
					must(0, end(x, a, b))
					x.steps(2)
					ended := x.told(world.ContactEnd) + x.told(world.SensorEnd)
					begun = x.told(world.ContactBegin) + x.told(world.SensorBegin)
					if name == "a sensor" || name == "no sensor" {
						begun-- // the pair continues, as an overlap or as a touch
					}
					if name == "a sensor" && sensor {
						begun-- // each sensor is in the other
					}
					if ended != begun {
						t.Errorf("%s, sensor %v, asleep %v: %d began and %d ended", name, sensor, asleep, begun, ended)
					}
				}
			}
		}
	})
}
