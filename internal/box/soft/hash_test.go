package soft_test

import (
	"math"
	"testing"

	"halfstep/internal/box/soft"
	"halfstep/test/norace"
)

func TestOneBitOfWhatTheStepperKeepsChangesItsHash(t *testing.T) {
	norace.Only(t)
	seen := 0
	for _, scene := range []string{"pyramid", "jointgrid"} {
		w, _ := soft.SceneWorld(t, scene)
		s := soft.New(w, soft.Options{Workers: 1})
		defer s.Close()
		for range 20 {
			s.Step(1./60, 0, 0)
		}
		want := s.HashAll()
		for name, x := range s.Kept() {
			seen++
			old := *x
			*x = math.Float32frombits(math.Float32bits(old) ^ 1)
			if s.HashAll() == want {
				t.Errorf("%s: the hash does not see %s", scene, name)
			}
			*x = old
		}
		b := w.M_bodyList
		was := b.M_sweep.C0.X
		b.M_sweep.C0.X++ // one-way shapes use this value
		if s.HashAll() == want {
			t.Errorf("%s: the hash does not see where a body was", scene)
		}
		b.M_sweep.C0.X = was
		var state soft.State
		s.Save(&state)
		if s.Restore(&state); s.HashAll() != want {
			t.Errorf("%s: another hash after a restore", scene)
		}
	}
	if seen < 12 {
		t.Errorf("%d numbers were looked at", seen)
	}
}

func TestTheHashIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	for _, scene := range norace.Some([]string{"fall1000", "capsules1000"}, 1) {
		sameHashForWorkers(t, scene)
	}
}

func sameHashForWorkers(t *testing.T, scene string) {
	hash := func(workers int) uint64 {
		w, _ := soft.SceneWorld(t, scene)
		s := soft.New(w, soft.Options{Workers: workers})
		defer s.Close()
		for range 30 {
			s.Step(1./60, 0, 0)
		}
		return s.HashAll()
	}
	want := hash(1)
	soft.WithoutKernel(func() {
		for _, workers := range []int{2, 4} {
			if got := hash(workers); got != want {
				t.Errorf("%d workers: %x, and %x with one", workers, got, want)
			}
		}
	})
}
