package spans

import (
	"testing"
	"time"

	"halfstep/buffer/phase"
	"halfstep/engine"
)

// ran is a Source that has made some frames, long ago.
type ran []phase.Span

func (ran) Name() string            { return "ran" }
func (ran) Metrics() engine.Metrics { return engine.Metrics{} }
func (r ran) Spans(t phase.Thread, dst []phase.Span) []phase.Span {
	if t == phase.Render {
		dst = append(dst, r...)
	}
	return dst
}

// A machine that stands still for longer than a tape keeps leaves nothing on it.
func TestASpanIsTakenOnceAlsoWhenTheTapeIsEmpty(t *testing.T) {
	frames := ran{{Thread: phase.Render, Number: 1, Start: 1, End: 2}, {Thread: phase.Render, Number: 2, Start: 2, End: 3}}
	tape := NewTape(&frames, time.Nanosecond)
	var got []uint64
	note := func(s *phase.Span) { got = append(got, s.Number) }
	tape.Collect(note)
	tape.Collect(note)
	if len(tape.Spans(phase.Render)) != 0 {
		t.Fatal("the tape keeps what is too old")
	}
	frames = append(frames, phase.Span{Thread: phase.Render, Number: 3, Start: 3, End: 4})
	if tape.Collect(note); len(got) != 3 || got[2] != 3 {
		t.Errorf("frames %v", got)
	}
}
