package phase

import "testing"

func TestEveryPhaseHasANameAndASlotOfItsLoop(t *testing.T) {
	seen := map[string]bool{}
	for loop := Physics; loop <= Render; loop++ {
		for slot := 1; slot < PerThread; slot++ {
			p := loop.Phase(slot)
			if p.Index() != slot || seen[p.String()] || p.String() == "" {
				t.Errorf("%v: slot %d holds %v, whose slot is %d", loop, slot, p, p.Index())
			}
			seen[p.String()] = true
		}
	}
	if len(seen) != int(count)-1 || Other.Index() != 0 || Physics.Phase(0) != Other || Phase(99).String() != "unknown" {
		t.Errorf("%d phases: %v", len(seen), seen)
	}
}

func TestRestThatWasMeantIsNotTheLongestPhase(t *testing.T) {
	s := Span{Thread: Render, PlannedSleep: 95}
	s.Spent[0], s.Spent[Draw.Index()] = 100, 10
	if p := s.Longest(); p != Draw {
		t.Error(p)
	}
	s.PlannedSleep = 20
	if p := s.Longest(); p != Other {
		t.Error(p)
	}
}

func TestTheLongestStageMayBeNone(t *testing.T) {
	var s Span
	s.Spent[Step.Index()] = 100
	s.Stages[Solve], s.Stages[Pairs] = 30, 20
	if at, ns := s.LongestStage(); at != NoStage || ns != 50 {
		t.Errorf("%v, %d", at, ns)
	}
	s.Stages[Solve] = 60
	if at, ns := s.LongestStage(); at != Solve || ns != 60 {
		t.Errorf("%v, %d", at, ns)
	}
}
