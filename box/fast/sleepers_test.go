package fast_test

import (
	"testing"

	"halfstep/box/fast"
	"halfstep/test/attack"
	"halfstep/test/garden"
	"halfstep/test/norace"
	"halfstep/test/whole"
	"halfstep/test/worldhash"
)

// sleepers compares a world for which every edit is reported with a world that the
// library steps. It returns the number of steps in which some bodies slept and others did
// not.
func sleepers(t testing.TB, seed uint64, steps int) (mixed uint64) {
	t.Helper()
	const velocity, position = 8, 3
	library := garden.New(seed, false)
	want := library.Play(steps, func(dt float64) { library.Step(dt, velocity, position) }, func() uint64 { return worldhash.World(library.B2World) })
	for _, workers := range norace.Some([]int{3, 1}, 1) {
		y := garden.New(seed, true)
		s := fast.New(y.B2World, fast.Options{Workers: workers, Active: y.Set})
		got := y.Play(steps, func(dt float64) { s.Step(dt, velocity, position) }, func() uint64 { return worldhash.World(y.B2World) })
		s.Close()
		if d := garden.FirstDifference(want, got); d != "" {
			t.Fatalf("seed %d, %d workers: %s", seed, workers, d)
		}
	}
	return want.Mixed
}

func TestWhatSleepsHasTheBitsAndCallbacksOfTheLibrary(t *testing.T) {
	mixed, steps := uint64(0), 300
	n := uint64(norace.Rounds(whole.Rounds(4, 2), 1))
	for i := range n {
		mixed += sleepers(t, i, steps)
	}
	if mixed < n*uint64(steps)/5 {
		t.Errorf("a dull test: in %d of %d steps some bodies slept and others did not", mixed, n*uint64(steps))
	}
}

// In step 299 of this world a body is woken before the events, and an event wakes another
// one. The contacts of both bodies are older than others that may have an event.
func TestAnEventFindsItsCandidatesWhereItBringsOlderOnes(t *testing.T) {
	norace.Only(t)
	sleepers(t, 4135869421687743983, 300)
}

// TestAttackSleepers plays more of these worlds, for the time of the attack.
func TestAttackSleepers(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		mixed := sleepers(t, r.Uint64(), 300)
		a.Count("steps of each way", 300)
		a.Count("of them with sleepers", mixed)
	}
}
