package world

import (
	"reflect"
	"testing"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// Only joints that use a setting which Box2D's joint lacks need memory for it, and no joint gets the
// settings of another one.
func TestAJointWithoutExtraSettingsHasNone(t *testing.T) {
	for kind := RevoluteJoint; kind <= MotorJoint; kind++ {
		if kind == GearJoint {
			continue // it needs two joints
		}
		g := newRig(t, Config{Stepper: SoftStep, Workers: 1})
		make := func(x float64) Joint {
			return g.joint(JointDef{Kind: kind, A: g.box(x, 0), B: g.box(x, 3), Target: Vec{X: x, Y: 3}, MaxForce: 9, MaxLength: 9, GroundA: Vec{X: x, Y: 9}, GroundB: Vec{X: x, Y: 9}})
		}
		plain, used := make(0), make(100)
		want, err := g.Joint(plain)
		check(t, err)
		for _, j := range []Joint{plain, used} {
			if g.registry.joints[j].extra != nil {
				t.Fatalf("%v: it has an extra", kind)
			}
		}
		for _, err := range []error{ // most kinds of joint reject some of these settings
			g.SetSpring(used, 3, .5), g.SetSpringTarget(used, .1), g.SetLimits(used, true, -.5, .5), g.SetSoftness(used, 20, 1),
			g.SetMotorVelocity(used, true, Vec{X: 1, Y: 2}, 3),
		} {
			_ = err
		}
		x := box.ExtraOf(g.registry.joints[used].j)
		if x == nil || *x == (box.JointExtra{}) {
			t.Errorf("%v: nothing was set", kind)
		}
		g.run(3)
		var s Snapshot
		check(t, g.Snapshot(&s))
		if is, err := g.Joint(plain); err != nil || !reflect.DeepEqual(is.Def, want.Def) || g.registry.joints[plain].extra != nil {
			t.Errorf("%v: %+v, want %+v (%v)", kind, is.Def, want.Def, err)
		}
	}
}

// A setting that was made after a snapshot is zero after a restore of that snapshot. It has its value
// again after a restore of a later snapshot.
func TestASpringThatCameBetweenTwoSnapshotsComesAndGoesWithThem(t *testing.T) {
	g := newRig(t, Config{Stepper: SoftStep, Workers: 1})
	j := g.joint(JointDef{Kind: RevoluteJoint, A: g.box(0, 0), B: g.box(0, 3)})
	g.run(2)
	var before, after Snapshot
	check(t, g.Snapshot(&before))
	check(t, g.SetSpring(j, 3, .5))
	g.run(2)
	check(t, g.Snapshot(&after))
	for range 2 {
		for _, to := range []struct {
			s    *Snapshot
			want float64
		}{{&before, 0}, {&after, 3}} {
			check(t, g.Restore(to.s))
			if is, err := g.Joint(j); err != nil || is.Def.Frequency != to.want {
				t.Fatalf("the frequency is %v, want %v (%v)", is.Def.Frequency, to.want, err)
			}
			if x := g.World.box.Joints.All[g.World.box.Joints.Number(b2.BaseJoint(g.registry.joints[j].j))].Extra; (x != nil) != (to.want > 0) {
				t.Fatalf("the stepper finds %v", x)
			}
		}
	}
}
