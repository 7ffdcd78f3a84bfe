package timeline

import (
	"time"

	"halfstep/buffer/phase"
	"halfstep/internal/timing"
)

// spanner is an engine.Trace, or another loop with the same method. Package engine documents the
// method.
type spanner interface {
	Spans(t phase.Thread, dst []timing.Span) []timing.Span
}

// Tape stores the newest spans of an engine: steps and frames with the times of their phases. It
// keeps spans for longer than the engine. Only one goroutine at a time may use a Tape.
type Tape struct {
	engine spanner
	keep   int64            // keep is how long a span is kept, in ns.
	spans  [2][]timing.Span // by thread, oldest first
	last   [2]int64         // by thread: the end of the newest span that was collected, even if the tape has dropped that span
	buffer []timing.Span    // scratch memory of Collect
}

// most is the greatest number of spans that are kept of each thread.
const most = 8192

// NewTape returns an empty tape. The tape keeps each span for the time keep, but at most 8,192
// spans of each thread.
func NewTape(e spanner, keep time.Duration) *Tape {
	return &Tape{engine: e, keep: int64(keep), buffer: make([]timing.Span, 0, timing.MaxSpans)}
}

// Collect adds the engine's spans since the last call of Collect. If f is not nil, Collect calls f
// with each of the spans. It reads frames before steps, so that the steps that the frames show are
// included. Collect misses spans if a thread makes more than timing.MaxSpans spans between two
// calls: at 60 frames a second, call it at least every four seconds.
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
		if young := t.Spans(thread); 2*len(young) < len(list) || len(list) > 2*most { // copying takes time, so it is done only when half of the list is old
			t.spans[thread] = list[:copy(list, young)]
		}
	}
}

// Spans returns the spans of a thread that are not too old, the oldest first. The result is valid
// until the next call of Collect.
func (t *Tape) Spans(thread phase.Thread) []timing.Span {
	list := t.spans[thread]
	oldest := timing.Now() - t.keep
	from := max(len(list)-most, 0)
	for from < len(list) && list[from].End < oldest {
		from++
	}
	return list[from:]
}
