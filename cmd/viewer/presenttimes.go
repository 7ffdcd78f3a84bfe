package main

import (
	"time"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/renderloop/presenttimes"
)

// presentTimes passes the window system's reports of when frames were on the display to the engines
// and to the log. Only the render thread uses it.
type presentTimes struct {
	source presenttimes.Source // source is nil if there is no source of reports.
	state  string              // state says, for -stats, why there is no source, or gives the quality of the reports.

	frame uint64        // frame is the viewer's number of this frame.
	start time.Time     // when it began
	next  time.Time     // next is when the next frame begins, which is when the last swap returned.
	axis  time.Duration // axis is the time of start on the viewer's clock. That clock is the sum of the frame times.

	swaps uint64 // numbers the swaps
	ring  [1024]swapped
}

// swapped is a swap for which a report may still come.
type swapped struct {
	swap   uint64
	player *play.Player
	frame  uint64 // frame is the engine's number of the frame.
	row    uint64 // row is the viewer's number of the frame.
}

// openPresentTimes opens the source of reports. There is no source for frames of a simulated clock.
func (r *run) openPresentTimes() {
	p := &r.present
	w, ok := r.screen.(interface {
		PresentTimes() (presenttimes.Source, error)
	})
	switch {
	case r.source.Simulated():
		p.state = "not asked: simulated clock"
		return
	case !ok:
		return
	}
	var err error
	if p.source, err = w.PresentTimes(); err != nil {
		p.state = err.Error()
	}
}

// close closes the source. It must be called before the window closes.
func (p *presentTimes) close() {
	if p.source != nil {
		p.state = p.source.State()
		p.source.Close()
		p.source = nil
	}
}

// started records that the engines have begun the frame with that number.
func (p *presentTimes) started(frame uint64, elapsed time.Duration) {
	p.frame, p.start, p.axis = frame, p.next, elapsed
}

// swapping is called before each swap.
func (v *viewer) swapping() {
	p := &v.present
	if p.source == nil {
		return
	}
	p.swaps++
	p.ring[p.swaps%uint64(len(p.ring))] = swapped{p.swaps, v.Stage.Player, v.Stage.Player.Metrics().Frames, p.frame}
	p.source.Swapping(p.swaps)
}

// takePresentTimes passes new present times to the engines and the log.
func (v *viewer) takePresentTimes() {
	p := &v.present
	if p.source == nil {
		return
	}
	var t presenttimes.Time
	for p.source.Next(&t) {
		s := &p.ring[t.Frame%uint64(len(p.ring))]
		if s.swap != t.Frame {
			continue
		}
		if v.log != nil {
			v.log.Seen(s.row, t, p.sinceStart(t.Seen))
		}
		if s.player != v.Stage.Player {
			continue // another scene is open
		}
		t.Frame = s.frame
		v.Stage.EachPlayer(func(e *play.Player) {
			real := e.Metrics().RealTime
			if e.Engine == nil {
				return
			}
			e.Engine.Display().Presented(t.Report(func(at time.Time) time.Duration { return real + at.Sub(p.start) }))
		})
	}
}

// delay waits, so that the next frame begins as late as possible and is still in time for the display.
// The frame time will be d.
func (v *viewer) delay(d time.Duration) {
	if v.present.source == nil || v.Stage.Player.Engine == nil || v.o.AtOnce {
		return
	}
	v.takePresentTimes()
	v.Stage.Player.Engine.Display().DelayFrom(v.Stage.Player.Metrics().RealTime + d)
}

// sinceStart converts a time to the viewer's clock.
func (p *presentTimes) sinceStart(t time.Time) time.Duration { return p.axis + t.Sub(p.start) }

// answered tells the engine the time of the oldest input in this frame. The engine needs it to measure
// the latency.
func (v *viewer) answered(events []input.Event) {
	p := v.Stage.Player.Engine
	if p == nil {
		return
	}
	for i := range events {
		// the kinds up to ScrollInput are keys, buttons, the cursor and the wheel
		if e := &events[i]; e.Kind <= input.ScrollInput && !e.At.IsZero() && !v.present.start.IsZero() {
			p.Display().Input(p.Metrics().RealTime + e.At.Sub(v.present.start))
			return // events are in order, so this is the oldest
		}
	}
}

// settlePresentTimes waits a moment for the reports on the last frames, which the log needs.
func (v *viewer) settlePresentTimes() {
	p := &v.present
	if p.source == nil || v.log == nil || !v.log.WithSeen {
		return
	}
	for range 20 {
		v.takePresentTimes()
		if v.log.Waiting() == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}
