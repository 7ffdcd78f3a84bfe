package world

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"halfstep/test/norace"
)

// content is the whole content of a snapshot, except counters that do not go back in
// time, and except free slots.
func (s *Snapshot) content(slots int) string {
	all := s.listed()
	for i := range all.shapes {
		all.shapes[i].value.seen, all.shapes[i].value.looks = 0, 0
	}
	for i := range all.joints {
		all.joints[i].value.seen, all.joints[i].value.gears = 0, nil // gears follow from parts
	}
	text := fmt.Sprintf("%x %v", Library(s), []any{all, s.loaded, s.events, s.drawings, s.saved, s.user})
	for i := range slots {
		v := s.slot(i)
		v.generation = 0
		text += fmt.Sprint(v)
	}
	return text
}

// A snapshot that is filled again copies only objects that were edited, and so does a
// restore. There are commands of all kinds, but not before every step.
func TestASnapshotTakenAgainHoldsWhatANewOneDoes(t *testing.T) {
	norace.Only(t)
	const beforeStep, afterStep = "one taken before a step", "one taken after a step"
	spared, gone := 0, 0
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 9))
		sim := NewSimulation(Config{Gravity: Vec{Y: -10}, Stepper: Stepper(seed % 2), Workers: 1})
		defer sim.Close()
		w := &sim.world
		c := NewChaos(r, w)
		var ring [3]Snapshot
		at, looked := uint64(0), uint64(0)
		unedited := func() bool {
			for range w.registry.edits.Since(looked) {
				return false
			}
			return !w.box.Exposed()
		}
		same := func(when string, s *Snapshot) {
			t.Helper()
			walked, err := Walked(w)
			if err != nil {
				t.Fatal(err)
			}
			if is, want := s.content(s.slotCount), walked.content(s.slotCount); is != want {
				t.Fatalf("seed %d, step %d: %s is another state than a new snapshot:\n%s\n%s", seed, at, when, is, want)
			}
			if w.soft != nil && !bytes.Equal(OfStepper(walked), OfStepper(s)) {
				t.Fatalf("seed %d, step %d: %s has another state of the stepper", seed, at, when)
			}
		}
		stepped := map[*Snapshot]bool{} // whether the stepper had seen all bodies when the snapshot was made, which cannot be undone
		take := func(when string) {
			t.Helper()
			s := &ring[r.IntN(3)]
			stepped[s] = when == afterStep
			if unedited() {
				spared++
			}
			if err := w.Snapshot(s); err != nil {
				t.Fatal(err)
			}
			looked = w.registry.edits.Now()
			same(when, s)
		}
		for range 90 {
			sim.BeginFrame()
			for k := range r.IntN(6) {
				command := c.Command()
				if at > 40 && k < 4 || at%5 > 1 { // pushes, which count as no edits
					command.Op = [...]opcode{opForce, opVelocity, opTorque, opImpulseAt, opSetAwake}[r.IntN(5)]
				}
				sim.Apply(at, &command, r.IntN(2) == 0)
			}
			for b := w.b2.M_bodyList; b != nil; b = b.M_next {
				switch f := b.M_fixtureList; {
				case r.IntN(300) == 0: // as if the solver had failed
					w.expose()
					w.takeBack()
					b.SetTransform(b2vec(Vec{X: 2 * maxPosition}), 1)
				case r.IntN(50) == 0 && f != nil:
					w.Box2D()
					f.SetDensity(r.Float64())
				}
			}
			if r.IntN(3) == 0 {
				take(beforeStep)
			}
			at++
			sim.Step(at, 1./60)
			if r.IntN(4) > 0 {
				sim.EndFrame()
			}
			take(afterStep)
			if s := &ring[r.IntN(3)]; s.of != nil && r.IntN(3) == 0 {
				if err := sim.world.restore(s, asBefore, 0); err != nil {
					t.Fatal(err)
				}
				if len(w.keeping.back.bodies) == 0 {
					gone++
				}
				at = private{}.Tick(s)
				if stepped[s] {
					same("the world gone back", s)
				}
			}
		}
	}
	if spared < 100 || gone < 50 {
		t.Errorf("a dull test: %d snapshots were spared edits, and %d ways back", spared, gone)
	}
}

// A snapshot that is filled again keeps its records of bodies that have not changed.
func TestASnapshotLooksAtRecordsAfterAnEditAlone(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	a, b, c := r.box(0, 0), r.box(2, 0), r.box(4, 0)
	j, err := r.CreateJoint(JointDef{Kind: WeldJoint, A: a, B: b})
	check(t, err)
	r.start()
	var s Snapshot
	looked := func(what string, edit func() error, want ...Body) {
		t.Helper()
		check(t, r.World.Snapshot(&s))
		since := r.registry.edits.Now()
		slots := map[int32]bool{}
		for _, of := range want {
			slots[r.registry.bodies[of].slot] = true
		}
		check(t, edit())
		r.run(1)
		for n := range r.registry.edits.Since(since) {
			if !slots[int32(n)] {
				t.Errorf("after %s: looked at slot %d", what, n)
			}
			delete(slots, int32(n))
		}
		if len(slots) > 0 {
			t.Errorf("after %s: not looked at %v", what, slots)
		}
	}
	looked("a push", func() error { return r.Impulse(a, Vec{X: 1, Y: 0}) })
	looked("another limit", func() error { return r.SetBreakLimits(j, 1e9, 0) }, b)
	looked("a step", func() error { return nil })
	looked("another spring", func() error { return r.SetSpring(j, 5, 1) }, b)
	looked("another name", func() error { return r.SetName(c, "c") }, c)
	looked("raw access", func() error { r.Box2D(); return nil }, a, b, c)
	looked("a new joint", func() error { _, err := r.CreateJoint(JointDef{Kind: WeldJoint, A: b, B: c}); return err }, c)
	looked("the end of one", func() error { return r.DestroyJoint(j) }, b)
	looked("the end of a body", func() error { return r.DestroyBody(b) }, a, b, c) // the records of the neighbours in the list, and of the body c of the joint
}

func TestARestoreLooksAtRecordsThatDifferAlone(t *testing.T) {
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		r := newRig(t, Config{Gravity: Vec{Y: -10}, Stepper: stepper, Workers: 1})
		a, b := r.box(0, 0), r.box(2, 0)
		r.start()
		var s Snapshot
		check(t, r.Snapshot(&s))
		r.run(2)
		check(t, r.SetName(b, "b"))
		for _, want := range []int{1, 0} { // the first time with the edit, the second time without an edit
			r.run(1)
			check(t, r.Restore(&s))
			if got := len(r.keeping.back.bodies); got != want {
				t.Errorf("%v: it looked at the records of %d bodies, not %d", stepper, got, want)
			}
			for _, of := range []Body{a, b} {
				if at := r.places.slots[r.registry.bodies[of].slot]; at.jump != jumpPending {
					t.Errorf("%v: %v, which has fallen, is blended", stepper, of)
				}
			}
		}
	}
}
