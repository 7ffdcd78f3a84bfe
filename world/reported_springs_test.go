package world_test

import (
	"strings"
	"testing"

	"halfstep/world"
)

// Found by a generator of pairs of features. The fast step and the library's lost other
// bodies to a spring whose stiffness vanishes.
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
