package world

import (
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// The library's sines have other bits on other machines, so a soft world uses its
// own.
func TestASoftBodyIsPlacedAtOnceAsStepsPlaceItOnEveryMachine(t *testing.T) {
	r := newRig(t, Config{Stepper: SoftStep, NoGravity: true})
	r.start()
	for i := range 100 {
		def := BodyDef{Kind: Kinematic, Angle: float64(i) * .37, Shapes: []ShapeDef{Box(1, 1)}}
		if i%2 == 0 {
			def.Angle = 0
		}
		b := r.body(def)
		if i%2 == 0 {
			check(t, r.Teleport(b, Vec{}, float64(i)*.37))
		}
		before := r.registry.bodies[b].b.M_xf
		r.run(1)
		if after := r.registry.bodies[b].b.M_xf; after != before {
			t.Fatalf("angle %v: %v before a step, %v after it", float64(i)*.37, before, after)
		}
		check(t, r.DestroyBody(b))
	}
}

// Steps and edits must compute a body's mass with the same rounding. Otherwise an
// edit that changes no mass would still seem to move the centre.
func TestAMassThatASoftStepHasSeenIsStillWhatEditsMakeOfIt(t *testing.T) {
	r := newRig(t, Config{Stepper: SoftStep, NoGravity: true})
	r.start()
	for i := range 50 {
		x := float64(i) * .01
		b := r.body(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{
			Polygon(Vec{X: .1, Y: .2}, Vec{X: 1.3 + x, Y: .1}, Vec{X: .7, Y: 1.1 - x}), CircleAt(.3, x, .4),
		}})
		seen := func() (m [6]float64) {
			raw := r.registry.bodies[b].b
			return [6]float64{raw.M_mass, raw.M_invMass, raw.M_I, raw.M_invI, raw.M_sweep.LocalCenter.X, raw.M_sweep.LocalCenter.Y}
		}
		made := seen()
		r.run(1)
		stepped := seen()
		check(t, r.SetFixedRotation(b, true))
		check(t, r.SetFixedRotation(b, false))
		if edited := seen(); made != stepped || stepped != edited {
			t.Fatalf("mass %v, after a step %v, after edits %v", made, stepped, edited)
		}
		check(t, r.DestroyBody(b))
	}
}

func TestJointsHaveTheNumbersThatTheLibraryGivesThem(t *testing.T) {
	for i := range 100 {
		if v := (box2d.B2Vec2{X: .1, Y: float64(i) * .7}); box2d.B2Vec2Dot(v, v) != b2.Dot(v, v) {
			t.Skip("the library's products are fused on this machine")
		}
	}
	r := newRig(t, Config{NoGravity: true})
	for i := range 100 {
		x := float64(i)
		a := r.body(BodyDef{Position: Vec{X: x * .1, Y: .3}, Angle: x})
		b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: -.3, Y: x * .7}, Angle: -x / 3, Shapes: []ShapeDef{Box(1, 1)}})
		c := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: x * .3, Y: 1}, Shapes: []ShapeDef{Box(1, 1)}})
		one := r.joint(JointDef{Kind: PrismaticJoint, A: a, B: b, AxisA: Vec{X: .3, Y: x}, AnchorA: Vec{X: .1, Y: .2}})
		two := r.joint(JointDef{Kind: PrismaticJoint, A: a, B: c, AxisA: Vec{X: x, Y: .7}, AnchorB: Vec{X: .1, Y: .2}})
		gear := r.joint(JointDef{Kind: GearJoint, Joint1: one, Joint2: two, Ratio: 1.1 + x})
		pulley := r.joint(JointDef{Kind: PulleyJoint, A: b, B: c, LengthA: .1 + x, LengthB: x / 3, Ratio: 1.3})
		mouse := r.joint(JointDef{Kind: MouseJoint, B: b, Target: Vec{X: x, Y: .1}, MaxForce: 1, Frequency: 1})

		raw := func(j Joint) box2d.B2JointInterface { return r.registry.joints[j].j }
		pd := box2d.MakeB2PrismaticJointDef()
		p := raw(one).(*box2d.B2PrismaticJoint)
		pd.BodyA, pd.BodyB, pd.LocalAxisA = p.M_bodyA, p.M_bodyB, axis(Vec{X: .3, Y: x})
		if made := box2d.MakeB2PrismaticJoint(&pd); made.M_localXAxisA != p.M_localXAxisA || made.M_localYAxisA != p.M_localYAxisA {
			t.Errorf("axis %v; the library has %v", p.M_localXAxisA, made.M_localXAxisA)
		}
		g := raw(gear).(*box2d.B2GearJoint)
		gd := box2d.MakeB2GearJointDef()
		gd.BodyA, gd.BodyB, gd.Joint1, gd.Joint2, gd.Ratio = g.M_bodyA, g.M_bodyB, g.M_joint1, g.M_joint2, g.M_ratio
		if made := box2d.MakeB2GearJoint(&gd); made.M_constant != g.M_constant {
			t.Errorf("gear %v; the library has %v", g.M_constant, made.M_constant)
		}
		if l := raw(pulley).(*box2d.B2PulleyJoint); l.M_constant != l.M_lengthA+l.M_ratio*l.M_lengthB {
			t.Errorf("pulley %v", l.M_constant)
		}
		m := raw(mouse).(*box2d.B2MouseJoint)
		if want := m.M_bodyB.GetLocalPoint(m.M_targetA); m.M_localAnchorB != want {
			t.Errorf("mouse %v; the library has %v", m.M_localAnchorB, want)
		}
	}
}
