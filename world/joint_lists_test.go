package world_test

import (
	"slices"
	"strings"
	"testing"

	"halfstep/world"
)

func TestAWorldAndABodyListTheirJoints(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s})
		var bodies []world.Body
		var joints []world.Joint
		for i := range 4 {
			b := x.body(world.Dynamic, world.Vec{X: float64(i)}, world.Box(.3, .3))
			if bodies = append(bodies, b); i > 0 {
				joints = append(joints, x.joint(world.JointDef{A: bodies[i-1], B: b, AnchorA: world.Vec{X: .5}, AnchorB: world.Vec{X: -.5}}))
			}
		}
		x.steps(3)
		if got, want := slices.Collect(x.Joints()), []world.Joint{joints[2], joints[1], joints[0]}; !slices.Equal(got, want) {
			t.Errorf("the world's joints are %v, want %v", got, want)
		}
		if got, want := slices.Collect(x.JointsOf(bodies[1])), []world.Joint{joints[1], joints[0]}; !slices.Equal(got, want) {
			t.Errorf("the body's joints are %v, want %v", got, want)
		}
		n := 0
		for j := range x.Joints() { // the loop destroys the next joint
			n++
			x.DestroyJoint(j)
			x.DestroyJoint(joints[1])
		}
		if n != 2 || len(slices.Collect(x.Joints())) != 0 || len(slices.Collect(x.JointsOf(12345))) != 0 {
			t.Errorf("%d joints were listed while one went", n)
		}
	})
}

func TestAJointAtAPointOfTheWorldMovesNothing(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, kind := range []world.JointKind{world.RevoluteJoint, world.PrismaticJoint, world.WheelJoint, world.WeldJoint, world.FrictionJoint} {
			x := newSituation(t, world.Config{Stepper: s, NoGravity: true})
			var bodies [2]world.Body
			for i := range bodies {
				bodies[i] = x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(i), Y: 5}, Angle: 1 - 3*float64(i), Shapes: []world.ShapeDef{world.Box(.2, .3)}})
			}
			at := world.Vec{X: .5, Y: 5.5}
			j := x.joint(world.JointDef{Kind: kind, A: bodies[0], B: bodies[1], Anchor: &at, AxisA: world.Vec{Y: 1}, MaxForce: 1, MaxTorque: 1})
			before := must(x.Joint(j))
			if before.PointA.Sub(at).Len() > 1e-9 || before.PointB.Sub(at).Len() > 1e-9 || before.Def.Anchor != nil {
				t.Errorf("%v: it holds the bodies at %v and %v, not at %v", kind, before.PointA, before.PointB, at)
			}
			x.steps(60)
			for i, b := range bodies {
				if p := x.info(b).Position; p.Sub(world.Vec{X: float64(i), Y: 5}).Len() > 1e-3 {
					t.Errorf("%v: body %d has moved to %v", kind, i, p)
				}
			}
			if kind == world.PrismaticJoint {
				x.Impulse(bodies[1], world.Vec{X: 3, Y: 3})
				x.steps(30)
				if d := must(x.Joint(j)); d.PointB.Sub(d.PointA).Cross(world.Vec{Y: 1}.Rotate(x.info(bodies[0]).Angle-1)) > .02 || d.Translation < .1 {
					t.Errorf("the axis is not a direction of the world: it slid by %v", d.Translation)
				}
			}
			x.DestroyJoint(j)
		}
		x := newSituation(t, world.Config{Stepper: s})
		a, b := x.body(world.Dynamic, world.Vec{}, world.Circle(1)), x.body(world.Dynamic, world.Vec{X: 3}, world.Circle(1))
		if _, err := x.CreateJoint(world.JointDef{Kind: world.RopeJoint, A: a, B: b, Anchor: &world.Vec{}}); err == nil || !strings.Contains(err.Error(), "rope") {
			t.Errorf("a rope at one point: %v", err)
		}
	})
}
