package figures

import (
	"halfstep/buffer/phase"
	"halfstep/internal/timing"
)

// spanner keeps the spans of the last frames and steps: an engine.
type spanner interface {
	Spans(thread phase.Thread, dst []timing.Span) []timing.Span
}

// phaseTable has the times of the phases of the last frames and steps.
type phaseTable struct {
	spans   []timing.Span                    // scratch: the frames or steps of a thread
	Rows    [2][phase.PerThread + 1]PhaseRow // by thread and phase; the last is their sum
	Worst   timing.Span                      // the longest frame
	Counted [2]int                           // how many frames and steps are in the rows, by thread
}

// PhaseRow is the time of one phase, ns.
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

// add adds the time of one span; of is the number of all spans. The newest one
// comes last.
func (r *PhaseRow) add(ns int64, of int) {
	r.Now = ns
	r.Mean += ns / int64(of)
	r.Most = max(r.Most, ns)
}
