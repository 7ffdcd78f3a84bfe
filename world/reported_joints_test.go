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
