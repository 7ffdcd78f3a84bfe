package scenes

import (
	"slices"
	"testing"

	"halfstep/engine"
	"halfstep/world"
)

func TestABenchmarkSceneHasTheParametersThatItNamesAndNoOthers(t *testing.T) {
	for _, has := range [][]benchParam{nil, {benchFriction}, {tumblerSpeed}, {tumblerSpeed, benchFriction}} {
		s := bench("tumbler", "a box that turns", View{}, has...)
		for _, p := range []benchParam{benchFriction, tumblerSpeed} {
			named := slices.ContainsFunc(has, func(h benchParam) bool { return h.Name == p.Name })
			shown := slices.ContainsFunc(s.Params, func(q Param) bool { return q.Name == p.Name })
			if taken := takes(t, s, &p.Param); taken != named || shown != named {
				t.Errorf("of %d parameters %s is one: %v; it is shown: %v, and can be set: %v", len(has), p.Name, named, shown, taken)
			}
		}
	}
}

// takes reports whether a parameter can be set in the world of a scene.
func takes(t *testing.T, s Scene, p *Param) bool {
	t.Helper()
	c := s.Config()
	c.Time.Simulated = true
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.DoNamed(p.Command(), p.Default)
	e.Step(1)
	for ev := range e.Events() {
		if ev.Kind == world.CommandRejected {
			return false
		}
	}
	return true
}
