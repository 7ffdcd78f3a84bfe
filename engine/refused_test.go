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
		"sync 9":             {Time: engine.Time{Sync: 9}},
		"smoothing 9":        {Time: engine.Time{Smoothing: 9}},
		"pacing 9":           {Time: engine.Time{Pacing: 9}},
		"replay from tick 5": {History: engine.HistoryOptions{ReplayFrom: 5}},
		"Recording is empty": (&engine.Recording{}).Config(nil),
	} {
		e, err := engine.New(c)
		if err == nil {
			e.Close()
			t.Errorf("%s is taken", name)
		} else if !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error is %q", name, err)
		}
	}
	if _, err := (&engine.Recording{}).Verify(nil); err == nil {
		t.Error("an empty recording is verified")
	}
}

func TestAQuestionThatIsNoneIsRejected(t *testing.T) {
	e := start(t, engine.Config{Time: engine.Time{Simulated: true}})
	world.Ask(e.Commands, nil, func(uint64, int) { t.Error("it is answered") })
	e.Step(1)
	rejected := 0
	for ev := range e.Events() {
		if ev.Kind == world.CommandRejected {
			rejected++
		}
	}
	if err := e.Failure(); err != nil || rejected != 1 {
		t.Errorf("%d rejected, %v", rejected, err)
	}
}

func TestARefusedSnapshotCommandNamesTheNumberThatWasGiven(t *testing.T) {
	for _, n := range []int{world.MaxSnapshots, -5, world.MaxSnapshots + 99} {
		e := start(t, engine.Config{Time: engine.Time{Simulated: true}})
		e.RestoreSnapshot(n)
		e.Commands.KeepSnapshot(n)
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
