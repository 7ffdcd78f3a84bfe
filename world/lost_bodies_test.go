package world

import (
	"math"
	"slices"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
)

func TestABodyIsLostOnce(t *testing.T) {
	for _, stepper := range bothSteppers {
		r := newRig(t, Config{Stepper: stepper})
		r.body(BodyDef{Kind: Dynamic, Position: Vec{X: .9e9}, Mass: &Mass{Mass: 1, Centre: Vec{X: .2e9}, Inertia: 1e17}, Shapes: []ShapeDef{Circle(1)}})
		other := r.box(0, 0)
		r.start()
		r.run(3)
		r.BodyPointer(other).M_linearVelocity.X = math.NaN()
		r.run(3)
		if n := len(only(r.events(), BodyLost)); n != 2 {
			t.Errorf("%v: two bodies are lost %d times", stepper, n)
		}
	}
}

func TestABodyThatLeavesTheWorldIsTakenOut(t *testing.T) {
	for name, throw := range map[string]func(r *rig, b Body, hinge Joint){
		"not a number": func(r *rig, b Body, _ Joint) { r.BodyPointer(b).M_linearVelocity.X = math.NaN() },
		"too far": func(r *rig, b Body, hinge Joint) {
			check(t, r.DestroyJoint(hinge)) // the hinge would pull the body back
			raw := r.BodyPointer(b)
			raw.M_sweep.C.X, raw.M_xf.P.X = 1e10, 1e10
		},
		"too fast": func(r *rig, b Body, _ Joint) { r.BodyPointer(b).M_angularVelocity = math.Inf(1) },
	} {
		r := newRig(t, gravity())
		ground := r.ground()
		b, next, far := r.box(0, .51), r.box(1, .51), r.box(30, .51)
		hinge := r.joint(JointDef{Kind: RevoluteJoint, A: ground, B: b, AnchorA: Vec{X: 0, Y: .51}})
		hinge2 := r.joint(JointDef{Kind: RevoluteJoint, A: ground, B: far, AnchorA: Vec{X: 30, Y: .51}})
		r.joint(JointDef{Kind: GearJoint, Joint1: hinge, Joint2: hinge2})
		r.start()
		r.run(5)
		before := r.at(b)
		r.events()
		r.AddController(ControllerFunc(func(w *World, _ float64) {
			if w.Tick() == 5 {
				throw(r, b, hinge)
			}
		}))
		r.run(1)
		lost := only(r.events(), BodyLost)
		found := false
		for _, e := range lost {
			found = found || e.A == b && e.Tick == 6 && oneLine(e.Err)
		}
		if !found {
			t.Fatalf("%s: lost %+v", name, lost)
		}
		if s := r.state(b); r.at(b) != before || s.Flags()&(body2d.Disabled|body2d.Jump) != body2d.Disabled|body2d.Jump || r.speed(b) != (Vec{}) {
			t.Errorf("%s: at %v, state %+v", name, r.at(b), s)
		}
		if r.at(ground) != (Vec{}) {
			t.Errorf("%s: the ground went to %v", name, r.at(ground))
		}
		r.frame(1, Command{Op: opSetEnabled, Body: b, On: true})
		r.frame(1, Command{Op: opSetEnabled, Body: next, On: true})
		r.run(60)
		if n := len(only(r.events(), BodyLost)); n != 0 {
			t.Errorf("%s: %d lost again", name, n)
		}
		for _, n := range []Body{b, next, far} {
			if p := r.at(n); !(p.Y > -.6 && p.Y < 1.5) {
				t.Errorf("%s: %v is at %v", name, n, p)
			}
		}
	}
}

func TestALostBodyTakesTheGearsItCarriesAlong(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	carrier, a, b := r.box(0, 0), r.box(3, 0), r.box(-3, 0)
	gear := r.joint(JointDef{Kind: GearJoint,
		Joint1: r.joint(JointDef{Kind: RevoluteJoint, A: carrier, B: a, AnchorA: Vec{X: 3, Y: 0}}),
		Joint2: r.joint(JointDef{Kind: RevoluteJoint, A: carrier, B: b, AnchorA: Vec{X: -3, Y: 0}})})
	r.start()
	r.run(2)
	r.apply(Command{Op: opDo, Do: func(w *World) { w.aftermath.remove(&w.places.slots[0]) }})
	if _, err := r.Joint(gear); err == nil {
		t.Error("the gear is left, and reads a body that is in no island")
	}
	r.frame(5, Command{Op: opImpulse, Body: a, V: Vec{X: 1, Y: 1}})
}

