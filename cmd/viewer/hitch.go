package main

import (
	"cmp"
	"fmt"
	"io"
	"sync/atomic"

	"halfstep/engine/hitch"
)

// defaultHitchDir is where -hitch writes without -hitch-dir.
const defaultHitchDir = "hitches"

// startHitch starts the recorder of -hitch. Without -hitch it returns nil. newest
// gets the newest hitch, for the picture. Once the recorder is closed, lost is the
// first error of a report that could not be written.
func startHitch(o *Options, p *profiling, newest *atomic.Pointer[hitch.Report], stdout, stderr io.Writer) (r *hitch.Recorder, lost *error, err error) {
	lost = new(error)
	if o.Hitch == 0 {
		return nil, lost, nil
	}
	dir := o.HitchDir
	if dir == "" {
		dir = defaultHitchDir
	}
	r, err = hitch.Start(hitch.Options{
		Dir: dir, Threshold: o.Hitch,
		OnReport: func(path string, r *hitch.Report) {
			fmt.Fprintf(stdout, "hitch %s\n  %s\n", printable(path), printable(r.Verdict))
			newest.Store(r)
			p.spans.Hitch(r.Engine, r.Start(), r.End(), r.Verdict)
		},
		OnDump: func(_ string, err error) {
			if err != nil {
				complain(stderr, err)
				*lost = cmp.Or(*lost, err)
			}
		},
	})
	return r, lost, err
}

// tellHitch shows the verdict on a hitch in the picture. The panel keeps the last.
func (v *viewer) tellHitch() {
	if v.newest == nil {
		return
	}
	if r := v.newest.Swap(nil); r != nil {
		v.verdict = printable(r.Verdict)
		v.warn(r.Verdict)
		if e := v.player.engine; e != nil && r.Engine == e.Name() && v.past == nil {
			v.note(happening{tick: r.Tick})
		}
	}
}
