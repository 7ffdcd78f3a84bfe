package world_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"halfstep/internal/privateapi"
	"halfstep/world"
)

// box2d issue 487: a motor joint pushed its first body at the body's origin, so that nothing tipped.
func TestAMotorJointPushesBothBodiesAtOnePoint(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s})
		x.body(world.Static, world.Vec{Y: -1}, world.Box(.5, 1))
		a, b := x.body(world.Dynamic, world.Vec{Y: .5}, world.Box(.5, .5)), x.body(world.Dynamic, world.Vec{X: 2, Y: .5}, world.Box(.5, .5))
		x.joint(world.JointDef{Kind: world.MotorJoint, A: a, B: b, LinearOffset: world.Vec{X: 2}, MaxForce: 1000, MaxTorque: 1000})
		x.steps(300)
		x.between("the height of what a box on a ledge holds out over it", x.info(b).Position.Y, -1e9, -1)
	})
}

// After some seconds with soft, three discs on two sliders, free in space, had 2,537 times their
// energy: the step solved the angle first, and then the displacement across the axis.
func TestASliderGainsNoEnergy(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s, NoGravity: true, NoSleep: true})
		var discs []world.Body
		for i, r := range []float64{.5, .2, .5} {
			discs = append(discs, x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 2 * float64(i)}, Velocity: world.Vec{Y: []float64{0, .8, -.6}[i]}, Shapes: []world.ShapeDef{world.Circle(r)}}))
			if i > 0 {
				x.joint(world.JointDef{Kind: world.PrismaticJoint, A: discs[i-1], B: discs[i], AnchorA: world.Vec{X: 1}, AnchorB: world.Vec{X: -1}, AxisA: world.Vec{X: 1}})
			}
		}
		before, most := motionOf(x.World, discs).energy, 0.
		for range 300 {
			x.steps(1)
			most = math.Max(most, motionOf(x.World, discs).energy)
		}
		x.between("their most energy, of what there was,", most/before, 0, 1.01)
	})
}

// A box of 0.2 m on a level rail, held 1 m from its centre, sank by 34 mm with soft, and went on
// sinking.
func TestABoxOnARailDoesNotSink(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s, NoSleep: true})
		g, b := x.body(world.Static, world.Vec{}), x.body(world.Dynamic, world.Vec{X: 1}, world.Box(.1, .1))
		x.joint(world.JointDef{Kind: world.PrismaticJoint, A: g, B: b, AnchorB: world.Vec{X: -1}, AxisA: world.Vec{X: 1}})
		x.steps(300)
		x.between("how far it has sunk, m,", -x.info(b).Position.Y, -.0005, .0005)
	})
}

// When a mouse joint's command arrives, the body that the user picked in a picture has moved. At 5
// m/s and 30 frames a second the joint gripped the body 0.20 m away from the picked point.
func TestAMouseJointGripsThePointThatWasPicked(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s, NoGravity: true})
		b := x.made(world.BodyDef{Kind: world.Dynamic, Velocity: world.Vec{X: 5}, AngularVelocity: 2, Shapes: []world.ShapeDef{world.Box(.5, .5)}})
		picked, at := x.info(b).LocalPoint(world.Vec{X: .3, Y: .2}), world.Vec{X: .3, Y: .2}
		x.steps(2)
		j := x.joint(world.JointDef{Kind: world.MouseJoint, B: b, AnchorB: picked, Target: at})
		x.steps(1)
		p := must(x.Joint(j)).PointB
		held := x.info(b).LocalPoint(p)
		x.between("the gripped point, x,", held.X, picked.X-1e-6, picked.X+1e-6)
		x.between("the gripped point, y,", held.Y, picked.Y-1e-6, picked.Y+1e-6)
		x.steps(600)
		p = must(x.Joint(j)).PointB
		x.between("how far the point is from the pointer, m,", math.Hypot(p.X-at.X, p.Y-at.Y), 0, .01)
	})
}

