package timeline

import (
	"slices"
	"testing"

	"halfstep/buffer/phase"
	"halfstep/internal/timing"
)

func TestThePartsOfASpanLieOneAfterTheOtherWithinIt(t *testing.T) {
	s := timing.Span{Thread: phase.Physics, Start: 100, End: 200}
	s.Spent = [phase.PerThread]int64{0: 15, 3: 60, 5: 25}
	s.Stages[timing.Solve], s.Stages[timing.Continuous] = 40, 30 // these are 10 more than the phase
	want := []Part{
		{phase.Step, timing.NoStage, 100, 60}, {phase.Step, timing.Solve, 100, 40}, {phase.Step, timing.Continuous, 140, 20},
		{phase.Capture, timing.NoStage, 160, 25}, {phase.Other, timing.NoStage, 185, 15},
	}
	if got := slices.Collect(Parts(&s)); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	for range Parts(&s) {
		break // must not go on
	}
}

func TestPlannedSleepIsNoPartOfAFrame(t *testing.T) {
	s := timing.Span{Thread: phase.Render, End: 100, PlannedSleep: 70}
	s.Spent = [phase.PerThread]int64{0: 80, 4: 20}
	got := slices.Collect(Parts(&s))
	if len(got) != 2 || got[1] != (Part{phase.Other, timing.NoStage, 20, 10}) {
		t.Errorf("%v", got)
	}
}

func TestEveryPhaseAndStageHasAColour(t *testing.T) {
	frame, step, stages := Names()
	colours := CSSColours()
	for _, name := range slices.Concat(frame, step, stages[1:]) {
		if c := colours[name]; len(c) != 7 || c == "#000000" {
			t.Errorf("%q is %q", name, c)
		}
	}
	if c := Colour(phase.Draw); c != [4]uint8{0x4c, 0x9b, 0xe8, 255} {
		t.Error(c)
	}
}

func TestGoingThroughPartsAllocatesNothing(t *testing.T) {
	s := timing.Span{End: 100}
	s.Spent[phase.Step.Index()] = 100
	sum := int64(0)
	if n := testing.AllocsPerRun(100, func() {
		for p := range Parts(&s) {
			sum += p.Took
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
