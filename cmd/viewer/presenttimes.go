package main

import (
	"time"

	"halfstep/renderloop/presenttimes"
)

// presentTimes carries what the window system says of frames to the engines and to
// the log. It belongs to the render thread.
type presentTimes struct {
	source presenttimes.Source // nil if there is none
	state  string              // why there is none, or what came of it

	frame uint64        // the viewer's number of the frame
	start time.Time     // when the frame began
	next  time.Time     // when the next one begins
	axis  time.Duration // the viewer's time at start

	swaps uint64 // numbers the swaps
	ring  [1024]swapped
}

// swapped is a swap that may still be reported.
type swapped struct {
	swap   uint64
	player *player
	frame  uint64 // the engine's number of the frame
	row    uint64 // the viewer's number of the frame
}

// openPresentTimes asks the window system from now on. Simulated frames are not asked
// about.
func (r *run) openPresentTimes() {
	p := &r.present
	w, ok := r.screen.(*window)
	switch {
	case r.source.Simulated():
		p.state = "not asked: simulated clock"
		return
	case !ok:
		return
	}
	var err error
	if p.source, err = w.presentTimes(); err != nil {
		p.state = err.Error()
	}
}

// close ends the asking, before the window closes.
func (p *presentTimes) close() {
	if p.source != nil {
		p.state = p.source.State()
		p.source.Close()
		p.source = nil
	}
}

// started says that the engines' frame has begun.
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
	p.ring[p.swaps%uint64(len(p.ring))] = swapped{p.swaps, v.player, v.player.Metrics().Frames, p.frame}
	p.source.Swapping(p.swaps)
}

// takePresentTimes hands new present times to the engines and the log.
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
			v.log.seen(s.row, t, p.sinceStart(t.Seen))
		}
		if s.player != v.player {
			continue // another scene is open
		}
		t.Frame = s.frame
		v.engines(func(e *player) {
			real := e.Metrics().RealTime
			if e.engine == nil {
				return
			}
			e.engine.Display().Presented(t.Report(func(at time.Time) time.Duration { return real + at.Sub(p.start) }))
		})
	}
}

// delay lets the next frame, which the engines give d, begin as late as it can.
func (v *viewer) delay(d time.Duration) {
	if v.present.source == nil || v.player.engine == nil || v.o.AtOnce {
		return
	}
	v.takePresentTimes()
	v.player.engine.Display().DelayFrom(v.player.Metrics().RealTime + d)
}

// sinceStart is a time on the viewer's clock.
func (p *presentTimes) sinceStart(t time.Time) time.Duration { return p.axis + t.Sub(p.start) }

// answered tells the engines about the input that this frame's commands answer.
func (v *viewer) answered(events []inputEvent) {
	p := v.player.engine
	if p == nil {
		return
	}
	for i := range events {
		if e := &events[i]; e.kind <= scrollInput && !e.at.IsZero() && !v.present.start.IsZero() {
			p.Display().Input(p.Metrics().RealTime + e.at.Sub(v.present.start))
			return // the oldest
		}
	}
}

// settlePresentTimes waits a moment for what is said of the last frames, so that the log has it.
func (v *viewer) settlePresentTimes() {
	p := &v.present
	if p.source == nil || v.log == nil || !v.log.withSeen {
		return
	}
	for range 20 {
		v.takePresentTimes()
		if v.log.waiting() == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}
