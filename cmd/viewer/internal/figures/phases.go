package figures

import (
	"halfstep/buffer/phase"
	"halfstep/internal/timing"
)

// spanner is an engine, or another loop, that has the spans of the last frames
// and steps.
type spanner interface {
	Spans(thread phase.Thread, dst []timing.Span) []timing.Span
}

// phaseTable has the times of the phases of the last frames and steps.
type phaseTable struct {
	spans   []timing.Span                    // spans is scratch memory for the frames or steps of a thread.
	Rows    [2][phase.PerThread + 1]PhaseRow // Rows are by thread and phase. The last row of a thread is the sum.
	Worst   timing.Span                      // the longest frame
	Counted [2]int                           // Counted is the number of frames and of steps in the rows, by thread.
}

// PhaseRow has times of one phase in ns: in the newest frame or step, on
// average, and at most.
type PhaseRow struct{ Now, Mean, Most int64 }

// read computes the table again from the spans that an engine keeps.
func (t *phaseTable) read(p spanner) {
	if t.spans == nil {
		t.spans = make([]timing.Span, 0, timing.MaxSpans)
	}
	t.Rows, t.Worst = [2][phase.PerThread + 1]PhaseRow{}, timing.Span{}
	for _, thread := range [...]phase.Thread{phase.Render, phase.Physics} {
		t.spans = p.Spans(thread, t.spans[:0])
		rows := &t.Rows[thread]
		t.Counted[thread] = len(t.spans)
		for i := range t.spans {
			s := &t.spans[i]
			for k := range s.Spent {
				rows[k].add(s.SpentIn(k), len(t.spans))
			}
			rows[phase.PerThread].add(int64(s.Took()), len(t.spans))
			if thread == phase.Render && s.Took() > t.Worst.Took() {
				t.Worst = *s
			}
		}
	}
}

// add adds the time of one span. The parameter of is the number of all spans.
// The newest span must be added last.
func (r *PhaseRow) add(ns int64, of int) {
	r.Now = ns
	r.Mean += ns / int64(of)
	r.Most = max(r.Most, ns)
}