// The impulses of the soft stepper, which has single precision, overflow.
func TestTheImpulseOfAContactIsANumberEvenWhereItsBodiesAreLost(t *testing.T) {
	cfg := gravity()
	cfg.Stepper = SoftStep
	r := newRig(t, cfg)
	r.ground()
	begun := 0
	r.AddContactHook(func(_ *World, events []Event) {
		for _, e := range only(events, ContactBegin) {
			begun++
			if e.Impulse != e.Impulse || e.TangentImpulse != e.TangentImpulse {
				t.Errorf("%+v", e.Contact)
			}
		}
	})
	heavy := Box(50, 50)
	heavy.Density = maxValue
	b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: 49.99}, Velocity: Vec{X: 0, Y: -maxValue}, Shapes: []ShapeDef{heavy}})
	r.start()
	r.run(1)
	if lost := only(r.events(), BodyLost); begun != 1 || len(lost) != 1 || lost[0].A != b {
		t.Errorf("%d contacts began, lost %v", begun, lost)
	}
}

func TestAWorldThatHasLostBodiesGoesOnFromTheBytesOfASnapshot(t *testing.T) {
	for way := range Stepper(len(stepperNames)) {
		cfg := gravity()
		cfg.Stepper = way
		r := newRig(t, cfg)
		r.AddController(&counter{})
		joints, pairs := everyJoint(r)
		r.start()
		r.run(5)
		for _, p := range pairs {
			b := r.BodyPointer(p[1])
			b.M_sweep.C.X, b.M_sweep.A, b.M_linearVelocity.X = math.NaN(), math.NaN(), math.NaN()
		}
		r.run(1)
		if n := len(only(r.events(), BodyLost)); n < len(pairs) {
			t.Fatalf("%v: %d lost", way, n)
		}
		r.box(0, 3) // this body replaces the lost one in the tree
		goOn := func(r *rig) []uint64 {
			for _, p := range pairs {
				r.apply(Command{Op: opSetEnabled, Body: p[0], On: true}, Command{Op: opSetEnabled, Body: p[1], On: true})
			}
			for k, j := range joints {
				if i, err := r.Joint(j); err == nil && (i.Force != Vec{} || i.Torque != 0) {
					t.Errorf("%v, kind %d: it did %v and %v to a body that was lost", way, k, i.Force, i.Torque)
				}
			}
			return r.hashes(30)
		}
		data := bytesOf(t, r)
		s := r.take()
		want := goOn(r)
		check(t, r.World.Restore(s))
		if got := goOn(r); !slices.Equal(got, want) {
			t.Errorf("%v: restored, it goes on in another way", way)
		}
		if fresh, _ := reopened(t, cfg, data); !slices.Equal(goOn(fresh), want) {
			t.Errorf("%v: from bytes, it goes on in another way", way)
		}
	}
}

func TestTheJointsOfABodyThatALostOneSpoiltStartAnew(t *testing.T) {
	r := newRig(t, Config{})
	r.AddController(&counter{})
	a := r.body(BodyDef{Kind: Kinematic, Shapes: []ShapeDef{Box(1, 1)}})
	b := r.body(BodyDef{Kind: Kinematic, Position: Vec{X: 5}, Shapes: []ShapeDef{Box(1, 1)}})
	r.joint(JointDef{Kind: WeldJoint, A: a, B: b})
	r.start()
	r.run(1)
	p := r.BodyPointer(a)
	p.M_linearVelocity.X = math.NaN()
	p.M_jointList.Joint.(*box2d.B2WeldJoint).M_impulse.X = math.NaN()
	r.run(1)
	if x := r.at(a).X; x != 0 {
		t.Errorf("it is at %v", x)
	}
	if _, err := LoadSnapshot(bytesOf(t, r)); err != nil {
		t.Error(err)
	}
}

func TestTheEventsOfALostBodyHaveNumbers(t *testing.T) {
	skipSoft(t) // a soft step finds none of the body's contacts
	r := newRig(t, Config{NoGravity: true, Workers: 1})
	r.body(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{Circle(1)}})
	b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 2.05}, Shapes: []ShapeDef{Circle(1)}})
	r.start()
	r.run(1)
	r.BodyPointer(b).M_xf.P.X = math.NaN()
	r.BodyPointer(b).M_sweep.C.X = math.NaN()
	r.run(1)
	begun := only(r.events(), ContactBegin)
	if len(begun) != 1 {
		t.Fatalf("%d contacts began", len(begun))
	}
	if e := begun[0]; e.Point != (Vec{}) || e.Normal != (Vec{}) {
		t.Errorf("at %v along %v", e.Point, e.Normal)
	}
}

func TestABodyThatFliesOutOfTheWorldIsTakenOutWithEachStepper(t *testing.T) {
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		r := newRig(t, Config{NoGravity: true, Stepper: stepper})
		b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: maxPosition - 10, Y: 0}, Velocity: Vec{X: 100, Y: 0}, Shapes: []ShapeDef{Box(.5, .5)}})
		r.start()
		r.run(10)
		if lost := only(r.events(), BodyLost); len(lost) != 1 || lost[0].A != b {
			t.Errorf("%v: lost %+v", stepper, lost)
		}
	}
}
