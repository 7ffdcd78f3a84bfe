package hitch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"halfstep/engine"
)

// write writes a hitch's two files and makes room for them.
func (r *Recorder) write(main engine.Late, also []engine.Late) (path string, err error) {
	rep := r.describe(main, also)
	var trace bytes.Buffer
	if _, err := r.opts.tracer.WriteTo(&trace); err != nil {
		rep.TraceError = err.Error()
	}
	base := r.folder.Name(rep.Time)
	if rep.TraceError == "" {
		rep.Trace = base + traceSuffix
	}
	rep.BlackBox, err = main.Engine.DumpBlackBox("hitch")
	if err != nil && !errors.Is(err, engine.ErrNoBlackBox) {
		rep.BlackBoxError = err.Error()
	}
	text, err := json.MarshalIndent(rep, "", "\t")
	if err != nil {
		return "", fmt.Errorf("hitch: %w", err)
	}
	text = append(text, '\n')
	err = r.folder.MakeRoom(int64(len(text) + trace.Len()))
	if err == nil && rep.Trace != "" {
		_, err = r.folder.Put(rep.Trace, trace.Bytes())
	}
	if err == nil {
		path, err = r.folder.Put(base+jsonSuffix, text)
	}
	if err != nil {
		return "", fmt.Errorf("hitch: %w", err)
	}
	return path, nil
}
