package world_test

import (
	"math"
	"testing"

	"halfstep/world"
)

func (x *situation) worked(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

// RobustToolbox 1712: once a joint is gone, what it held collides.
func TestWhatAJointKeptApartCollidesOnceTheJointIsGone(t *testing.T) {
	ways := map[string]func(x *situation, j world.Joint, other world.Body){
		"destroyed": func(x *situation, j world.Joint, _ world.Body) { x.DestroyJoint(j) },
		"broken":    func(x *situation, j world.Joint, _ world.Body) { x.SetBreakLimits(j, .01, 0) },
		"as the last of two": func(x *situation, j world.Joint, _ world.Body) {
			i := must(x.Joint(j))
			second := x.joint(i.Def)
			x.steps(30)
			x.DestroyJoint(j)
			x.steps(30)
			x.DestroyJoint(second)
		},
		"after a restore": func(x *situation, j world.Joint, _ world.Body) {
			var s world.Snapshot
			x.DestroyJoint(j)
			x.worked(x.Snapshot(&s))
			x.steps(5)
			x.worked(x.Restore(&s))
		},
		"after a restore that brought it back": func(x *situation, j world.Joint, _ world.Body) {
			var s world.Snapshot
			x.worked(x.Snapshot(&s))
			x.DestroyJoint(j)
			x.steps(5)
			x.worked(x.Restore(&s))
			x.DestroyJoint(j)
		},
		"geared, and gone with another body": func(x *situation, j world.Joint, other world.Body) {
			x.DestroyJoint(j)
			x.DestroyBody(other)
		},
	}
	chain := world.Chain(world.Vec{X: -2}, world.Vec{X: -1}, world.Vec{}, world.Vec{X: 1}, world.Vec{X: 2})
	plank := world.Polygon(world.Vec{X: -2, Y: -.04}, world.Vec{X: 2, Y: -.04}, world.Vec{X: 2}, world.Vec{X: -2})
	withEach(t, func(t *testing.T, s world.Stepper) {
		for way, goes := range ways {
			for _, d := range []world.ShapeDef{world.Edge(world.Vec{X: -2}, world.Vec{X: 2}), plank, chain} {
				x := newSituation(t, world.Config{Stepper: s})
				ground := x.body(world.Static, world.Vec{}, d)
				crate := x.body(world.Dynamic, world.Vec{Y: .1}, world.Box(.1, .1))
				far := x.body(world.Static, world.Vec{X: 9})
				if way == "geared, and gone with another body" {
					// A gear keeps its two second bodies apart. One of its joints goes with far.
					ground = x.body(world.Kinematic, world.Vec{}, d)
					j := x.joint(world.JointDef{Kind: world.RevoluteJoint, A: far, B: ground})
					k := x.joint(world.JointDef{Kind: world.RevoluteJoint, A: x.body(world.Static, world.Vec{Y: .1}), B: crate})
					x.joint(world.JointDef{Kind: world.GearJoint, Joint1: j, Joint2: k, Ratio: 1})
					x.steps(60)
					goes(x, k, far)
				} else {
					j := x.joint(world.JointDef{Kind: world.WeldJoint, A: ground, B: crate, AnchorA: world.Vec{Y: .1}})
					x.steps(60)
					goes(x, j, far)
				}
				x.steps(120)
				x.between(way+": the height of a crate", x.info(crate).Position.Y, .095, .12)
			}
		}
	})
}

// box2d 710: fixed rotation.
func TestNothingTurnsABodyOfFixedRotation(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, kind := range []world.BodyKind{world.Dynamic, world.Kinematic} {
			x := newSituation(t, world.Config{Stepper: s})
			x.body(world.Static, world.Vec{X: 1, Y: -3}, world.Box(1, 1))
			b := x.made(world.BodyDef{Kind: kind, FixedRotation: true, AngularVelocity: 2, Shapes: []world.ShapeDef{world.Box(.5, .2)}})
			turns := func(after string) {
				x.t.Helper()
				x.steps(20)
				x.between(after+": its angle", x.info(b).Angle, 0, 0)
			}
			turns("made turning")
			x.SetAngularVelocity(b, 2)
			turns("told to turn")
			x.AngularImpulse(b, 3)
			x.ImpulseAt(b, world.Vec{Y: 1}, world.Vec{X: 1})
			x.Torque(b, 10)
			x.Explode(world.Explosion{Centre: world.Vec{X: .5, Y: -1}, Radius: 5, ImpulsePerLength: 1})
			turns("pushed")
			other := x.body(world.Dynamic, world.Vec{X: 2}, world.Circle(.2))
			x.joint(world.JointDef{Kind: world.MotorJoint, A: other, B: b, MaxForce: 1e3, MaxTorque: 1e3, AngularOffset: 1})
			turns("driven by a joint")
			for _, k := range []world.BodyKind{world.Kinematic, world.Static, world.Dynamic, world.Kinematic, world.Dynamic} {
				x.SetKind(b, k)
				x.SetAngularVelocity(b, 2)
				turns("of another kind")
			}
			x.SetFixedRotation(b, false)
			x.SetAngularVelocity(b, 2)
			x.SetFixedRotation(b, true)
			turns("fixed while it turned")
		}
	})
}

