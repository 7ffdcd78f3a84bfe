package scenes

import (
	"testing"

	"halfstep/world"
)

// If a step came in between, and then another, the journal would grow until the save
// has locked it.
func TestNoStepComesBetweenALineOfTheJournalAndItsSave(t *testing.T) {
	sim := world.NewSimulation(world.Config{})
	defer sim.Close()
	j := &journal{ticks: saveEvery - 1}
	j.BeforeStep(sim.World(), 0)
	if j.mu.TryLock() {
		t.Error("the next step does not wait for the save")
	}
}
