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

// write makes the report of a hitch, and writes it and the files beside it.
func (r *Recorder) write(main *late, also []late) (*Report, error) {
	tape := main.by.tape
	tape.Collect(nil) // no function to call for each new span
	rep := r.describe(main, also)
	base := r.folder.Name(rep.Time)
	type file struct {
		name string
		data []byte
	}
	var files []file
	add := func(name string, data []byte) { files = append(files, file{name, data}) }
	var trace bytes.Buffer
	if _, err := r.opts.tracer.WriteTo(&trace); err != nil {
		rep.TraceError = err.Error()
	} else {
		rep.Trace = base + traceSuffix
		add(rep.Trace, trace.Bytes())
	}
	switch recording, err := blackBox(main.by.of); {
	case err == nil:
		rep.BlackBox = base + boxSuffix
		add(rep.BlackBox, recording)
	case !errors.Is(err, engine.ErrNoBlackBox):
		rep.BlackBoxError = err.Error()
	}
	rep.Perfetto, rep.Page = base+perfettoSuffix, base+pageSuffix
	perfetto, err := rep.perfetto(tape)
	page, pageErr := rep.page(tape)
	text, textErr := json.MarshalIndent(rep, "", "\t")
	// The JSON comes last: whoever sees it finds the others.
	add(rep.Perfetto, perfetto)
	add(rep.Page, page)
	add(base+jsonSuffix, append(text, '\n'))
	size := int64(0)
	for _, f := range files {
		size += int64(len(f.data))
	}
	if err = cmp.Or(err, pageErr, textErr); err == nil {
		err = r.folder.MakeRoom(size)
	}
	for _, f := range files {
		if err == nil {
			rep.path, err = r.folder.Put(f.name, f.data)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("hitch: %w", err)
	}
	return rep, nil
}

// perfettoTime is how much of the past the file for ui.perfetto.dev has, ns.
const perfettoTime = 5e9

// perfetto is the file for ui.perfetto.dev.
func (r *Report) perfetto(t *spans.Tape) ([]byte, error) {
	var b bytes.Buffer
	w := spans.NewWriter(&b)
	for _, thread := range []phase.Thread{phase.Physics, phase.Render} { // steps before the frames that show them
		for _, s := range t.Spans(thread) {
			if s.End >= r.span.End-perfettoTime {
				w.Span(r.Engine, &s)
			}
		}
	}
	w.Metrics(r.Engine, r.span.End-int64(r.Counters.Seconds*1e9), &r.Counters.Before)
	w.Metrics(r.Engine, r.span.End, &r.Counters.After)
	w.Hitch(r.Engine, r.span.Start, r.span.End, r.Verdict)
	err := w.Close()
	return b.Bytes(), err
}

// blackBox is the recording of an engine's last seconds; a Source that is no engine has none.
func blackBox(e Source) ([]byte, error) {
	if e, ok := e.(interface{ History() engine.History }); ok {
		return e.History().BlackBox()
	}
	return nil, engine.ErrNoBlackBox
}
