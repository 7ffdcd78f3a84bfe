package world_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"halfstep/world"
)

// nphysics 154 and reactphysics3d 235: boxes that slept on something stayed in the air when it was gone.
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
				continue // what touches a shape stays held, says SetOneWay
			}
			x.between("the lower one's height, its shelf "+name, x.info(low).Position.Y, -9.7, -9)
			x.between("the upper one's height, its shelf "+name, x.info(high).Position.Y, -9.7, -8)
		}
	})
}

// box2d 828 and libgdx 2750: a contact or overlap that an edit ended was never told to end.
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
						continue // a joint says nothing of sensors
					}
					must(0, end(x, a, b))
					x.steps(2)
					ended := x.told(world.ContactEnd) + x.told(world.SensorEnd)
					begun = x.told(world.ContactBegin) + x.told(world.SensorBegin)
					if name == "a sensor" || name == "no sensor" {
						begun-- // it goes on, as an overlap or a touch
					}
					if name == "a sensor" && sensor {
						begun-- // each is in the other
					}
					if ended != begun {
						t.Errorf("%s, sensor %v, asleep %v: %d began and %d ended", name, sensor, asleep, begun, ended)
					}
				}
			}
		}
	})
}

// box2d 867: a sensor on a bullet that went into a wall and out told of the begin alone.
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

// box2d 95 and 318, godot 87517: a ray's normal was the same from both sides of an edge, or not at
// right angles to it, or zero from one side.
func TestARaysNormalPointsAtTheRay(t *testing.T) {
	x := newSituation(t, world.Config{})
	const angle = .7
	x.made(world.BodyDef{Angle: angle, Shapes: []world.ShapeDef{world.Edge(world.Vec{X: -5}, world.Vec{X: 5})}})
	box := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 20}, Shapes: []world.ShapeDef{world.Box(1, 1)}})
	q := x.Query(world.QueryFilter{})
	for k := range 64 {
		sin, cos := math.Sincos(2 * math.Pi * (float64(k) + .5) / 64)
		hit, ok, err := q.RayCast(world.Vec{X: 3 * cos, Y: 3 * sin}, world.Vec{X: -3 * cos, Y: -3 * sin})
		if err != nil || !ok {
			t.Fatalf("ray %d meets nothing: %v", k, err)
		}
		along := hit.Normal.X*math.Cos(angle) + hit.Normal.Y*math.Sin(angle)
		x.between("the normal along the edge", along, -1e-9, 1e-9)
		x.between("the normal along the ray", hit.Normal.X*-cos+hit.Normal.Y*-sin, -1, -1e-9)
		hit, ok, err = q.RayCast(world.Vec{X: 20 + 3*cos, Y: 3 * sin}, world.Vec{X: 20, Y: 0})
		if err != nil || !ok || hit.Body != box {
			t.Fatalf("ray %d misses the box: %v", k, err)
		}
		x.between("the length of the box's normal", math.Hypot(hit.Normal.X, hit.Normal.Y), 1-1e-9, 1+1e-9)
		x.between("the box's normal along the ray", hit.Normal.X*-cos+hit.Normal.Y*-sin, -1, -.7)
	}
}

// box2d 140: a force that was given in the middle of a step sometimes did nothing.
func TestAForceGivenWithinAStepIsRefusedOrActs(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s, NoGravity: true})
		x.body(world.Static, world.Vec{}, world.Box(.5, .5))
		x.body(world.Dynamic, world.Vec{X: .95}, world.Circle(.5))
		far := x.body(world.Dynamic, world.Vec{X: 20}, world.Circle(.5))
		calls, refused := 0, 0
		x.SetPreSolve(func(w *world.World, _ *world.PreSolveContact) {
			if calls++; calls > 1 {
				return
			}
			if err := w.Force(far, world.Vec{X: 60 * x.info(far).Mass}); errors.Is(err, world.ErrStepping) {
				refused++
			}
		})
		x.steps(5)
		if v := x.info(far).Velocity.X; refused == 0 && math.Abs(v-1) > 1e-6 || refused == 1 && v != 0 {
			t.Errorf("refused %d times of %d, and then it moves at %g m/s", refused, calls, v)
		}
	})
}

// rapier.js 141: a box that a small force pressed down in each frame sank into the ground.
func TestABoxThatIsPressedDownDoesNotSink(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s})
		x.body(world.Static, world.Vec{Y: -1}, world.Box(20, 1))
		b := x.body(world.Dynamic, world.Vec{Y: .5}, world.Box(.5, .5))
		x.AddController(world.ControllerFunc(func(w *world.World, _ float64) { must(0, w.Force(b, world.Vec{Y: -4})) }))
		x.steps(600)
		x.between("its height", x.info(b).Position.Y, .49, .52)
		x.between("its angle", x.info(b).Angle, -.001, .001)
	})
}

