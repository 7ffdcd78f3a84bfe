package engine

import (
	"time"

	"halfstep/internal/monotime"
	"halfstep/renderloop/present"
)

// Display has the methods that tell an engine when its frames were seen, and that delay frames
// until they end just in time for the display. Only the render thread may call the methods. Package
// presenttimes gets the reports from window systems.
type Display struct{ e *Engine }

// Display returns the methods about the display.
func (e *Engine) Display() Display { return Display{e} }

// Delay sleeps until the latest time at which the next frame can begin and still reach the next
// refresh of the display. The later the frame begins, the newer is the input that it shows. Call
// Delay right after the present (the swap of the window's buffers) has returned and Presented was
// called with new reports. Read the input after Delay:
//
//	for !window.ShouldClose() {
//		e.Display().Delay()
//		glfw.PollEvents()
//		draw(e.Frame())
//		window.SwapBuffers()
//	}
//
// The time between the beginning of the frame and the refresh has three parts: the time that a
// frame needs, a safety margin, and the time that the display itself needs. Delay computes the
// three parts from the reports, so that its sleep causes at most the part Time.MissBudget of the
// refreshes to show no new frame. Metrics.Start has the three parts. The next Frame advances time
// only up to the call of Delay, so the picture moves in the same way as without Delay. Delay does
// not sleep if the reports do not say when each frame was seen and swapped, if some refreshes show
// no new frame, or if a frame needs the whole time between two refreshes. The last 0.2 ms of a
// sleep (1.1 ms on systems other than Linux) are a busy loop, because no timer is more exact.
func (d Display) Delay() {
	e := d.e
	if e.closed.Load() || e.last.IsZero() {
		return
	}
	e.presented = monotime.Now() // the next Frame advances time up to this instant
	d.delay(e.presented, d.SinceStart(e.presented))
}

// DelayFrom is Delay for a program that calls Advance and has a time axis of its own. The parameter
// now is the time on that axis at which the present returned. The next Advance must end at the time
// now.
func (d Display) DelayFrom(now time.Duration) {
	if !d.e.closed.Load() {
		d.delay(monotime.Now(), now)
	}
}

// delay sleeps as Delay says. The parameters now and at are the same instant: now is on the wall
// clock, and at is on the time axis of the reports.
func (d Display) delay(now time.Time, at time.Duration) {
	r := d.e.render
	ns := r.Delay(int64(at))
	if ns <= 0 {
		return
	}
	d.e.Trace().PlanSleep(time.Duration(ns))
	monotime.SleepUntil(now.Add(time.Duration(ns)))
	r.SleepEnded(int64(at + monotime.Since(now)))
}

// Presented reports when the picture of an earlier frame was on the display. With pacing, a frame
// then shows the instant at which it will be seen, as long as the reports agree with the predicted
// instants. The reports change neither the clock nor the steps. Call Presented in the order of the
// frames. A report that cannot be true is ignored.
func (d Display) Presented(r present.Report) { d.e.render.Presented(r) }

// SetRefresh sets the time between two refreshes of the display, for pacing; 0 means that it is
// unknown. The time that follows from a whole number of Hz, as window systems report it, is
// accurate enough.
func (d Display) SetRefresh(refresh time.Duration) { d.e.render.SetRefresh(int64(refresh)) }

// SinceStart returns the time from the start of the first frame until t, as present.Report.Seen and
// Input need it. It is for programs that call Frame. A program that calls Advance has a time axis
// of its own.
func (d Display) SinceStart(t time.Time) time.Duration {
	return time.Duration(d.e.render.Stats().RealNanos) + t.Sub(d.e.last)
}

// Input says that the commands of the next frame answer an input event. The parameter at is the
// time of the event after the start of the first frame. Motion then measures the time from the
// event until the effect of the commands is on the display.
func (d Display) Input(at time.Duration) { d.e.render.Input(int64(at)) }

// Motion returns the animation error and the input latency of the last seconds. Without reports of
// Presented both are estimates from frame times.
func (d Display) Motion() present.Figures { return d.e.render.Motion() }
