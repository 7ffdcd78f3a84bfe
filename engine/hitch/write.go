package hitch

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"halfstep/engine"
)

// write makes the report of a hitch, and writes all files of the hitch.
func (r *Recorder) write(main *late, also []late) (*Report, error) {
	tape := main.by.tape
	tape.Collect(nil) // nil, because no function must be called for each new span
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
	rep.Page = base + pageSuffix
	page, err := rep.page(tape)
	text, textErr := json.MarshalIndent(rep, "", "\t")
	// the JSON file is written last, so once it exists, all files of the hitch exist
	add(rep.Page, page)
	add(base+jsonSuffix, append(text, '\n'))
	size := int64(0)
	for _, f := range files {
		size += int64(len(f.data))
	}
	if err = cmp.Or(err, textErr); err == nil {
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
	return &rep.Report, nil
}

// blackBox returns the recording of an engine's last seconds. The error is engine.ErrNoBlackBox if
// e is no engine.
func blackBox(e Source) ([]byte, error) {
	if e, ok := e.(interface{ History() engine.History }); ok {
		return e.History().BlackBox()
	}
	return nil, engine.ErrNoBlackBox
}