// rapier.js 356: a slow kinematic body.
func TestAKinematicBodyThatHasAVelocityNeverStops(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, rate := range []float64{60, 1} {
			x := newSituation(t, world.Config{Stepper: s})
			x.rate = rate
			lift := x.made(world.BodyDef{Kind: world.Kinematic, Velocity: world.Vec{Y: .005}, Shapes: []world.ShapeDef{world.Box(2, .1)}})
			hand := x.body(world.Kinematic, world.Vec{X: 50}, world.Box(2, .1))
			x.steps(int(rate)/3 + 1)
			x.SetAngularVelocity(hand, .006)
			x.steps(int(10*rate) - int(rate)/3 - 1)
			x.between("the height of the lift", x.info(lift).Position.Y, .0499, .0501)
			turned := .006 * (10 - (float64(int(rate)/3)+1)/rate)
			x.between("the angle of the hand", x.info(hand).Angle, turned-1e-6, turned+1e-6)
			x.SetVelocity(lift, world.Vec{})
			x.steps(int(rate) + 2)
			if x.info(lift).Awake {
				t.Error("the lift has stopped and does not sleep")
			}
		}
	})
}

func sensor(hx, hy float64) world.ShapeDef {
	d := world.Box(hx, hy)
	d.Sensor = true
	return d
}

// box2d.ts 47: a sensor and a sleeper.
func TestASensorThatComesOverASleeperTellsOfItAndLetsItSleep(t *testing.T) {
	nowhere := world.Filter{Category: 2, Mask: 2}
	off, elsewhere, solid := sensor(1, 1), sensor(1, 1), world.Box(1, 1)
	off.Filter, elsewhere.Filter, solid.Filter = nowhere, nowhere, nowhere
	at, far := world.Vec{Y: .5}, world.Vec{Y: 5}
	first := func(x *situation, b world.Body) world.Shape { return must(x.Shapes(b))[0] }
	ways := []struct {
		name string
		def  world.BodyDef // of what is there before the body sleeps
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

func TestABodyMadeAsleepSleepsOnWhatItTouches(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s})
		x.body(world.Static, world.Vec{Y: -1}, world.Box(20, 1))
		var pile []world.Body
		for i := range 5 {
			pile = append(pile, x.made(world.BodyDef{Kind: world.Dynamic, Asleep: true, Position: world.Vec{Y: .5 + float64(i)}, Shapes: []world.ShapeDef{world.Box(.5, .5)}}))
		}
		sleep := func() {
			x.steps(2)
			for _, b := range pile {
				if i := x.info(b); i.Awake {
					t.Errorf("a body that was made asleep is awake at %v", i.Position)
				}
			}
		}
		sleep()
		pile = append(pile, x.made(world.BodyDef{Kind: world.Dynamic, Asleep: true, Position: world.Vec{Y: 5.5}, Shapes: []world.ShapeDef{world.Box(.5, .5)}}))
		sleep()
		begun := float64(6)
		if s == world.SoftStep {
			begun = 1 // the others begin when the pile wakes
		}
		x.between("contacts told of", float64(x.told(world.ContactBegin)), begun, begun)
		// Something that comes wakes them all, and what they stand on lets them fall.
		x.made(world.BodyDef{Kind: world.Dynamic, Velocity: world.Vec{X: 5}, Position: world.Vec{X: -3, Y: 5.5}, Shapes: []world.ShapeDef{world.Circle(.2)}})
		x.steps(60)
		if !x.info(pile[0]).Awake {
			t.Error("a ball that hits a pile made asleep does not wake it")
		}
		x.between("contacts told of after the hit", float64(x.told(world.ContactBegin)), 7, 30)
		y := newSituation(t, world.Config{Stepper: s})
		ground := y.body(world.Static, world.Vec{Y: -1}, world.Box(20, 1))
		b := y.made(world.BodyDef{Kind: world.Dynamic, Asleep: true, Position: world.Vec{Y: .5}, Shapes: []world.ShapeDef{world.Box(.5, .5)}})
		y.steps(10)
		y.DestroyBody(ground)
		y.steps(60)
		y.between("its height without ground", y.info(b).Position.Y, -9, -1)
	})
}

