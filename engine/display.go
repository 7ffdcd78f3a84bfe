package engine

import (
	"time"

	"halfstep/internal/monotime"
	"halfstep/renderloop/present"
)

// Display tells an engine when its frames were seen, and delays frames so that they are done just
// in time for the display. Its methods belong to the render thread. Package presenttimes gets
// the reports from window systems.
type Display struct{ e *Engine }

// Display returns the methods about the display, which report when frames were seen, and delay the
// next frame.
func (e *Engine) Display() Display { return Display{e} }

// Delay sleeps until the next frame must begin. The picture of the frame is then done just in time
// for the next refresh, and the player's input is seen as soon as possible. Call Delay right after
// the present (the swap of the window's buffers) has returned and Presented was called with new
// reports. Read the input after Delay:
//
//	for !window.ShouldClose() {
//		e.Display().Delay()
//		glfw.PollEvents()
//		draw(e.Frame())
//		window.SwapBuffers()
//	}
//
// The time between the beginning of the frame and the refresh has three parts: the time that a
// frame needs, a safety margin, and the time that the display itself needs. Metrics.Start has all
// three. Delay learns them from reports. It chooses them so that because of its sleep at most
// Time.MissBudget of the refreshes show no new frame. The clock leaves out the sleep: the next
// Frame advances time only up to the call of Delay, so the picture moves as it would without Delay.
// Delay returns at once if reports do not tell when each frame was seen and swapped, if not every
// refresh shows a new frame, or if a frame needs the whole time between two refreshes. The last 0.2
// ms of a sleep (1.1 ms on systems other than Linux) are a busy loop, because no timer is that
// exact.
func (d Display) Delay() {
	e := d.e
	if e.closed.Load() || e.last.IsZero() {
		return
	}
	e.presented = monotime.Now() // the next Frame takes this time as its start, and does not read the clock
	d.delay(e.presented, d.SinceStart(e.presented))
}

// DelayFrom is like Delay, for a program that calls Advance and has a time axis of its own. now is
// the time on that axis at which the present returned. The next Advance must get the time up to
// now.
func (d Display) DelayFrom(now time.Duration) {
	if !d.e.closed.Load() {
		d.delay(monotime.Now(), now)
	}
}

// delay sleeps. now and at are the same instant, on the wall clock and on the axis of reports.
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

// Presented reports when the picture of an earlier frame was on the display. With pacing, pictures
// are then drawn for the refresh in which they will be seen, as long as reports confirm the
// prediction. The reports do not change the clock or the steps. Call Presented in the order of the
// frames. A report that cannot be true is ignored.
func (d Display) Presented(r present.Report) { d.e.render.Presented(r) }

// SetRefresh sets the time between two refreshes of the display, for pacing; 0 means that it is
// unknown. The whole number of Hz that window systems report is accurate enough.
func (d Display) SetRefresh(refresh time.Duration) { d.e.render.SetRefresh(int64(refresh)) }

// SinceStart converts a time to the time axis of present.Report.Seen and of Input, which counts
// from the start of the first frame. It is for programs that call Frame. A program that calls
// Advance has a time axis of its own.
func (d Display) SinceStart(t time.Time) time.Duration {
	return time.Duration(d.e.render.Stats().RealNanos) + t.Sub(d.e.last)
}

// Input says that the commands of the next frame answer an input event. The parameter at is the
// time of the event after the start of the first frame. Motion measures the time until the effect
// of the commands is on the display.
func (d Display) Input(at time.Duration) { d.e.render.Input(int64(at)) }

// Motion returns the animation error and the input latency of the last seconds. They are measured
// if there are reports, and are otherwise estimated from frame times.
func (d Display) Motion() present.Figures { return d.e.render.Motion() }
