package scenes

import (
	"fmt"
	"testing"

	"halfstep/test/again"
	"halfstep/test/attack"
	"halfstep/world"
)

// goesBack checks that a scene goes on from a snapshot as it did the first time.
func goesBack(t testing.TB, s Scene, cfg world.Config, before, after int) {
	t.Helper()
	c := s.Config()
	c.World.Stepper, c.World.Workers = cfg.Stepper, cfg.Workers
	open := func() *again.Run {
		sim := world.NewSimulation(c.World)
		if err := c.Setup(sim.World()); err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		return &again.Run{Simulation: sim}
	}
	again.Check(t, fmt.Sprintf("%s, %+v, %d steps", s.Name, cfg, before), open, before, after)
}

func TestEverySceneGoesOnFromASnapshotAsItDidTheFirstTime(t *testing.T) {
	for i, s := range All() {
		if s.Name == "fall10000" {
			continue // as fall5000; the attack has them all
		}
		steps := Fewer(15, open(t, s).Counts().Bodies)
		cfg := world.Config{Workers: 1 + i%2}
		switch {
		case i%3 == 0 && steps > 5 && !HasCapsules(s):
			cfg.Stepper = world.StockStep
		case i%3 == 1:
			cfg.Stepper = world.SoftStep
		}
		goesBack(t, s, cfg, 2*steps, steps)
	}
}

// TestAttackRestores is TestEveryScene… with every stepper, and for longer.
func TestAttackRestores(t *testing.T) {
	a := attack.Start(t)
	all := All()
	for r := range a.Rounds() {
		s := all[r.IntN(len(all))]
		cfg := [...]world.Config{{Stepper: world.StockStep}, {Workers: 1}, {Workers: 2}, {Workers: 4},
			{Stepper: world.SoftStep, Workers: 1}, {Stepper: world.SoftStep, Workers: 4}}[r.IntN(6)]
		if HasCapsules(s) && cfg.Stepper == world.StockStep {
			continue // it has none
		}
		steps := 200
		if open(t, s).Counts().Bodies > 500 {
			steps = 20
		}
		after := 1 + r.IntN(steps)
		goesBack(t, s, cfg, r.IntN(2*steps), after)
		a.Count("steps after a restore", uint64(after))
	}
}

// HasCapsules says which scenes the stock stepper cannot play.
func HasCapsules(s Scene) bool { return s.Name == "capsules" || s.Name == "ragdolls" }