// A limit counts a pair once, however often its bodies are edited.
func TestAWorldThatIsAlmostFullTakesEditsOfWhatItHolds(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s, NoGravity: true, MaxContacts: 30})
		ground := x.body(world.Static, world.Vec{}, world.Box(20, 1))
		for i := range 20 {
			x.body(world.Dynamic, world.Vec{X: float64(2*i) - 19, Y: 1.5}, world.Box(.5, .5))
		}
		x.steps(2)
		for range 50 { // paused
			x.worked(x.Teleport(ground, world.Vec{Y: .001}, 0))
			x.worked(x.SetKind(ground, world.Kinematic))
			x.worked(x.SetKind(ground, world.Static))
			x.worked(x.SetEnabled(ground, false))
			x.worked(x.SetEnabled(ground, true))
			x.worked(x.DestroyBody(x.body(world.Static, world.Vec{X: 1, Y: 1.5}, world.Box(1, 1))))
		}
		x.steps(2)
		x.between("contacts", float64(x.Counts().Contacts), 20, 20)
	})
}

func TestATeleportEndsADropThrough(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		shelf := world.Box(2, .1)
		shelf.OneWay = world.Vec{Y: 1}
		for _, to := range []world.Vec{{X: 10, Y: .62}, {X: .1, Y: .61}, {X: 1.9, Y: .62}} {
			x := newSituation(t, world.Config{Stepper: s})
			x.body(world.Static, world.Vec{}, shelf)
			x.body(world.Static, world.Vec{X: 10}, shelf)
			b := x.body(world.Dynamic, world.Vec{Y: .6}, world.Box(.5, .5))
			x.steps(30)
			x.worked(x.DropThrough(b))
			x.worked(x.Teleport(b, to, 0))
			x.steps(60)
			x.between("its height on a shelf", x.info(b).Position.Y, .58, .63)
		}
	})
}

func TestContactsOfATeleportedBodyEndAtOnceWhereItTouchesNothing(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, c := range []struct {
			by   world.Vec
			ends float64
		}{{world.Vec{Y: 5}, 2}, {world.Vec{Y: .05}, 1}, {world.Vec{X: .1}, 0}, {}} {
			x := newSituation(t, world.Config{Stepper: s})
			x.body(world.Static, world.Vec{Y: -1}, world.Box(20, 1))
			zone := x.body(world.Static, world.Vec{}, sensor(2, 2))
			b := x.body(world.Dynamic, world.Vec{Y: .5}, world.Box(.5, .5))
			x.steps(60)
			now := x.info(b).Position
			x.worked(x.Teleport(b, world.Vec{X: now.X + c.by.X, Y: now.Y + c.by.Y}, 0))
			left := 0
			x.worked(x.BodyContacts(b, func(world.Contact) bool { left++; return true }))
			x.worked(x.ShapeContacts(must(x.Shapes(zone))[0], func(world.Contact) bool { left++; return true }))
			x.between("contacts left", float64(left), 2-c.ends, 2-c.ends)
			x.events = nil
			x.steps(1)
			x.between("ends told", float64(x.told(world.ContactEnd)+x.told(world.SensorEnd)), c.ends, c.ends)
			x.between("begins told", float64(x.told(world.ContactBegin)+x.told(world.SensorBegin)), 0, 0)
		}
	})
}