// A second mouse joint, made from the JointInfo.Def of the first, gripped the body at another point.
func TestAMouseJointsDefinitionMakesItAgain(t *testing.T) {
	for _, at := range []world.Vec{{}, {X: .3, Y: -.2}} { // the origin, too
		x := newSituation(t, world.Config{NoGravity: true})
		b := x.body(world.Dynamic, world.Vec{X: 1}, world.Box(.5, .5))
		j := x.joint(world.JointDef{Kind: world.MouseJoint, B: b, Target: world.Vec{X: 1 + at.X, Y: at.Y}})
		x.SetTarget(j, world.Vec{X: 4, Y: 1})
		x.steps(5)
		was := must(x.Joint(j))
		x.DestroyJoint(j)
		now := must(x.Joint(x.joint(was.Def)))
		if was.Def != now.Def || was.PointB != now.PointB {
			t.Errorf("%+v was made again as %+v", was.Def, now.Def)
		}
	}
}

// A mouse joint without a maximum force pulled nothing.
func TestAMouseJointPullsByItself(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s})
		b := x.body(world.Dynamic, world.Vec{}, world.Box(1, 1))
		j := x.joint(world.JointDef{Kind: world.MouseJoint, B: b, Target: world.Vec{Y: .5}})
		x.SetTarget(j, world.Vec{X: 3, Y: 3})
		x.steps(120)
		p := must(x.Joint(j)).PointB
		x.between("how far it is from the pointer, m,", math.Hypot(p.X-3, p.Y-3), 0, .3)
		if most := must(x.Joint(j)).Def.MaxForce; most != 4000 {
			t.Errorf("its maximum force is %v N", most)
		}
	})
}

// A hinge with a Frequency was made without an error, but had no spring. Hinges can have a spring
// now.
func TestAJointWithoutASpringRefusesAFrequency(t *testing.T) {
	x := newSituation(t, world.Config{})
	a, b := x.body(world.Static, world.Vec{}), x.body(world.Dynamic, world.Vec{}, world.Box(1, 1))
	for _, kind := range []world.JointKind{world.FrictionJoint, world.RopeJoint, world.MotorJoint, world.PulleyJoint} {
		_, err := x.CreateJoint(world.JointDef{Kind: kind, A: a, B: b, Frequency: 3, MaxLength: 1})
		if err == nil || err.Error() != "world: a "+kind.String()+" joint has no spring: frequency is 3" {
			t.Errorf("%v: %v", kind, err)
		}
	}
}

// A joint reported the force of a step long ago, and broke because of it. Since that step its
// bodies had become static or kinematic, or had been disabled and enabled.
func TestAJointTellsTheForceOfTheLastStepOrNone(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for name, edit := range map[string]func(x *situation, b world.Body){
			"made kinematic":      func(x *situation, b world.Body) { x.SetKind(b, world.Kinematic) },
			"made static":         func(x *situation, b world.Body) { x.SetKind(b, world.Static) },
			"switched off and on": func(x *situation, b world.Body) { x.SetEnabled(b, false); x.SetEnabled(b, true) },
		} {
			for _, kind := range []world.JointKind{world.RevoluteJoint, world.PrismaticJoint, world.DistanceJoint, world.WeldJoint, world.RopeJoint} {
				x := newSituation(t, world.Config{Stepper: s})
				a, b := x.body(world.Kinematic, world.Vec{}), x.body(world.Dynamic, world.Vec{Y: -1}, world.Box(.5, .5))
				x.SetVelocity(a, world.Vec{X: .1}) // awake
				d := world.JointDef{Kind: kind, A: a, B: b, AnchorB: world.Vec{Y: 1}, AxisA: world.Vec{X: 1}}
				if kind == world.DistanceJoint || kind == world.RopeJoint {
					d.AnchorB, d.MaxLength = world.Vec{}, 1
				}
				j := x.joint(d)
				x.steps(30)
				x.between("the weight, N,", must(x.Joint(j)).Force.Y, 5, 15)
				edit(x, b)
				x.between(name+": the force on a "+kind.String()+" joint, N,", must(x.Joint(j)).Force.Y, 0, 0)
				if name != "switched off and on" {
					x.SetBreakLimits(j, 1, 0)
					x.steps(30)
					if _, err := x.Joint(j); err != nil || x.told(world.JointBroke) > 0 {
						t.Errorf("%s: a %v joint broke", name, kind)
					}
				}
			}
		}
	})
}

