package main

import (
	"fmt"
	"io"

	"halfstep/engine/hitch"
)

// defaultHitchDir is where -hitch writes without -hitch-dir.
const defaultHitchDir = "hitches"

// startHitch starts the recorder of -hitch. Without -hitch it returns nil.
func startHitch(o *Options, stdout, stderr io.Writer) (*hitch.Recorder, error) {
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
		},
	})
}
