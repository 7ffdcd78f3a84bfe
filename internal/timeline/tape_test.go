package timeline

import (
	"testing"
	"time"

	"halfstep/buffer/phase"
	"halfstep/internal/timing"
)

// ran is an engine that made some frames a long time ago.
type ran []timing.Span

func (r ran) Spans(t phase.Thread, dst []timing.Span) []timing.Span {
	if t == phase.Render {
		dst = append(dst, r...)
	}
	return dst
}

// After a pause that is longer than the time for which a tape keeps spans, the tape is
// empty.
func TestASpanIsTakenOnceAlsoWhenTheTapeIsEmpty(t *testing.T) {
	frames := ran{{Thread: phase.Render, Number: 1, Start: 1, End: 2}, {Thread: phase.Render, Number: 2, Start: 2, End: 3}}
	tape := NewTape(&frames, time.Nanosecond)
	var got []uint64
	note := func(s *timing.Span) { got = append(got, s.Number) }
	tape.Collect(note)
	tape.Collect(note)
	if len(tape.Spans(phase.Render)) != 0 {
		t.Fatal("the tape keeps what is too old")
	}
	frames = append(frames, timing.Span{Thread: phase.Render, Number: 3, Start: 3, End: 4})
	if tape.Collect(note); len(got) != 3 || got[2] != 3 {
		t.Errorf("frames %v", got)
	}
}

func TestATapeKeepsEachSpanOnceAndNoMoreThanItsTime(t *testing.T) {
	var frames ran
	tape := NewTape(&frames, time.Minute)
	frame := func() {
		frames = append(frames, timing.Span{Thread: phase.Render, Number: uint64(len(frames)), Start: timing.Now(), End: timing.Now() + int64(len(frames)) + 1})
	}
	for range 5 {
		for range 100 {
			frame()
		}
		tape.Collect(nil)
		tape.Collect(nil)
	}
	list := tape.Spans(phase.Render)
	if len(list) != 500 {
		t.Errorf("%d frames", len(list))
	}
	for i := 1; i < len(list); i++ {
		if list[i].Number != list[i-1].Number+1 {
			t.Fatalf("%d after %d", list[i].Number, list[i-1].Number)
		}
	}
	for len(frames) < 2*most {
		frame()
	}
	if tape.Collect(nil); len(tape.Spans(phase.Render)) != most {
		t.Errorf("%d frames of %d", len(tape.Spans(phase.Render)), len(frames))
	}
	tape.keep = -int64(time.Hour)
	if tape.Collect(nil); len(tape.Spans(phase.Render)) != 0 {
		t.Errorf("%d spans are too old", len(tape.Spans(phase.Render)))
	}
}