// These motions are known in closed form: the period of a pendulum, an Atwood machine, and a slider
// on a slope.
func TestJointsMoveAsMechanicsSays(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s, NoSleep: true})
		g := x.body(world.Static, world.Vec{})
		bob := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 2 * math.Sin(.1), Y: -2 * math.Cos(.1)}, Shapes: []world.ShapeDef{world.Circle(.2)}})
		x.joint(world.JointDef{Kind: world.RevoluteJoint, A: g, B: bob, AnchorB: world.Vec{X: -2 * math.Sin(.1), Y: 2 * math.Cos(.1)}})
		heavy, light := x.body(world.Dynamic, world.Vec{X: 10}, world.Box(.5, .5)), x.body(world.Dynamic, world.Vec{X: 20}, world.Box(.5, .3))
		x.joint(world.JointDef{Kind: world.PulleyJoint, A: heavy, B: light, GroundA: world.Vec{X: 10, Y: 9}, GroundB: world.Vec{X: 20, Y: 9}})
		sled := x.body(world.Dynamic, world.Vec{X: 30}, world.Box(.5, .2))
		x.joint(world.JointDef{Kind: world.PrismaticJoint, A: g, B: sled, AnchorA: world.Vec{X: 30}, AxisA: world.Vec{X: math.Sqrt(3), Y: -1}})
		i := x.info(bob)
		period := 2 * math.Pi * math.Sqrt((i.Inertia+4*i.Mass)/(i.Mass*10*2)) * (1 + .01/16)
		crossed, last := []float64{}, i.Position.X
		for n := 1; n <= 600; n++ {
			x.steps(1)
			if at := x.info(bob).Position.X; last > 0 && at <= 0 {
				crossed = append(crossed, (float64(n)-at/(at-last))/60)
			}
			last = x.info(bob).Position.X
			if n == 60 {
				x.between("an Atwood machine's way in 1 s, m,", -x.info(heavy).Position.Y, 1.25*.98, 1.25*1.03)
				x.between("a slider's way on a slope of 30° in 1 s, m,", math.Hypot(x.info(sled).Position.X-30, x.info(sled).Position.Y), 2.5*.98, 2.5*1.03)
			}
		}
		x.between("a pendulum's period, s,", (crossed[len(crossed)-1]-crossed[0])/float64(len(crossed)-1), period*.99, period*1.01)
	})
}

// bevy_rapier issue 388: a joint's limit failed at some speeds of rotation.
func TestALimitHoldsHoweverFastTheBodiesTurn(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, omega := range []float64{1, 5, 20, 60} {
			x := newSituation(t, world.Config{Stepper: s, NoGravity: true, NoSleep: true})
			a := x.made(world.BodyDef{Kind: world.Dynamic, AngularVelocity: omega, Shapes: []world.ShapeDef{world.Box(1, .5)}})
			b := x.body(world.Dynamic, world.Vec{X: -3}, world.Box(1, .5))
			j := x.joint(world.JointDef{Kind: world.RevoluteJoint, A: a, B: b, AnchorB: world.Vec{X: 3}, EnableLimit: true, Lower: -1, Upper: 1})
			x.steps(240)
			for range 60 {
				x.steps(1)
				x.between(fmt.Sprintf("the angle, begun at %g rad/s", omega), must(x.Joint(j)).Angle, -1.1, 1.1)
			}
		}
	})
}

