package scenes

import (
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/attack"
	"halfstep/test/whole"
	"halfstep/world"
)

// syncTested plays a scene under a sync test, and changes the scene's parameters while it
// plays.
func syncTested(t testing.TB, s Scene, way world.Stepper, back, ticks int) {
	t.Helper()
	c := s.Config()
	c.Time.Simulated, c.Time.Sync = true, renderloop.Lockstep
	c.World.Stepper = way
	c.Testing = engine.Testing{SyncTest: back}
	e, err := engine.New(c)
	if err != nil {
		t.Fatalf("%s: %v", s.Name, err)
	}
	defer e.Close()
	for i := range ticks {
		if n := len(s.Params); n > 0 && i%7 == 3 {
			p := &s.Params[i%n]
			e.DoNamed(p.Command(), p.Min+(p.Max-p.Min)*float64(i%5)/4)
		}
		e.Advance(time.Duration(float64(time.Second) / e.Rate().Float()))
		if err := e.Failure(); err != nil {
			t.Errorf("%s, %v: %v", s.Name, way, err)
			return
		}
	}
}

func TestEverySceneKeepsAllItsVariables(t *testing.T) {
	for i, s := range All() {
		bodies := open(t, s).Counts().Bodies
		if s.Name == "fall10000" || int(bodies) > whole.Rounds(100_000, 2000) {
			continue // that scene is like fall5000, and large scenes are slow
		}
		way := [...]world.Stepper{world.FastStep, world.SoftStep}[i%2]
		if bodies > 2000 {
			way = world.SoftStep
		}
		syncTested(t, s, way, 3, Fewer(60, bodies))
	}
}

// TestAttackSyncTests does the same for a longer time.
func TestAttackSyncTests(t *testing.T) {
	a := attack.Start(t)
	all := All()
	for r := range a.Rounds() {
		s := all[r.IntN(len(all))]
		way, ticks := world.Stepper(r.IntN(2)), 400
		if n := open(t, s).Counts().Bodies; n > 500 {
			way, ticks = world.SoftStep, 20
		}
		syncTested(t, s, way, 1+r.IntN(10), ticks)
		a.Count("ticks", uint64(ticks))
	}
}
