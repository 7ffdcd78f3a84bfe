package world

import (
	"errors"
	"math"
	"testing"

	"halfstep/buffer/body2d"
)

func TestASpringIsTunedWhileItSwings(t *testing.T) {
	for name, cfg := range eachWay(gravity()) {
		r := newRig(t, cfg)
		hook := r.body(BodyDef{})
		b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: -2}, Shapes: []ShapeDef{Box(.5, .5)}})
		j := r.joint(JointDef{Kind: DistanceJoint, A: hook, B: b, Length: 2})
		r.start()
		r.run(120)
		if r.isAwake(b) || !near(r.at(b).Y, -2, .01) {
			t.Fatalf("%s: rigid, it is at %v", name, r.at(b))
		}
		// A spring of f Hz gives way by g/(2πf)² under its load.
		r.frame(600, Command{Op: opSetSpring, Joint: j, X: 1, Y: 1})
		if want := -2 - 10/(4*math.Pi*math.Pi); !near(r.at(b).Y, want, .01) {
			t.Errorf("%s: on a spring it hangs at %v, not %v", name, r.at(b), want)
		}
		r.frame(600, Command{Op: opSetSpring, Joint: j}, Command{Op: opSetLength, Joint: j, X: 5})
		i, err := r.Joint(j)
		check(t, err)
		if !near(r.at(b).Y, -5, .01) || i.Def.Frequency != 0 || i.Def.Length != 5 || !near(i.Length, 5, .01) {
			t.Errorf("%s: rigid again, it hangs at %v: %+v", name, r.at(b), i)
		}
	}
}

func TestRopesAndPulleysChangeTheirLength(t *testing.T) {
	for name, cfg := range eachWay(gravity()) {
		r := newRig(t, cfg)
		hook := r.body(BodyDef{})
		a, b, c := r.box(0, -3), r.box(5, -3), r.box(10, -2)
		rope := r.joint(JointDef{Kind: RopeJoint, A: hook, B: a, MaxLength: 3})
		pulley := r.joint(JointDef{Kind: PulleyJoint, A: b, B: c, GroundA: Vec{X: 5, Y: 0}, GroundB: Vec{X: 10, Y: 0}})
		r.start()
		r.frame(300, Command{Op: opSetLength, Joint: rope, X: 6}, Command{Op: opSetLength, Joint: pulley, X: 10})
		i, err := r.Joint(pulley)
		check(t, err)
		if !near(r.at(a).Y, -6, .02) || !near(i.Length, 10, .02) || !near(i.Def.LengthA, 6, 1e-9) || !near(i.Def.LengthB, 4, 1e-9) {
			t.Errorf("%s: the rope ends at %v, the pulley is %+v", name, r.at(a), i)
		}
	}
}

func TestMaximumForcesOfJointsChange(t *testing.T) {
	for name, cfg := range eachWay(Config{NoGravity: true}) {
		r := newRig(t, cfg)
		g := r.body(BodyDef{})
		a, b, c := r.box(0, 0), r.box(5, 0), r.box(10, 0)
		slow := r.joint(JointDef{Kind: FrictionJoint, A: g, B: a, MaxForce: 1e3, MaxTorque: 1e3})
		move := r.joint(JointDef{Kind: MotorJoint, A: g, B: b, LinearOffset: Vec{X: 5, Y: 3}, AngularOffset: 1})
		drag := r.joint(JointDef{Kind: MouseJoint, B: c, Target: Vec{X: 10, Y: 0}, MaxForce: 1e-300})
		r.start()
		r.frame(30, Command{Op: opSetTarget, Joint: drag, P: Vec{X: 10, Y: 2}})
		r.frame(10, Command{Op: opForce, Body: a, V: Vec{X: 9, Y: 0}}, Command{Op: opTorque, Body: a, X: 9})
		for _, x := range []Body{a, b, c} {
			if v := r.speed(x); v != (Vec{}) {
				t.Errorf("%s: %v moves at %v", name, x, v)
			}
		}
		r.frame(240,
			Command{Op: opSetMaxForce, Joint: slow}, Command{Op: opSetMaxTorque, Joint: slow}, Command{Op: opForce, Body: a, V: Vec{X: 9, Y: 0}}, Command{Op: opTorque, Body: a, X: 9},
			Command{Op: opSetMaxForce, Joint: move, X: 90}, Command{Op: opSetMaxTorque, Joint: move, X: 90}, Command{Op: opSetMaxForce, Joint: drag, X: 90})
		if v, w := r.speed(a), r.info(a).AngularVelocity; v.X < 30 || w < 30 {
			t.Errorf("%s: without friction %v, %v", name, v, w)
		}
		if p, x := r.at(b), r.angle(b); !nearVec(p, Vec{X: 5, Y: 3}, .05) || !near(x, 1, .05) {
			t.Errorf("%s: the motor has brought it to %v, %v", name, p, x)
		}
		if p := r.at(c); !nearVec(p, Vec{X: 10, Y: 2}, .05) {
			t.Errorf("%s: the mouse has brought it to %v", name, p)
		}
	}
}

func TestAnEditThatChangesNothingWakesNobody(t *testing.T) {
	r, box, shape, ground := onGround(t, gravity())
	hook := r.body(BodyDef{})
	j := r.joint(JointDef{Kind: DistanceJoint, A: hook, B: box, Frequency: 1, Damping: 1, BreakForce: 9e9})
	i, err := r.Joint(j)
	check(t, err)
	check(t, errors.Join(
		r.SetFriction(ground, .2), r.SetRestitution(shape, 0), r.SetDensity(shape, 1), r.SetSensor(shape, false),
		r.SetFilter(shape, Filter{}), r.SetSpring(j, 1, 1), r.SetLength(j, i.Def.Length), r.SetBreakLimits(j, 9e9, 0),
	))
	if r.isAwake(box) {
		t.Error("it woke up")
	}
	if recs := records(r.structure(), body2d.ShapeRemoved); len(recs) > 0 {
		t.Errorf("records %+v", recs)
	}
}
