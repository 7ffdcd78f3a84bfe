package world_test

import (
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
			x.Explode(world.Explosion{At: world.Vec{X: .5, Y: -1}, Radius: 5, ImpulsePerLength: 1})
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
