package world

import (
	"testing"

	"halfstep/buffer/phase"
	"halfstep/internal/phasetrace"
	"halfstep/internal/timing"
)

func TestAStepTellsItsStagesAndItsWork(t *testing.T) {
	for name, cfg := range map[string]Config{"fast": {Gravity: Vec{Y: -10}, NoSleep: true}, "soft": {Gravity: Vec{Y: -10}, NoSleep: true, Stepper: SoftStep}} {
		r := newRig(t, cfg)
		t.Cleanup(r.Close)
		phases := phasetrace.New(phase.Physics, "e")
		private{}.Follow(r.Simulation, phases)
		r.ground()
		for i := range 5 { // the boxes of a column, and a box beside it
			r.box(0, 1+float64(i))
		}
		r.box(5, 1)
		r.start()
		var s timing.Span
		for tick := range uint64(200) {
			phases.Begin(tick+1, phase.Commands)
			r.run(1)
			phases.End()
			s = phases.Spans(make([]timing.Span, 0, 1))[0]
		}
		known, rest := 0, s.Spent[phase.Step.Index()]
		for _, ns := range s.Stages {
			if rest -= ns; ns > 0 {
				known++
			}
		}
		want := timing.Work{Bodies: 7, Contacts: uint32(r.World.box.Contacts.Count()), Islands: 2, Largest: 5}
		if cfg.Stepper != FastStep {
			want.Islands, want.Largest = 0, 0
		}
		if known != 6 || rest < 0 {
			t.Errorf("%s: stages %v of %d ns", name, s.Stages, s.Spent[phase.Step.Index()])
		}
		if s.Work != want {
			t.Errorf("%s: %+v, want %+v", name, s.Work, want)
		}
	}
}