// godot 9399, 23860 and 43229: on a one-way platform that moved, who stood on it fell
// through: while it rose, with another on top, or when another jumped over.
func TestWhoStandsOnAOneWayLiftStaysOnIt(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, v := range []world.Vec{{Y: 3}, {Y: -2}, {X: 3}, {X: 2, Y: 2}} {
			x := newSituation(t, world.Config{Stepper: s})
			d := world.Box(4, .1)
			d.OneWay, d.Friction = world.Vec{Y: 1}, 1
			lift := x.body(world.Kinematic, world.Vec{}, d)
			low, high := x.body(world.Dynamic, world.Vec{Y: .6}, world.Box(.5, .5)), x.body(world.Dynamic, world.Vec{Y: 1.5}, world.Circle(.4))
			jumper := x.body(world.Dynamic, world.Vec{X: 1.5, Y: .6}, world.Box(.4, .5))
			must(0, x.SetFixedRotation(jumper, true))
			must(0, x.SetFixedRotation(high, true))
			x.steps(60)
			must(0, x.SetVelocity(lift, v))
			x.steps(20)
			i := x.info(jumper)
			must(0, x.SetVelocity(jumper, world.Vec{X: i.Velocity.X - 2.2, Y: i.Velocity.Y + 9}))
			x.steps(150)
			at := x.info(lift)
			for name, b := range map[string]world.Body{"who stood on it": low, "who stood on that": high, "who jumped over": jumper} {
				p := at.LocalPoint(x.info(b).Position)
				if math.Abs(p.X) < 4.5 {
					x.between(fmt.Sprintf("%s, over a lift that moves at %v", name, v), p.Y, .4, 3)
				}
			}
			x.between(fmt.Sprintf("who stood on a lift that moves at %v: y", v), at.LocalPoint(x.info(low).Position).Y, .58, .63)
		}
	})
}

// godot 46846: who fell past the end of a one-way platform was stopped by its side.
func TestTheSideOfAOneWayPlatformStopsNobody(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, vy := range []float64{0, -.5, -2} {
			x := newSituation(t, world.Config{Stepper: s, NoGravity: true})
			d := world.Box(2, .5)
			d.OneWay = world.Vec{Y: 1}
			x.body(world.Static, world.Vec{}, d)
			b := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: -4}, Velocity: world.Vec{X: 5, Y: vy}, Shapes: []world.ShapeDef{world.Circle(.3)}})
			x.steps(90)
			x.between("x", x.info(b).Position.X, 3.49, 3.51)
			x.between("y", x.info(b).Position.Y, 1.5*vy-.01, 1.5*vy+.01)
			x.between("contacts told", float64(x.told(world.ContactBegin)), 0, 0)
		}
	})
}

// p2.js 225: a floor whose height was above 0 threw bodies up.
func TestAFloorActsAlikeAtAnyHeight(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, y := range []float64{-7, .1, .5, 3, 100} {
			x := newSituation(t, world.Config{Stepper: s})
			x.body(world.Static, world.Vec{Y: y}, world.Edge(world.Vec{X: -20}, world.Vec{X: 20}))
			b := x.body(world.Dynamic, world.Vec{Y: y + 1.5}, world.Box(.5, .5))
			top := 0.
			x.steps(40)
			for range 120 {
				x.steps(1)
				top = math.Max(top, x.info(b).Position.Y-y)
			}
			x.between(fmt.Sprintf("the greatest height after the impact, floor at %g m", y), top, .49, .54)
		}
	})
}

// JoltPhysics 240: whether a kinematic sensor saw a kinematic body depended on which of them
// woke first. As in Box2D 2.4.1 it never does, which the guide says; in v3 it does.
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

// box2d 547: a body that flew past a sleeper woke it. Box2D 2.3 does so, and with it
// FastStep: 2.4.1 and v3 wake what is touched.
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

// What pushes a body without inertia beside its centre of mass moves it and does not turn it.
func TestNothingTurnsABodyWithoutInertia(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, omega := range []float64{0, 2} {
			x := newSituation(t, world.Config{Stepper: s, NoSleep: true})
			x.body(world.Static, world.Vec{Y: -1}, world.Box(20, 1))
			b := x.made(world.BodyDef{
				Kind: world.Dynamic, Position: world.Vec{Y: 2}, Angle: .4, AngularVelocity: omega, Mass: &world.Mass{Mass: 2},
				Shapes: []world.ShapeDef{world.Box(.5, .3)},
			})
			x.body(world.Dynamic, world.Vec{X: .6, Y: 4}, world.Box(.3, .3))
			for range 120 {
				x.check(x.Torque(b, 3))
				x.check(x.AngularImpulse(b, 1))
				x.check(x.ImpulseAt(b, world.Vec{X: .01}, world.Vec{Y: 3}))
				x.steps(1)
				x.between("its angular velocity", x.info(b).AngularVelocity, omega, omega)
			}
			x.between("its angle", x.info(b).Angle, .4+2*omega-1e-5, .4+2*omega+1e-5)
			x.between("how far it has moved", math.Abs(x.info(b).Position.X), .02, 100)
		}
	})
}
