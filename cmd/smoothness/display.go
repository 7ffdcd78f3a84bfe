package main

import (
	"fmt"
	"math"

	"halfstep/internal/harness/simdisplay"
	"halfstep/renderloop"
	"halfstep/renderloop/present"
)

// toldAfter is how long after the display of a frame a recording's loop is told, s.
const toldAfter = .0005

// showOn replaces the display times by those of a simulated display. The frames then
// start as they did in the recording.
func (r *recording) showOn(spec string) error {
	d, err := simdisplay.Parse(spec)
	if err != nil {
		return err
	}
	n := len(r.Start)
	presents := make([]float64, n)
	for i := range presents {
		if i+1 < n {
			presents[i] = r.Start[i+1] * 1e9
		} else {
			presents[i] = presents[i-1] + float64(r.Frame[i])
		}
		if i > 0 {
			presents[i] = max(presents[i], presents[i-1]) // the recorder's clock may be set back
		}
	}
	seen := d.Show(presents)
	r.told = d.Tell(presents, seen, 1)
	count := 0
	for i, v := range seen {
		if r.Seen[i] = v / 1e9; !math.IsNaN(v) {
			count++
		}
	}
	if count < minFrames {
		return fmt.Errorf("%s: display %s shows only %d frames: at least %d are needed", r.Path, spec, count, minFrames)
	}
	r.Displayed, r.Display = true, spec
	return nil
}

// tell makes what a loop is told from the recorded display times.
func (r *recording) tell() {
	if !r.Displayed {
		return
	}
	at := 0.
	for i, v := range r.Seen {
		report := present.Report{Frame: uint64(i + 1), Seen: present.NeverSeen, Quality: present.VerticalBlank}
		if !math.IsNaN(v) {
			report.Seen = int64(math.Round(v * 1e9))
		} else {
			v = r.Start[min(i+2, len(r.Start)-1)]
		}
		at = max(at, v+toldAfter)
		r.told = append(r.told, simdisplay.Told{At: at * 1e9, Report: report})
	}
}

// startTold is a threaded loop that is told when its frames were seen.
func startTold(o *options, d *drift, r *recording, sync renderloop.Sync) (*player, error) {
	p, l, err := startLoop(o, d, sync, true)
	if err != nil {
		return nil, err
	}
	told, frame, play := r.told, 0, p.frame
	p.frame = func(ns int64) *view {
		for len(told) > 0 && told[0].At <= r.Start[frame]*1e9 {
			l.Presented(told[0].Report)
			told = told[1:]
		}
		frame++
		return play(ns)
	}
	return p, nil
}