// planck.js issue 28: the wheels of a car that falls on its side left the axis of their joint.
func TestAWheelStaysOnItsAxisWhenTheCarFallsOver(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, angle := range []float64{.8, 1.6, 2.4, 3.1, -2} {
			x := newSituation(t, world.Config{Stepper: s})
			x.body(world.Static, world.Vec{Y: -1}, world.Box(50, 1))
			car := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{Y: 4}, Angle: angle, Shapes: []world.ShapeDef{world.Box(1.2, .3)}})
			var wheels []world.Joint
			for _, at := range []float64{-1, 1} {
				p := x.info(car).WorldPoint(world.Vec{X: at, Y: -.5})
				wheel := x.made(world.BodyDef{Kind: world.Dynamic, Position: p, Shapes: []world.ShapeDef{world.Circle(.35)}})
				wheels = append(wheels, x.joint(world.JointDef{Kind: world.WheelJoint, A: car, B: wheel, AnchorA: world.Vec{X: at, Y: -.5}, AxisA: world.Vec{Y: 1}, Frequency: 4, Damping: .7}))
			}
			for step := range 300 {
				x.steps(1)
				for _, j := range wheels {
					i := must(x.Joint(j))
					most := .12 // at the impact
					if step > 200 {
						most = .01
					}
					a, b := x.info(car).LocalPoint(i.PointA), x.info(car).LocalPoint(i.PointB)
					x.between(fmt.Sprintf("a wheel beside its axis, fallen at %g rad, step %d", angle, step), math.Abs(a.X-b.X), 0, most)
				}
			}
		}
	})
}

// box2d issue 367: a motor was reversed just before its bodies fell asleep, and they stayed asleep.
func TestAMotorThatIsTurnedRoundMovesItsBody(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		play := func(before int) (x *situation, arm world.Body, j world.Joint) {
			x = newSituation(t, world.Config{Stepper: s, NoGravity: true})
			arm = x.body(world.Dynamic, world.Vec{}, world.Box(1, .1))
			j = x.joint(world.JointDef{Kind: world.RevoluteJoint, A: x.body(world.Static, world.Vec{}), B: arm, EnableLimit: true, Lower: -.5, Upper: .5, EnableMotor: true, MotorSpeed: 2, MaxMotorForce: 20})
			for i := 0; x.info(arm).Awake && i != before && i < 600; i++ {
				x.steps(1)
			}
			return x, arm, j
		}
		x, _, _ := play(-1)
		x.between("the step in which it falls asleep", float64(x.Tick()), 30, 240)
		for before := range 4 {
			x, arm, j := play(int(x.Tick()) + before - 3)
			must(0, x.SetMotor(j, true, -2, 20))
			x.steps(120)
			x.between(fmt.Sprintf("the angle, turned round %d steps before", 3-before), x.info(arm).Angle, -.6, -.4)
		}
	})
}