func TestABodyThatIsMadeKinematicAndDynamicAgainMovesOnAsItDid(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, mass := range []*world.Mass{nil, {Mass: 2, Centre: world.Vec{X: -1}, Inertia: 9}} {
			x := newSituation(t, world.Config{Stepper: s, NoGravity: true})
			b := x.made(world.BodyDef{Kind: world.Dynamic, Velocity: world.Vec{X: 1}, AngularVelocity: 3, Mass: mass, Shapes: []world.ShapeDef{world.CircleAt(2, 0, .5)}})
			x.steps(10)
			was := x.info(b)
			p := world.Vec{X: 3, Y: 4}
			x.worked(x.SetKind(b, world.Kinematic))
			now := x.info(b)
			v, u := was.VelocityAt(p), now.VelocityAt(p)
			x.between("the velocity of a point, as kinematic", u.X, v.X-1e-6, v.X+1e-6)
			x.between("the velocity of a point, as kinematic", u.Y, v.Y-1e-6, v.Y+1e-6)
			x.worked(x.SetKind(b, world.Dynamic))
			v, u = was.Velocity, x.info(b).Velocity
			x.between("the velocity of its centre", u.X, v.X-1e-6, v.X+1e-6)
			x.between("the velocity of its centre", u.Y, v.Y-1e-6, v.Y+1e-6)
		}
	})
}

// A body that has come up through a one-way shape and comes to rest on it before it has
// left it lands as any other does: with an impulse.
func TestWhatPassedAndIsHeldThenTellsHowHardItLanded(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		shelf := world.Box(2, .1)
		shelf.OneWay = world.Vec{Y: 1}
		begun := 0
		for depth := .002; depth < .06; depth += .004 { // sub-steps go higher
			for _, d := range []world.ShapeDef{world.Circle(.3), world.Box(.3, .3)} {
				x := newSituation(t, world.Config{Stepper: s})
				x.body(world.Static, world.Vec{}, shelf)
				up := .1 + .3 - depth + 1
				x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{Y: -1}, Velocity: world.Vec{Y: math.Sqrt(20*up) + 10./120}, Shapes: []world.ShapeDef{d}})
				x.steps(60)
				for _, e := range x.events {
					if e.Kind == world.ContactBegin {
						begun++
						if e.Contact.Impulse == 0 {
							t.Errorf("%v, %.3f m deep: it lands with an impulse of 0", d.Kind, depth)
						}
					}
				}
			}
		}
		if begun < 5 {
			t.Errorf("only %d have landed", begun)
		}
	})
}

