package fast_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/box/fast"
	"halfstep/internal/binenc"
	lib "halfstep/internal/box"
	"halfstep/internal/box/b2state"
	"halfstep/internal/box/store"
	"halfstep/internal/owner"
	"halfstep/test/attack"
	"halfstep/test/norace"
	"halfstep/test/whole"
	"halfstep/test/worldgen"
)

// again plays a random world, saves its state after some steps and plays on.
// Then it restores the state and plays the same steps again. With workers 0 it
// uses the library's step.
func again(t testing.TB, seed uint64, before, after, workers int) {
	t.Helper()
	name := fmt.Sprintf("seed %d, %d workers", seed, workers)
	p := worldgen.New(seed)
	if workers > 0 {
		p = worldgen.Alternating(seed)
	}
	set := lib.New(p.World, true)
	step := p.World.Step
	if workers > 0 {
		s := fast.New(p.World, fast.Options{Workers: workers, Active: set})
		defer s.Close()
		s.ForceParallel()
		step = told(set, s)
	}
	play := func(steps int) (tr trace) {
		for range steps {
			if failure := p.Step(step); failure != nil {
				tr.failure = fmt.Sprint(failure)
				break
			}
			tr.digests = append(tr.digests, p.Digest())
		}
		tr.recent = append(tr.recent, p.Recent()...)
		return tr
	}
	if tr := play(before); tr.failure != "" {
		return // there is no world with which to go on
	}
	var state b2state.State
	past := b2state.NewPast(p.World, set, new(store.Store), new(b2state.Shapes))
	set.LookAtAll()
	if err := past.Save(&state); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	restore, digest := p.Save(), p.Digest()
	copied := throughBytes(t, name, p, &state, workers)
	want := play(after)
	if want.failure != "" {
		p.World.M_flags &^= 2 // the restore sets this flag again
	}
	for pass := range 3 {
		if pass == 2 {
			if copied == nil {
				break
			}
			p, step = copied.Player, copied.step
			defer copied.end()
		} else {
			set.LookAtAll()
			past.Restore(&state)
			restore()
		}
		if p.Digest() != digest {
			t.Fatalf("%s: the restored state has other bits", name)
		}
		got := play(after)
		if got.failure != want.failure || len(got.digests) != len(want.digests) {
			t.Fatalf("%s, pass %d: panic %q in step %d; the first time: %q in step %d", name, pass+1,
				got.failure, len(got.digests)+1, want.failure, len(want.digests)+1)
		}
		for i, d := range got.digests {
			if d != want.digests[i] {
				t.Fatalf("%s, pass %d: other bits or callbacks %d steps after the restore\nfirst:\n%s\nthen:\n%s", name, pass+1, i+1,
					strings.Join(want.recent, "\n"), strings.Join(got.recent, "\n"))
			}
		}
	}
}

func TestARestoredRandomWorldGoesOnWithTheSameBitsAndCallbacks(t *testing.T) {
	n := *seeds
	if n == 0 {
		n = norace.Rounds(whole.Rounds(16, 5), 3)
	}
	ways := []int{0, 1, 2, 4}
	if owner.Checked {
		ways = []int{4}
	}
	for i := range n {
		seed := uint64(*first + i)
		for _, workers := range ways {
			again(t, seed, 20+int(seed%7)*13, 40, workers)
		}
	}
}

// TestAttackRestores plays more restored worlds, for the time of the attack.
func TestAttackRestores(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		seed := r.Uint64()
		before, after := 1+r.IntN(150), 1+r.IntN(80)
		for _, workers := range []int{0, 1, 2, 4} {
			again(t, seed, before, after, workers)
		}
		a.Count("steps after a restore", uint64(after))
	}
}

// told is a step for which every change of the world is reported.
func told(set *lib.World, s *fast.Stepper) worldgen.StepFunc {
	return func(dt float64, velocityIterations, positionIterations int) {
		set.LookAtAll()
		s.Step(dt, velocityIterations, positionIterations)
	}
}

type copied struct {
	*worldgen.Player
	step worldgen.StepFunc
	end  func()
}

// throughBytes returns a player in a new world, which is made from the bytes of
// a state. It returns nil if this player cannot move to another world.
func throughBytes(t testing.TB, name string, p *worldgen.Player, state *b2state.State, workers int) *copied {
	t.Helper()
	order := state.Order()
	b, _ := state.Append(nil, &order)
	r := &binenc.Reader{Rest: b}
	l := b2state.Read(r, false)
	if r.Err != nil || len(r.Rest) > 0 {
		t.Fatalf("%s: %d bytes left: %v", name, len(r.Rest), r.Err)
	}
	var again b2state.State
	if err := l.Save(&again); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	w := box2d.MakeB2World(box2d.B2Vec2{})
	set := lib.New(&w, true)
	b2state.NewPast(&w, set, new(store.Store), new(b2state.Shapes)).Restore(&again)
	moved := p.MoveTo(&w)
	if moved == nil {
		return nil
	}
	q := &copied{moved, w.Step, func() {}}
	if workers > 0 {
		s := fast.New(&w, fast.Options{Workers: workers, Active: set})
		s.ForceParallel()
		q.step, q.end = told(set, s), s.Close
	}
	return q
}
