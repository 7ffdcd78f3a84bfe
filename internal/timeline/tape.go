package timeline

import (
	"time"

	"halfstep/buffer/phase"
	"halfstep/internal/timing"
)

// spanner is an engine.Trace, which documents the method, or another loop that has it.
type spanner interface {
	Spans(t phase.Thread, dst []timing.Span) []timing.Span
}

// Tape keeps the newest spans (steps and frames with the times of their phases) of an engine, and
// more of them than the engine. One goroutine at a time may use it.
type Tape struct {
	engine spanner
	keep   int64            // for how long a span is kept, ns
	spans  [2][]timing.Span // by thread, oldest first
	last   [2]int64         // by thread: the end of the newest span seen, even if spans no longer has it
	buffer []timing.Span    // scratch of Collect
}

// most is how many spans are kept of each thread.
const most = 8192

// NewTape returns an empty tape that keeps the spans of that time, but at most 8,192 of each
// thread.
func NewTape(e spanner, keep time.Duration) *Tape {
	return &Tape{engine: e, keep: int64(keep), buffer: make([]timing.Span, 0, timing.MaxSpans)}
}

// Collect adds the engine's spans since the last Collect, and calls f, unless it is nil, with each
// of them. Frames come first, so that the steps that they show are included. Collect misses spans
// if an engine makes more than timing.MaxSpans of a thread between two calls: at 60 frames a
// second, call it at least every four seconds.
func (t *Tape) Collect(f func(*timing.Span)) {
	for _, thread := range []phase.Thread{phase.Render, phase.Physics} {
		list := t.spans[thread]
		t.buffer = t.engine.Spans(thread, t.buffer[:0])
		for i := range t.buffer {
			if s := &t.buffer[i]; s.End > t.last[thread] {
				t.last[thread] = s.End
				list = append(list, *s)
				if f != nil {
					f(s)
				}
			}
		}
		t.spans[thread] = list
		if young := t.Spans(thread); 2*len(young) < len(list) || len(list) > 2*most { // only when half of the list is old, because it copies
			t.spans[thread] = list[:copy(list, young)]
		}
	}
}

// Spans returns the spans of a thread, oldest first, without those that are too old. They are
// valid until the next Collect.
func (t *Tape) Spans(thread phase.Thread) []timing.Span {
	list := t.spans[thread]
	oldest := timing.Now() - t.keep
	from := max(len(list)-most, 0)
	for from < len(list) && list[from].End < oldest {
		from++
	}
	return list[from:]
}
