package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"halfstep/engine/hitch"
)

// defaultHitchDir is where -hitch writes without -hitch-dir.
const defaultHitchDir = "hitches"

// startHitch starts the recorder of -hitch. Without -hitch it returns nil. The
// verdict about each hitch goes to q, for the picture.
func startHitch(o *Options, stdout, stderr io.Writer, q *queue) (*hitch.Recorder, error) {
	if o.Hitch == 0 {
		return nil, nil
	}
	dir := o.HitchDir
	if dir == "" {
		dir = defaultHitchDir
	}
	return hitch.Start(hitch.Options{
		Dir: dir, Threshold: o.Hitch,
		OnDump: func(path string, err error) {
			if err != nil {
				complain(stderr, err)
				return
			}
			fmt.Fprintf(stdout, "hitch %s\n", printable(path))
			q.put(inputEvent{kind: verdictInput, text: verdict(path)})
		},
	})
}

// verdict is a report in a sentence, or "" if it cannot be read.
func verdict(path string) string {
	data, err := os.ReadFile(path)
	var r hitch.Report
	if err != nil || json.Unmarshal(data, &r) != nil {
		return ""
	}
	n := r.Tick
	if r.Frame != nil {
		n = *r.Frame
	}
	return printable(fmt.Sprintf("%s %d took %.0f ms, suspect %s: %s", r.What, n, r.Took, r.Suspect, r.Why))
}
