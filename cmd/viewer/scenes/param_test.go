package scenes

import (
	"math"
	"slices"
	"testing"

	"halfstep/engine"
	"halfstep/test/norace"
	"halfstep/world"
)

// played sends a parameter to a scene, runs the scene for some steps, and returns
// the hash.
func played(t *testing.T, s Scene, steps int, name string, args ...float64) uint64 {
	t.Helper()
	c := s.Config()
	var w *world.World
	setup := c.Setup
	c.Setup = func(world *world.World) error { w = world; return setup(w) }
	c.Time.Simulated = true
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	if name != "" {
		e.DoNamed(name, args...)
	}
	e.Step(steps)
	for ev := range e.Events() {
		if ev.Kind == world.CommandRejected {
			t.Errorf("%s: %v", name, ev.Err)
		}
	}
	e.Close()
	if err := e.Failure(); err != nil {
		t.Fatal(err)
	}
	return w.Hash()
}

func TestAtLeastTenScenesHaveParameters(t *testing.T) {
	n := 0
	for _, s := range All() {
		if len(s.Params) > 0 {
			n++
		}
	}
	if n < 10 {
		t.Errorf("%d scenes have parameters", n)
	}
}

// The default of a parameter does not change the scene, but one of the limits does.
// Invalid values from a broken recording are harmless.
func TestEveryParameterChangesItsScene(t *testing.T) {
	norace.Only(t)
	for _, s := range All() {
		steps := 90
		switch s.Name {
		case "fall1000", "fall5000", "fall10000", "islands", "jointgrid": // as the pyramid
			continue
		case "pyramid", "tumbler":
			steps = 12
		}
		if len(s.Params) == 0 {
			continue
		}
		plain := played(t, s, steps, "")
		for i := range s.Params {
			p := &s.Params[i]
			if s.Name == "cradle" && p.Name == "balls lifted" {
				continue // the default moves the balls back, with a rounding error
			}
			if played(t, s, steps, p.Command(), p.Default) != plain {
				t.Errorf("%s: %s at its default changes the scene", s.Name, p.Name)
			}
			if p.Name == "rebound" || s.Name == "tumbler" && p.Name == "friction" {
				continue // after so few steps nothing has touched yet
			}
			if played(t, s, steps, p.Command(), p.Max) == plain && played(t, s, steps, p.Command(), p.Min) == plain {
				t.Errorf("%s: %s changes nothing", s.Name, p.Name)
			}
		}
	}
	drift, _ := Lookup("drift")
	for _, args := range [][]float64{{}, {1, 2}, {math.NaN()}, {math.Inf(1)}, {-1e300}} {
		played(t, drift, 3, "set speed", args...)
	}
}

func TestAParameterIsFixedToItsStepsAndRange(t *testing.T) {
	p := Param{Name: "x", Min: -1, Max: 2, Default: .1, Step: .1}
	for x, want := range map[float64]float64{.1: .1, .14: .1, .16: .2, -5: -1, 9: 2, 1.9999: 2, math.NaN(): .1, math.Inf(1): 2} {
		if got := p.Fix(x); got != want {
			t.Errorf("%v becomes %v, not %v", x, got, want)
		}
	}
	for name, bad := range map[string]Param{
		"no name": {Min: 0, Max: 1, Step: 1}, "no range": {Name: "x", Step: 1}, "no step": {Name: "x", Max: 1},
		"default": {Name: "x", Max: 1, Step: .5, Default: .3}, "capitals": {Name: "X", Max: 1, Step: 1},
	} {
		if bad.check() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestEveryBuiltInSceneHasACategory(t *testing.T) {
	for _, s := range All() {
		if !slices.Contains(categories, s.Category) {
			t.Errorf("%s has none", s.Name)
		}
	}
}
