package hitch

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"halfstep/buffer/phase"
	"halfstep/engine"
	"halfstep/engine/spans"
)

type file struct {
	name string
	data []byte
}

func (r *Recorder) write(main late, also []late) (path string, rep *Report, err error) {
	tape := r.tape(main.of)
	tape.Collect(nil)
	rep = r.describe(main, also)
	var trace bytes.Buffer
	if _, err := r.opts.tracer.WriteTo(&trace); err != nil {
		rep.TraceError = err.Error()
	}
	base := r.folder.Name(rep.Time)
	var files []file
	if rep.TraceError == "" {
		rep.Trace = base + traceSuffix
		files = append(files, file{rep.Trace, trace.Bytes()})
	}
	switch recording, err := blackBox(main.of); {
	case err == nil:
		rep.BlackBox = base + boxSuffix
		files = append(files, file{rep.BlackBox, recording})
	case !errors.Is(err, engine.ErrNoBlackBox):
		rep.BlackBoxError = err.Error()
	}
	rep.Perfetto, rep.Page = base+perfettoSuffix, base+pageSuffix
	perfetto, err := rep.perfetto(tape)
	page, pageErr := rep.page(tape)
	text, textErr := json.MarshalIndent(rep, "", "\t")
	// The JSON comes last: who sees it finds the others.
	files = append(files, file{rep.Perfetto, perfetto}, file{rep.Page, page}, file{base + jsonSuffix, append(text, '\n')})
	size := int64(0)
	for _, f := range files {
		size += int64(len(f.data))
	}
	if err = cmp.Or(err, pageErr, textErr); err == nil {
		err = r.folder.MakeRoom(size)
	}
	for _, f := range files {
		if err == nil {
			path, err = r.folder.Put(f.name, f.data)
		}
	}
	if err != nil {
		return "", nil, fmt.Errorf("hitch: %w", err)
	}
	return path, rep, nil
}

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

func blackBox(e Source) ([]byte, error) {
	if e, ok := e.(interface{ History() engine.History }); ok {
		return e.History().BlackBox()
	}
	return nil, engine.ErrNoBlackBox
}
