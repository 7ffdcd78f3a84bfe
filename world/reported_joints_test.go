package world_test

import (
	"math"
	"testing"

	"halfstep/world"
)

// box2d 487: a motor joint pushed its first body at its origin, so that nothing tipped.
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

// Three discs on two sliders, free in space, had 2,537 times their energy with soft after
// some seconds: the angle and the way across the axis were solved one after the other.
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

// A box of 0.2 m on a level rail, held 1 m from its centre, sank by 34 mm with soft, and on.
func TestABoxOnARailDoesNotSink(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s, NoSleep: true})
		g, b := x.body(world.Static, world.Vec{}), x.body(world.Dynamic, world.Vec{X: 1}, world.Box(.1, .1))
		x.joint(world.JointDef{Kind: world.PrismaticJoint, A: g, B: b, AnchorB: world.Vec{X: -1}, AxisA: world.Vec{X: 1}})
		x.steps(300)
		x.between("how far it has sunk, m,", -x.info(b).Position.Y, -.0005, .0005)
	})
}

// A body that is picked in a picture has moved on when the command arrives: it was gripped
// 0.20 m off at 5 m/s and 30 frames a second.
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

// JointInfo.Def of a mouse joint gripped the body elsewhere when it was used again.
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

// A hinge with a Frequency was made without a word, and without a spring, which it has now.
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

// A joint told of the force of a step long ago, and broke of it, when its bodies had become
// such that nothing acts on them, and after they were switched off and on.
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

// What is known in closed form: a pendulum's period, an Atwood machine, and a slider on a
// slope.
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
