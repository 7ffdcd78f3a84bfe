package hitch

import (
	"bytes"

	"halfstep/buffer/phase"
	"halfstep/engine/spans"
)

// perfettoTime is the length of the file for ui.perfetto.dev, ns.
const perfettoTime = 5e9

func (r *Report) perfetto(t *spans.Tape) ([]byte, error) {
	var b bytes.Buffer
	w := spans.NewWriter(&b)
	for _, thread := range []phase.Thread{phase.Physics, phase.Render} { // steps before the frames that show them
		for _, s := range t.Spans(thread) {
			if s.End >= r.end-perfettoTime {
				w.Span(r.Engine, &s)
			}
		}
	}
	w.Metrics(r.Engine, r.end-int64(r.Counters.Seconds*1e9), &r.Counters.Before)
	w.Metrics(r.Engine, r.end, &r.Counters.After)
	w.Hitch(r.Engine, r.start, r.end, r.Verdict)
	err := w.Close()
	return b.Bytes(), err
}
