package v3scene

import (
	"testing"

	"halfstep/test/norace"
	"halfstep/test/whole"
	"halfstep/world"
)

// early is the state of a scene after 60 steps.
var early = map[string]struct {
	hash      uint64
	moving    int     // at most
	deepest   float64 // at most, m
	widestGap float64 // at most, m
}{
	"compounds":     {0x70f52fb382e79445, 3000, .01, 0},
	"joint_grid":    {0x4173fa3b7d2bcac0, 9993, 0, .4}, // the net falls; with v3 the gap is 0.37
	"junkyard":      {0x9441b277d20b913d, 8000, .01, 0},
	"large_pyramid": {0xc2f54cf2e086c9ec, 4738, .027, 0}, // v3: 4,738 of them
	"many_pyramids": {0x7503b4e7be2ed01c, 0, .003, 0},
	"rain":          {0x4ef571fb4ca75871, 2200, .01, .0002},
	"smash":         {0xe3163e9a595f1739, 1, 0, 0},
	"spinner":       {0x8aecc5b962ee0ef2, 6076, .89, .002}, // v3: 0.85
	"tumbler":       {0x407f925595cbe64e, 2025, .13, .0002},
	"washer":        {0x75ff60899ffbf765, 8100, .15, 0},
}

// scripts/check/soft-everywhere runs it on other machines.
func TestTheScenesOfBox2DV3AreSoundAndHaveOneHashOnEveryMachine(t *testing.T) {
	norace.Only(t)
	for i, s := range scenes {
		want := early[s.Name]
		for k, workers := range []int{1, 4} {
			if k != i%2 && !whole.Asked() {
				continue
			}
			sim := s.Simulation(world.SoftStep, workers)
			for range 60 {
				sim.Step(sim.World().Tick()+1, StepSeconds)
			}
			if h := sim.World().Hash(); h != want.hash {
				t.Errorf("%s on %d workers: hash %#x, not %#x", s.Name, workers, h, want.hash)
			}
			if l := s.Look(sim); l.Outside > 0 || l.Moving > want.moving || l.Deepest > want.deepest || l.WidestGap > want.widestGap {
				t.Errorf("%s: %+v; at most %+v", s.Name, l, want)
			}
			sim.Close()
		}
	}
}

// If contacts were solved in the order in which they began, the rows of the pyramid would
// be pushed to one side while it settles, and it would sway for many seconds.
func TestALargePyramidIsStillAfterEightSeconds(t *testing.T) {
	norace.Only(t)
	s, err := Find("large_pyramid")
	if err != nil {
		t.Fatal(err)
	}
	sim := s.Simulation(world.SoftStep, 1)
	defer sim.Close()
	for range s.Steps {
		sim.Step(sim.World().Tick()+1, StepSeconds)
	}
	if l := s.Look(sim); l.Moving > 0 || l.Deepest > .022 { // v3: none, 0.021
		t.Errorf("%d boxes move; two overlap by %.4f m", l.Moving, l.Deepest)
	}
}
