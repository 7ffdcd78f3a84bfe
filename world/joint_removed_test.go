package world

import "testing"

func TestAJointThatGoesWithItsBodySaysSo(t *testing.T) {
	r, weight, j := hanging(t, Config{Gravity: gravity().Gravity}, JointDef{Kind: WeldJoint})
	saved := &Snapshot{}
	before := func(do Command) Event {
		t.Helper()
		r.events()
		r.frame(1, do)
		got := only(r.events(), JointRemoved)
		if len(got) != 1 {
			t.Fatalf("events %v", got)
		}
		return got[0]
	}
	check(t, r.World.Snapshot(saved))
	e := before(Command{Op: opDestroyBody, Body: weight})
	if e.Joint != j || e.B != weight || e.NameA != "hook" || e.User != 42 {
		t.Errorf("event %+v", e)
	}
	if s := e.String(); s != `tick 0: the joint "pin" between "hook" and "weight" was removed` {
		t.Errorf("as a sentence: %s", s)
	}
	check(t, r.World.Restore(saved))
	if e := before(Command{Op: opDestroyJoint, Joint: j}); e.Joint != j {
		t.Errorf("event %+v", e)
	}
	check(t, r.World.Restore(saved))
	late := r.joint(JointDef{Kind: WeldJoint, A: r.body(BodyDef{}), B: weight})
	r.events()
	check(t, r.World.Restore(saved))
	if got := only(r.events(), JointRemoved); len(got) != 1 || got[0].Joint != late {
		t.Errorf("a joint that a snapshot does not hold: %v", got)
	}
}
