package world

import "testing"

// When a motor, a limit or a spring is switched off, its impulse ends, too.
func TestAJointThatIsSwitchedOffPushesNoMore(t *testing.T) {
	for name, c := range map[string]struct {
		def JointDef
		off Command
	}{
		"motor that turns": {JointDef{Kind: RevoluteJoint, AnchorB: Vec{X: -1, Y: 0}, EnableMotor: true, MaxMotorForce: 1e3}, Command{Op: opSetMotor, Y: 1e3}},
		"limit that turns": {JointDef{Kind: RevoluteJoint, AnchorB: Vec{X: -1, Y: 0}, EnableLimit: true}, Command{Op: opSetLimits}},
		"motor that lifts": {JointDef{Kind: PrismaticJoint, AxisA: Vec{X: 0, Y: 1}, EnableMotor: true, MaxMotorForce: 1e3}, Command{Op: opSetMotor, Y: 1e3}},
		"limit that holds": {JointDef{Kind: PrismaticJoint, AxisA: Vec{X: 0, Y: 1}, EnableLimit: true}, Command{Op: opSetLimits}},
		"spring":           {JointDef{Kind: WheelJoint, AxisA: Vec{X: 0, Y: 1}, Frequency: 20, Damping: 1}, Command{Op: opSetSpring}},
		"motor to a place": {JointDef{Kind: MotorJoint, MaxForce: 1e3, MaxTorque: 1e3}, Command{Op: opSetMaxForce}},
		"mouse":            {JointDef{Kind: MouseJoint, MaxForce: 1e3}, Command{Op: opSetMaxForce}},
		"friction":         {JointDef{Kind: FrictionJoint, MaxForce: 1e3, MaxTorque: 1e3}, Command{Op: opSetMaxForce}},
	} {
		r := newRig(t, Config{Gravity: Vec{X: 0, Y: -10}, Stepper: SoftStep, NoSleep: true})
		ground, b := r.body(BodyDef{}), r.box(0, 0)
		c.def.A, c.def.B = ground, b
		j := r.joint(c.def)
		r.start()
		r.run(30)
		if v := r.speed(b); !nearVec(v, Vec{}, .01) {
			t.Fatalf("%s: it moves at %v", name, v)
		}
		c.off.Joint = j
		r.frame(1, c.off)
		r.run(9)
		if y := r.speed(b).Y; y > -1 {
			t.Errorf("%s: switched off, it falls at %v m/s", name, y)
		}
	}
}
