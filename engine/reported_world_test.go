package engine_test

import (
	"strconv"
	"strings"
	"testing"

	"halfstep/engine"
	"halfstep/world"
)

func TestSettingsThatMeanNothingAreRefusedInOneLine(t *testing.T) {
	for name, c := range map[string]engine.Config{
		"sync 9":             {Sync: 9},
		"smoothing 9":        {Time: engine.Time{Smoothing: 9}},
		"replay from tick 5": {ReplayFrom: 5},
	} {
		e, err := engine.New(c)
		if err == nil {
			e.Close()
			t.Errorf("%s is taken", name)
		} else if !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error is %q", name, err)
		}
	}
}

func TestARefusedSnapshotCommandNamesTheNumberThatWasGiven(t *testing.T) {
	for _, n := range []int{99, -5, 64} {
		e := start(t, engine.Config{Time: engine.Time{Simulated: true}})
		e.Restore(n)
		e.Commands.Snapshot(n)
		e.Step(1)
		told := 0
		for ev := range e.Events() {
			if ev.Kind == world.CommandRejected && strings.Contains(ev.Err.Error(), "snapshot "+strconv.Itoa(n)+":") {
				told++
			}
		}
		if told != 2 {
			t.Errorf("of number %d: %d errors name it", n, told)
		}
	}
}
