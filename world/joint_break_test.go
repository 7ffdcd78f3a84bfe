package world

import (
	"errors"
	"fmt"
	"testing"

	"halfstep/buffer/body2d"
)

// hanging is a world with a weight of 1 kg on a joint, so that the joint's reaction is 10
// N.
func hanging(t *testing.T, cfg Config, def JointDef) (r *rig, weight Body, j Joint) {
	r = newRig(t, cfg)
	hook := r.body(BodyDef{Name: "hook"})
	weight = r.body(BodyDef{Name: "weight", Kind: Dynamic, Shapes: []ShapeDef{Box(.5, .5)}})
	def.A, def.B, def.Name, def.User = hook, weight, "pin", 42
	j = r.joint(def)
	r.start()
	r.structure()
	return r, weight, j
}

func TestAJointBreaksAboveItsLimitAndNotBelow(t *testing.T) {
	for name, cfg := range eachWay(gravity()) {
		t.Run(name, func(t *testing.T) {
			r, weight, j := hanging(t, cfg, JointDef{Kind: WeldJoint, BreakForce: 11})
			r.run(30)
			if _, err := r.Joint(j); err != nil || len(only(r.events(), JointBroke)) > 0 {
				t.Fatalf("it broke at 10 N: %v", err)
			}
			r.frame(1, Command{Op: opForce, Body: weight, V: Vec{X: 0, Y: -2}})
			got := only(r.events(), JointBroke)
			if len(got) != 1 {
				t.Fatalf("events %v", got)
			}
			e := got[0]
			if e.Joint != j || e.B != weight || e.NameA != "hook" || e.User != 42 || !near(e.Force, 12, .01) || e.Tick != 31 {
				t.Errorf("event %+v", e)
			}
			if s := e.String(); s != `tick 31: the joint "pin" between "hook" and "weight" broke at 12 N` {
				t.Errorf("as a sentence: %s", s)
			}
			if _, err := r.Joint(j); !errors.Is(err, ErrStale) {
				t.Errorf("the joint: %v", err)
			}
			r.run(30)
			if p := r.at(weight); p.Y > -1 {
				t.Errorf("the weight is at %v", p)
			}
			if gone := records(r.structure(), body2d.JointRemoved); len(gone) != 1 {
				t.Errorf("records %+v", gone)
			}
			if len(r.links.breakable) != 0 {
				t.Errorf("%d joints are looked at", len(r.links.breakable))
			}
		})
	}
}

func TestAJointBreaksByTorqueToo(t *testing.T) {
	for name, cfg := range eachWay(gravity()) {
		r, weight, j := hanging(t, cfg, JointDef{Kind: WeldJoint, BreakTorque: 3})
		r.frame(20, Command{Op: opTorque, Body: weight, X: 2.9})
		if _, err := r.Joint(j); err != nil {
			t.Fatalf("%s: at 2.9 N·m: %v", name, err)
		}
		r.frame(1, Command{Op: opTorque, Body: weight, X: -3.1})
		if got := only(r.events(), JointBroke); len(got) != 1 || !near(got[0].Torque, 3.1, .01) ||
			got[0].String() != `tick 21: the joint "pin" between "hook" and "weight" broke at 10 N and 3.1 N·m` {
			t.Errorf("%s: events %v", name, got)
		}
	}
}

func TestAJointThatIsKeptTellsOfEachTimeItIsOverloaded(t *testing.T) {
	r, weight, j := hanging(t, gravity(), JointDef{Kind: WeldJoint, BreakForce: 11, KeepBroken: true})
	push := Command{Op: opForce, Body: weight, V: Vec{X: 0, Y: -5}}
	r.frame(10, push)
	r.run(10)
	r.frame(10, push)
	var at []uint64
	for _, e := range only(r.events(), JointBroke) {
		at = append(at, e.Tick)
	}
	if fmt.Sprint(at) != "[1 21]" {
		t.Errorf("told at ticks %v", at)
	}
	if i, err := r.Joint(j); err != nil || i.Def.BreakForce != 11 || !i.Def.KeepBroken {
		t.Errorf("joint %+v, %v", i.Def, err)
	}
	if gone := records(r.structure(), body2d.JointRemoved); len(gone) != 0 {
		t.Errorf("records %+v", gone)
	}
}

