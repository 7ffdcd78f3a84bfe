package world_test

import (
	"math"
	"testing"

	"halfstep/world"
)

// A push beside the centre of mass of a body without inertia moves the body but does not turn
// it.
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

// box2d issue 710: fixed rotation.
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

// rapier.js issue 356: a slow kinematic body came to a stop.
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