// defold issue 5405: a setting of a joint between sleeping bodies had no effect.
func TestWhatIsSetOnAJointActsOnSleepers(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for name, c := range map[string]struct {
			def world.JointDef
			set func(*world.World, world.Joint) error
		}{
			"a motor": {world.JointDef{Kind: world.RevoluteJoint, AnchorA: world.Vec{X: 1}, AnchorB: world.Vec{X: -1}},
				func(w *world.World, j world.Joint) error { return w.SetMotor(j, true, 1, 50) }},
			"a slider's motor": {world.JointDef{Kind: world.PrismaticJoint, AnchorA: world.Vec{X: 1}, AnchorB: world.Vec{X: -1}},
				func(w *world.World, j world.Joint) error { return w.SetMotor(j, true, 1, 50) }},
			"limits": {world.JointDef{Kind: world.PrismaticJoint, AnchorA: world.Vec{X: 1}, AnchorB: world.Vec{X: -1}},
				func(w *world.World, j world.Joint) error { return w.SetLimits(j, true, .5, 1) }},
			"a length": {world.JointDef{Kind: world.DistanceJoint},
				func(w *world.World, j world.Joint) error { return w.SetLength(j, 3) }},
			"a shorter rope": {world.JointDef{Kind: world.RopeJoint, MaxLength: 2},
				func(w *world.World, j world.Joint) error { return w.SetLength(j, 1.5) }},
			"an offset": {world.JointDef{Kind: world.MotorJoint, LinearOffset: world.Vec{X: 2}, MaxForce: 50, MaxTorque: 50},
				func(w *world.World, j world.Joint) error { return w.SetMotorOffset(j, world.Vec{X: 3}, 0) }},
			"a force": {world.JointDef{Kind: world.MotorJoint, LinearOffset: world.Vec{X: 3}, MaxForce: 0, MaxTorque: 50},
				func(w *world.World, j world.Joint) error { return w.SetMaxForce(j, 50) }},
			"a spring": {world.JointDef{Kind: world.WeldJoint, AnchorA: world.Vec{X: 1}, AnchorB: world.Vec{X: -1}, ReferenceAngle: .5, Frequency: .0001},
				func(w *world.World, j world.Joint) error { return w.SetSpring(j, 4, 1) }},
		} {
			x := newSituation(t, world.Config{Stepper: s, NoGravity: true})
			a, b := x.body(world.Dynamic, world.Vec{}, world.Box(.5, .5)), x.body(world.Dynamic, world.Vec{X: 2}, world.Box(.5, .5))
			c.def.A, c.def.B = a, b
			j := x.joint(c.def)
			x.steps(90)
			if x.info(b).Awake {
				t.Fatalf("%s: it does not sleep before", name)
			}
			was := x.info(b)
			must(0, c.set(x.World, j))
			x.steps(30)
			is := x.info(b)
			x.between(name+": how far it has moved or turned", math.Hypot(is.Position.X-was.Position.X, is.Position.Y-was.Position.Y)+math.Abs(is.Angle-was.Angle), .02, 2)
		}
	})
}

// pymunk issue 216: a pendulum without friction came to rest within a minute. From a right angle
// FastStep swings to 42 % of it after a minute at 60 Hz, as Box2D 2.x does: its correction of
// positions reduces energy.
func TestAPendulumSwingsOn(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, rate := range []float64{60, 240} {
			lost := .5
			if s != world.SoftStep {
				lost = 2.2
			}
			x := newSituation(t, world.Config{Stepper: s, NoSleep: true})
			x.rate = rate
			b := x.body(world.Dynamic, world.Vec{X: 3}, world.Circle(.1))
			x.joint(world.JointDef{Kind: world.RevoluteJoint, A: x.body(world.Static, world.Vec{}), B: b, AnchorB: world.Vec{X: -3}})
			x.steps(int(57 * rate))
			deepest, highest := 0., -3.
			for range int(4 * rate) {
				x.steps(1)
				y := x.info(b).Position.Y
				deepest, highest = math.Min(deepest, y), math.Max(highest, y)
			}
			x.between(fmt.Sprintf("how high it swings after a minute at %g Hz", rate), highest, -lost, .05)
			x.between("how deep", deepest, -3.02, -2.98)
		}
	})
}

