package world

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"halfstep/test/norace"
)

// content is a snapshot as bytes, but for counters that do not go back, and for slots
// that were free then.
func (s *Snapshot) content(t *testing.T, slots int) []byte {
	t.Helper()
	c := *s
	c.counters, c.numbered, c.free = counters{shift: s.shift}, nil, nil
	c.slotCount = 0
	c.recordSet = &recordSet{bodies: slices.Clone(s.bodies), shapes: slices.Clone(s.shapes)}
	c.joints = slices.Clone(s.joints)
	for i := range c.bodies {
		c.bodies[i].value.seen = 0
	}
	for i := range c.shapes {
		c.shapes[i].value.seen, c.shapes[i].value.index = 0, 0
	}
	for i := range c.joints {
		c.joints[i].value.seen = 0
	}
	b, err := c.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for i := range slots {
		v := s.slot(i)
		v.generation = 0
		b = appendPlain(b, &v)
	}
	return b
}

// A snapshot that is taken again leaves out what has not been edited since, and so
// does going back. Commands of all kinds are given, but not before every step.
func TestASnapshotTakenAgainHoldsWhatANewOneDoes(t *testing.T) {
	norace.Only(t)
	const beforeStep, afterStep = "one taken before a step", "one taken after a step"
	spared, gone := 0, 0
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 9))
		sim := NewSimulation(Config{Gravity: Vec{Y: -10}, Stepper: Stepper(seed % 3), Workers: 1})
		defer sim.Close()
		w := &sim.world
		c := NewChaos(r, w)
		var ring [3]Snapshot
		var fresh Snapshot
		at := uint64(0)
		same := func(when string, s *Snapshot) {
			t.Helper()
			fresh.empty()
			if err := w.Snapshot(&fresh); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(fresh.content(t, s.slotCount), s.content(t, s.slotCount)) {
				t.Fatalf("seed %d, step %d: %s is another state than a new snapshot", seed, at, when)
			}
			if w.soft != nil {
				walked, err := Walked(w)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(OfStepper(walked), OfStepper(s)) {
					t.Fatalf("seed %d, step %d: %s has another state of the stepper", seed, at, when)
				}
			}
		}
		stepped := map[*Snapshot]bool{} // the stepper has seen all bodies; it cannot forget them again
		take := func(when string) {
			t.Helper()
			s := &ring[r.IntN(3)]
			stepped[s] = when == afterStep
			if w.unedited(s) {
				spared++
			}
			if err := w.Snapshot(s); err != nil {
				t.Fatal(err)
			}
			same(when, s)
		}
		for range 90 {
			sim.BeginFrame()
			for k := range r.IntN(6) {
				command := c.Command()
				if at > 40 && k < 4 || at%5 > 1 { // pushes, which are no edits
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
				if w.unedited(s) {
					gone++
				}
				if err := sim.world.restore(s, true); err != nil {
					t.Fatal(err)
				}
				at = inside{}.Tick(s)
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

// A snapshot that is taken again keeps the records of joints that it has.
func TestASnapshotLooksAtJointsAfterAnEditAlone(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	a, b := r.box(0, 0), r.box(2, 0)
	j, err := r.CreateJoint(JointDef{Kind: WeldJoint, A: a, B: b})
	check(t, err)
	r.start()
	var s Snapshot
	looked := func(what string, edit func() error, want bool) {
		t.Helper()
		const left = 77 // by the test
		check(t, r.World.Snapshot(&s))
		if len(s.joints) > 0 {
			s.joints[0].value.id = left
		}
		check(t, edit())
		r.run(1)
		check(t, r.World.Snapshot(&s))
		if got := len(s.joints) == 0 || s.joints[0].value.id != left; got != want {
			t.Errorf("after %s: looked at joints: %v, not %v", what, got, want)
		}
	}
	looked("a push", func() error { return r.Impulse(a, Vec{1, 0}) }, false)
	looked("another limit", func() error { return r.SetBreakLimits(j, 1e9, 0) }, true)
	looked("a step", func() error { return nil }, false)
	looked("another spring", func() error { return r.SetSpring(j, 5, 1) }, true)
	looked("raw access", func() error { r.Box2D(); return nil }, true)
	looked("a new joint", func() error { _, err := r.CreateJoint(JointDef{Kind: WeldJoint, A: a, B: b}); return err }, true)
	looked("the end of one", func() error { return r.DestroyJoint(j) }, true)
	looked("the end of a body", func() error { return r.DestroyBody(a) }, true)
}