// box2d 935: casts along what a body stands on.
func TestACastAlongWhatABodyStandsOnMeetsOnlyWhatRisesAboveIt(t *testing.T) {
	floors := map[string]func(x *situation){
		"tiles": func(x *situation) {
			for i := range 20 {
				x.body(world.Static, world.Vec{X: float64(i), Y: -.5}, world.Box(.5, .5))
			}
		},
		"tiles of several sizes": func(x *situation) {
			for i := range 20 {
				h := .1 + .3*float64(i%3)
				x.body(world.Static, world.Vec{X: float64(i), Y: -h}, world.Box(.5, h))
			}
		},
		"a chain": func(x *situation) {
			var p []world.Vec
			for i := range 40 {
				p = append(p, world.Vec{X: float64(i)/2 - 1})
			}
			x.body(world.Static, world.Vec{}, world.Chain(p...))
		},
		"a chain that goes down": func(x *situation) {
			x.body(world.Static, world.Vec{}, world.Chain(world.Vec{X: -2}, world.Vec{X: 1.5}, world.Vec{X: 4, Y: -1}, world.Vec{X: 20, Y: -1}))
		},
		"edges": func(x *situation) {
			for i := range 20 {
				x.body(world.Static, world.Vec{X: float64(i)}, world.Edge(world.Vec{X: -.5}, world.Vec{X: .5}))
			}
		},
	}
	probes := map[string]world.ShapeDef{
		"box": world.Box(.4, .4), "circle": world.Circle(.4), "capsule": world.Capsule(world.Vec{Y: -.1}, world.Vec{Y: .1}, .3),
		"triangle": world.Polygon(world.Vec{X: -.4, Y: -.4}, world.Vec{X: .4, Y: -.4}, world.Vec{Y: .4}),
	}
	const wallAt, stepAt = 15., 12.
	for floor, build := range floors {
		x := newSituation(t, world.Config{})
		build(x)
		wall := x.body(world.Static, world.Vec{X: wallAt + .5, Y: 2}, world.Box(.5, 2))
		for probe, d := range probes {
			for _, sunk := range []float64{0, 1e-12, 1e-6, 2e-4, .003} {
				for _, tilt := range []float64{0, 1e-5, -1e-5} {
					for from := 0.; from < 1.2; from += .1 {
						at := world.Vec{X: from, Y: .4 - sunk}
						h, ok, err := x.Query(world.QueryFilter{}).ShapeCast(d, at, world.Vec{X: 20, Y: at.Y}, tilt)
						if err != nil || !ok || h.Body != wall {
							t.Fatalf("%s on %s, %g deep, tilted by %g, from %v: it meets %+v, %v; right is the wall", probe, floor, sunk, tilt, from, h, ok)
						}
						n := 0
						x.worked(x.Query(world.QueryFilter{}).ShapeCastAll(d, at, world.Vec{X: 20, Y: at.Y}, tilt, func(world.RayHit) bool { n++; return true }))
						if n != 1 {
							t.Fatalf("%s on %s, %g deep: it meets %d shapes", probe, floor, sunk, n)
						}
						h, ok, err = x.Query(world.QueryFilter{}).ShapeCast(d, at, world.Vec{X: from, Y: -20}, tilt)
						if err != nil || !ok || h.Fraction > 1e-6 || h.Normal.Y < .9 {
							t.Fatalf("%s on %s, %g deep, from %v, down: it meets %+v, %v", probe, floor, sunk, from, h, ok)
						}
					}
				}
			}
		}
		// A step of 1 mm is one.
		step := x.body(world.Static, world.Vec{X: stepAt, Y: -.499}, world.Box(.2, .5))
		h, ok, err := x.Query(world.QueryFilter{}).ShapeCast(world.Box(.4, .4), world.Vec{Y: .4}, world.Vec{X: 20, Y: .4}, 0)
		if err != nil || !ok || h.Body != step {
			t.Errorf("on %s: a step of 1 mm: it meets %+v, %v", floor, h, ok)
		}
	}
}

func TestARayThatStartsOnAnEdgeHasItsNormal(t *testing.T) {
	x := newSituation(t, world.Config{})
	x.body(world.Static, world.Vec{}, world.Box(1, 1))
	x.body(world.Static, world.Vec{X: 5}, world.Edge(world.Vec{X: -1}, world.Vec{X: 1}))
	for _, c := range []struct{ from, to, normal world.Vec }{
		{world.Vec{Y: 1}, world.Vec{Y: -3}, world.Vec{Y: 1}},
		{world.Vec{X: .5, Y: 1}, world.Vec{X: 3, Y: -3}, world.Vec{Y: 1}},
		{world.Vec{X: -1, Y: .3}, world.Vec{X: 3, Y: -3}, world.Vec{X: -1}},
		{world.Vec{X: 5}, world.Vec{X: 5, Y: -3}, world.Vec{Y: 1}},
		{world.Vec{X: 5}, world.Vec{X: 6, Y: 3}, world.Vec{Y: -1}},
	} {
		h, ok, err := x.Query(world.QueryFilter{}).RayCast(c.from, c.to)
		if err != nil || !ok || h.Fraction != 0 || h.Normal != c.normal {
			t.Errorf("from %v to %v: %+v, %v, %v; the normal is %v", c.from, c.to, h, ok, err, c.normal)
		}
	}
	for _, to := range []world.Vec{{Y: 4}, {X: 3, Y: 1}, {X: -3, Y: 3}} {
		if h, ok, err := x.Query(world.QueryFilter{}).RayCast(world.Vec{Y: 1}, to); ok || err != nil {
			t.Errorf("from the top to %v: %+v, %v", to, h, err)
		}
	}
}