// bullet3 issue 2606: the library moves a slider whose limits are less than 1 cm apart to the place
// where its anchors meet.
func TestASliderWithNearlyEqualLimitsStaysWithinThem(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, l := range [][2]float64{{.5, .5}, {.5, .505}, {-3, -3}, {-3.009, -3}, {0, 0}, {-.003, .003}} {
			x := newSituation(t, world.Config{Stepper: s, NoSleep: true})
			g := x.made(world.BodyDef{Position: world.Vec{X: 2, Y: 1}, Angle: .3})
			b := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 2, Y: 1}, Angle: .3, Shapes: []world.ShapeDef{world.Box(.5, .2)}})
			def := world.JointDef{
				Kind: world.PrismaticJoint, A: g, B: b, AnchorA: world.Vec{X: .2}, AnchorB: world.Vec{Y: .1}, AxisA: world.Vec{X: .6, Y: .8},
				EnableLimit: true, Lower: l[0], Upper: l[1], EnableMotor: true, MotorSpeed: 2, MaxMotorForce: 5,
			}
			j := x.joint(def)
			was, err := x.Joint(j)
			x.check(err)
			x.body(world.Static, world.Vec{Y: -21}, world.Box(9, 1))
			x.body(world.Dynamic, world.Vec{Y: -19.5}, world.Circle(.5))
			asked := false
			x.SetPreSolve(func(w *world.World, _ *world.PreSolveContact) {
				asked = true
				if i, _ := w.Joint(j); i.Def != was.Def {
					t.Errorf("in a step it is %+v, not %+v", i.Def, was.Def)
				}
			})
			x.steps(600)
			is, err := x.Joint(j)
			x.check(err)
			x.between(fmt.Sprintf("where a slider is with limits from %g to %g m, after 10 s", l[0], l[1]), is.Translation, l[0]-.002, l[1]+.002)
			if is.Def != was.Def || !asked {
				t.Errorf("the joint was %+v and is %+v; asked in a step: %v", was.Def, is.Def, asked)
			}
			x.SetPreSolve(nil)
			x.check(x.SetLimits(j, true, l[0]+1, l[1]+1))
			x.steps(120)
			is, err = x.Joint(j)
			x.check(err)
			x.between("where it is with limits 1 m further on", is.Translation, l[0]+1-.002, l[1]+1+.002)
		}
	})
}

// FastStep and StepAsLibrary can hold a slider that the library alone cannot hold, and have the same
// bits.
func TestALockedSliderHasTheSameBitsWithTheLibrarysOwnStep(t *testing.T) {
	hashes := map[bool]uint64{}
	for _, library := range []bool{false, true} {
		x := newSituation(t, world.Config{Workers: 1})
		if library {
			privateapi.World.StepAsLibrary(x.World)
		}
		a := x.body(world.Static, world.Vec{})
		for i := range 12 {
			b := x.body(world.Dynamic, world.Vec{X: float64(i)}, world.Box(.6, .2))
			x.joint(world.JointDef{Kind: world.PrismaticJoint, A: a, B: b, AxisA: world.Vec{X: 1, Y: .2}, EnableLimit: true, Lower: 1.2, Upper: 1.2 + .002*float64(i)})
			a = b
		}
		x.steps(200)
		hashes[library] = x.StateHash()
	}
	if hashes[false] != hashes[true] {
		t.Errorf("%x, and %x with the library", hashes[false], hashes[true])
	}
}

// RobustToolbox issue 1712: after a joint is destroyed, its bodies collide.
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
					// The two bodies of a gear do not collide. When far is destroyed, so is one of the gear's joints.
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

// A random test of pairs of features found this. With a spring whose stiffness was nearly 0, the
// fast step and the library's step lost other bodies.
func TestASpringThatIsNearlyNoneIsRefused(t *testing.T) {
	withEach(t, func(t *testing.T, stepper world.Stepper) {
		x := newSituation(t, world.Config{Stepper: stepper, Workers: 1})
		a := x.body(world.Static, world.Vec{}, world.Box(20, 1))
		b := x.body(world.Dynamic, world.Vec{Y: 2}, world.Box(1, 1))
		for _, kind := range []world.JointKind{world.DistanceJoint, world.WheelJoint, world.WeldJoint, world.MouseJoint} {
			d := world.JointDef{Kind: kind, A: a, B: b, AxisA: world.Vec{Y: 1}, Length: 2, MaxForce: 1, Frequency: 1e-310, Damping: .7}
			if _, err := x.CreateJoint(d); err == nil || !strings.Contains(err.Error(), "frequency is 1e-310") {
				t.Errorf("%v: %v", kind, err)
			}
			d.Frequency = 1
			if err := x.SetSpring(x.joint(d), 1e-200, 1); err == nil || !strings.Contains(err.Error(), "frequency is 1e-200") {
				t.Errorf("%v, set: %v", kind, err)
			}
		}
	})
}
