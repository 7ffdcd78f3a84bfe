package timing

import (
	"testing"

	"halfstep/buffer/phase"
)

func TestRestThatWasMeantIsNotTheLongestPhase(t *testing.T) {
	s := Span{Thread: phase.Render, PlannedSleep: 95}
	s.Spent[0], s.Spent[phase.Draw.Index()] = 100, 10
	if p := s.Longest(); p != phase.Draw {
		t.Error(p)
	}
	s.PlannedSleep = 20
	if p := s.Longest(); p != phase.Other {
		t.Error(p)
	}
}

func TestTheLongestStageMayBeNone(t *testing.T) {
	var s Span
	s.Spent[phase.Step.Index()] = 100
	s.Stages[Solve], s.Stages[Pairs] = 30, 20
	if at, ns := s.LongestStage(); at != NoStage || ns != 50 {
		t.Errorf("%v, %d", at, ns)
	}
	s.Stages[Solve] = 60
	if at, ns := s.LongestStage(); at != Solve || ns != 60 {
		t.Errorf("%v, %d", at, ns)
	}
}
