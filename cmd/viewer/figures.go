package main

import (
	"math"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/renderloop/scene"
)

// animation measures how evenly the picture moves: the animation error of a frame
// is how far its instant moved, less how long it took.
type animation struct {
	instant float64 // shown by the last frame, ticks
	dt      float64 // s
	scene   *scene.Scene
	errors  [animationFrames]float64 // s, a ring
	n       int
}

// animationFrames is how many frames the mean is of.
const animationFrames = 240

// frame adds the frame that v shows. It took d of scaled time.
func (a *animation) frame(v *scene.View[body2d.State], d float64) {
	if v == nil || v.Scene == nil {
		return
	}
	shown := v.Instant
	if v.Smoothing == body2d.Newest {
		shown = float64(v.Tick)
	}
	if a.scene == v.Scene && a.dt == v.Dt && shown > 0 && a.instant > 0 {
		a.errors[a.n%animationFrames] = (shown-a.instant)*v.Dt - d
		a.n++
	}
	a.instant, a.dt, a.scene = shown, v.Dt, v.Scene
}

// rms is the root mean square of the last frames, s.
func (a *animation) rms() float64 {
	n := min(a.n, animationFrames)
	if n == 0 {
		return 0
	}
	sum := 0.0
	for _, e := range a.errors[:n] {
		sum += e * e
	}
	return math.Sqrt(sum / float64(n))
}

// measure is called before the clock of a frame is advanced by d, while the views
// still are those of the frame before.
func (v *viewer) measure(d time.Duration) {
	if v.player.Paused() {
		v.smooth[0].scene, v.smooth[1].scene = nil, nil
		return
	}
	scaled := d.Seconds() * v.player.Scale()
	v.smooth[0].frame(v.view, scaled)
	if v.right != nil {
		v.smooth[1].frame(v.right.view, scaled)
	}
}

// apart is how far apart the halves of a comparison show the tracked body, m. ok
// is false if there is none.
func (v *viewer) apart() (d float64, ok bool) {
	if v.right == nil || len(v.tracked) == 0 {
		return 0, false
	}
	b := v.tracked[0].body
	p, ok1 := v.player.pose(b)
	q, ok2 := v.right.player.pose(b)
	return math.Hypot(p.CentreX-q.CentreX, p.CentreY-q.CentreY), ok1 && ok2
}

// appendLength writes metres as mm, or as m from one on.
func appendLength(b []byte, m float64) []byte {
	if m < 1 {
		return appendUnit(b, m*1e3, 1, " mm")
	}
	return appendUnit(b, m, 2, " m")
}

// phaseTable has the times of the phases of both threads.
type phaseTable struct {
	next  time.Time
	spans []phase.Span
	rows  [2][phase.PerThread + 1]phaseRow // by thread; the last is the whole
	worst phase.Span                       // the longest frame among the spans
}

// phaseRow is the time of one phase, ns.
type phaseRow struct{ now, mean, most int64 }

// update reads the spans now and then.
func (t *phaseTable) update(e *player, now time.Time) {
	if now.Before(t.next) {
		return
	}
	t.next = now.Add(refresh)
	if t.spans == nil {
		t.spans = make([]phase.Span, 0, phase.MaxSpans)
	}
	t.rows, t.worst = [2][phase.PerThread + 1]phaseRow{}, phase.Span{}
	for _, thread := range [...]phase.Thread{phase.Render, phase.Physics} {
		t.spans = e.Spans(thread, t.spans[:0])
		rows := &t.rows[thread]
		for i := range t.spans {
			s := &t.spans[i]
			for k, spent := range s.Spent {
				if k == 0 {
					spent -= s.PlannedSleep
				}
				rows[k].add(spent)
			}
			rows[phase.PerThread].add(int64(s.Took()))
			if thread == phase.Render && s.Took() > t.worst.Took() {
				t.worst = *s
			}
		}
		for k := range rows {
			if n := len(t.spans); n > 0 {
				rows[k].mean /= int64(n)
			}
		}
	}
}

func (r *phaseRow) add(ns int64) {
	r.now = ns
	r.mean += ns // the sum, until update divides it
	r.most = max(r.most, ns)
}

// label is the error for the label of a half, or "" before there is one.
func (a *animation) label() string {
	if a.n < 2 {
		return ""
	}
	return string(appendUnit([]byte("  error "), a.rms()*1e3, 2, " ms"))
}