func TestALimitBelowALoadAtRestBreaksItsJoint(t *testing.T) {
	for name, cfg := range eachWay(gravity()) {
		r, weight, j := hanging(t, cfg, JointDef{Kind: WeldJoint})
		r.run(120)
		if r.isAwake(weight) {
			t.Fatalf("%s: the weight does not sleep", name)
		}
		r.frame(1, Command{Op: opSetBreakLimits, Joint: j, X: 9.5})
		if got := only(r.events(), JointBroke); len(got) != 1 {
			t.Errorf("%s: events %v", name, got)
		}
	}
}

// No step solves a body that sleeps, so its joint keeps the impulses of a step of another
// length.
func TestAChangeOfTheRateBreaksNoJointAtRest(t *testing.T) {
	r, weight, j := hanging(t, gravity(), JointDef{Kind: WeldJoint, BreakForce: 15})
	r.run(120)
	if r.isAwake(weight) {
		t.Fatal("the weight does not sleep")
	}
	for range 5 {
		r.tick++
		r.Step(r.tick, dt/4)
	}
	if _, err := r.Joint(j); err != nil {
		t.Error(err)
	}
}

func TestLimitsCanBeTakenAway(t *testing.T) {
	r, weight, j := hanging(t, gravity(), JointDef{Kind: WeldJoint, BreakForce: 11, BreakTorque: 1})
	r.frame(9, Command{Op: opSetBreakLimits, Joint: j}, Command{Op: opForce, Body: weight, V: Vec{X: 0, Y: -900}})
	if _, err := r.Joint(j); err != nil || len(r.links.breakable) != 0 {
		t.Errorf("%v, %d joints are looked at", err, len(r.links.breakable))
	}
}

func TestAMouseJointThatBreaksLetsGo(t *testing.T) {
	r := newRig(t, gravity())
	b := r.body(BodyDef{Name: "fish", Kind: Dynamic, Shapes: []ShapeDef{Box(.5, .5)}})
	j := r.joint(JointDef{Kind: MouseJoint, B: b, MaxForce: 1e3, BreakForce: 50})
	r.start()
	r.run(20)
	r.frame(5, Command{Op: opSetTarget, Joint: j, P: Vec{X: 0, Y: 50}})
	got := only(r.events(), JointBroke)
	if len(got) != 1 || got[0].A != 0 || got[0].String() != fmt.Sprintf("tick 21: %v that holds \"fish\" broke at %.3g N", j, got[0].Force) {
		t.Errorf("events %v", got)
	}
}

func TestJointsBreakInOrderOfCreationAndBeforeTheContactHooks(t *testing.T) {
	for name, cfg := range eachWay(gravity()) {
		r := newRig(t, cfg)
		hook := r.body(BodyDef{})
		var joints []Joint
		for i := range 6 {
			b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: float64(3 * i), Y: 0}, Shapes: []ShapeDef{Box(.5, .5)}})
			joints = append(joints, r.joint(JointDef{Kind: WeldJoint, A: hook, B: b, AnchorA: Vec{X: float64(3 * i), Y: 0}}))
		}
		for _, i := range []int{4, 1, 5, 0} { // not in order
			check(t, r.SetBreakLimits(joints[i], 5, 0))
		}
		seen := false
		r.AddContactHook(func(w *World, _ []Event) {
			_, err := w.Joint(joints[1])
			seen = seen || errors.Is(err, ErrStale)
		})
		r.start()
		r.run(1)
		var order []Joint
		for _, e := range only(r.events(), JointBroke) {
			order = append(order, e.Joint)
		}
		if !seen || fmt.Sprint(order) != fmt.Sprint([]Joint{joints[0], joints[1], joints[4], joints[5]}) {
			t.Errorf("%s: broke %v of %v; gone in the hook: %v", name, order, joints, seen)
		}
	}
}

func TestAJointThatBreaksTakesItsGearAlong(t *testing.T) {
	r, _, a, _, parts, gear := geared(t)
	check(t, r.SetBreakLimits(parts[0], 20, 0))
	check(t, r.SetBreakLimits(gear, 1e6, 0))
	r.start()
	r.run(5)
	r.frame(1, Command{Op: opForce, Body: a, V: Vec{X: 0, Y: -1e3}})
	if got := only(r.events(), JointBroke); len(got) != 1 || got[0].Joint != parts[0] {
		t.Errorf("events %v", got)
	}
	if len(r.registry.joints) != 1 || len(r.links.breakable) != 0 {
		t.Errorf("%d joints, %d are looked at", len(r.registry.joints), len(r.links.breakable))
	}
	r.run(5)
}
