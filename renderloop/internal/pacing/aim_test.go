package pacing_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"halfstep/internal/owner"
	"halfstep/renderloop/internal/pacing"
	"halfstep/test/simdisplay"
)

// shownOn returns the frames in the way in which a display shows them.
func (f *shownFrames) shownOn(d *simdisplay.Display) *shownFrames {
	on := &shownFrames{name: f.name, starts: f.starts}
	on.visible = d.Show(f.presents())
	return on
}

// presents returns the times at which the frames end.
func (f *shownFrames) presents() []float64 {
	n := len(f.starts)
	return append(append([]float64{}, f.starts[1:]...), 2*f.starts[n-1]-f.starts[n-2])
}

// aimed returns the instants of Pipelined behind a pacer, with an Aim that gets the
// display's reports. Physics is always ahead.
func (f *shownFrames) aimed(told []simdisplay.Told, refresh int64) []float64 {
	x := make([]float64, len(f.starts))
	p, a := &pacing.Pacer{Refresh: refresh}, &pacing.Aim{}
	paced := int64(0)
	for i := range x {
		for len(told) > 0 && told[0].At <= f.starts[i] {
			a.Report(told[0].Report)
			told = told[1:]
		}
		x[i] = float64(paced) + a.Next(uint64(i+1), int64(f.starts[i]), float64(paced), pacing.Reach{Newest: [2]float64{-1e9, 1e9 / 60}}, refresh)
		if i > 0 {
			x[i] = max(x[i], x[i-1])
			paced += p.Pace(int64(math.Round(f.starts[i]) - math.Round(f.starts[i-1])))
		}
	}
	return x
}

// steadyFrames returns frames at a rate with jitter, for that many seconds.
func steadyFrames(seed uint64, fps, jitter, seconds float64) *shownFrames {
	r := rand.New(rand.NewPCG(seed, 18))
	f := &shownFrames{name: fmt.Sprintf("%g fps, jitter %g %%", fps, jitter*100)}
	for now := 1e6; now < seconds*1e9; {
		f.starts = append(f.starts, now)
		now += 1e9 / fps * max(.5, 1+jitter*r.NormFloat64())
	}
	return f
}

// told plays the frames on a display. It returns the root mean square of the animation
// error in ms, from the first second on, without and with the display's reports. The
// result backward is the number of frames that move backwards.
func (f *shownFrames) told(d simdisplay.Display, refresh int64) (without, with float64, backward int) {
	on := f.shownOn(&d)
	told := on.aimed(d.Tell(on.presents(), on.visible, 1), refresh)
	d.Feedback = simdisplay.None
	plain := on.aimed(nil, refresh)
	first := 0
	for on.starts[first] < 1e9 {
		first++
	}
	_, _, backward = on.animationError(told)
	on.visible = on.visible[first:]
	without, _, _ = on.animationError(plain[first:])
	with, _, _ = on.animationError(told[first:])
	return without, with, backward
}

// rates are frame rates below, near and above refresh rates, and multiples of refresh
// rates.
var rates = []float64{50, 59, 60, 80, 144, 240, 300, 1000}

func TestManyFramesForARefreshShowItsInstant(t *testing.T) {
	for _, hz := range []float64{60, 59.951, 75, 144} {
		for _, jitter := range []float64{0, .001, .02, .1} {
			for _, deadline := range []time.Duration{0, 2 * time.Millisecond, 7 * time.Millisecond} {
				f := steadyFrames(2, 300, jitter, 4)
				d := simdisplay.Display{Hz: hz, Deadline: deadline, Feedback: simdisplay.True}
				without, with, backward := f.told(d, 0)
				t.Logf("%v Hz, %s: %.3f ms, told %.3f ms", hz, f.name, without, with)
				if with > .1 || backward > 0 {
					t.Errorf("%v Hz, deadline %v, %s: an animation error of %.3f ms, %d frames go back", hz, deadline, f.name, with, backward)
				}
			}
		}
	}
}

func TestPresentTimesNeverMakeMotionWorse(t *testing.T) {
	for _, feedback := range []simdisplay.Display{
		{Feedback: simdisplay.True}, {Feedback: simdisplay.True, Late: 100 * time.Millisecond},
		{Feedback: simdisplay.True, Late: time.Second}, {Feedback: simdisplay.Half}, {Feedback: simdisplay.Swapped},
		{Feedback: simdisplay.Random}, {Feedback: simdisplay.Slower}, {Feedback: simdisplay.Never},
		{Feedback: simdisplay.Mistaken}, {Feedback: simdisplay.Ahead}, {Feedback: simdisplay.Stuck},
	} {
		displays := []simdisplay.Display{{Hz: 60}, {Hz: 144}, {Hz: 144, Adaptive: true}, {Hz: 60, Queue: true}, {Hz: 75}, {Hz: 240}, {}}
		if feedback.Feedback.Lies() || owner.Checked { // with -race there are fewer rounds, because there are no threads
			displays = displays[:4]
		}
		for _, d := range displays {
			d.Feedback, d.Late, d.Deadline = feedback.Feedback, feedback.Late, time.Millisecond
			refresh := int64(0)
			if d.Feedback == simdisplay.Slower {
				refresh = int64(1e9 / max(d.Hz, 1)) // else nothing contradicts it
			}
			for i, fps := range rates {
				if d.Queue && fps > d.Hz || owner.Checked && i%4 != 0 {
					continue // such frames wait; with -race there are fewer
				}
				for _, jitter := range []float64{.005, .08}[i%2 : i%2+1] {
					f := steadyFrames(3, fps, jitter, 5)
					without, with, backward := f.told(d, refresh)
					if with > 1.02*without+.03 || backward > 0 {
						t.Errorf("%v Hz (adaptive %v, queue %v), feedback %s %v late, %s: an animation error of %.3f ms, without %.3f; %d frames go back",
							d.Hz, d.Adaptive, d.Queue, d.Feedback, d.Late, f.name, with, without, backward)
					}
				}
			}
		}
	}
}
