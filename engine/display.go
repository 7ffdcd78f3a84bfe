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

// Display returns the methods about the display: they report when frames were seen, and delay
// the next one.
func (e *Engine) Display() Display { return Display{e} }

// Delay sleeps until the next frame has to begin, so that its picture is done just in time
// for the next refresh, and the player's input is seen as soon as possible. Call it right after
// the present (the swap of the window's buffers) has returned and new reports were given to
// Presented, and read the input after it:
//
//	for !window.ShouldClose() {
//		e.Display().Delay()
//		glfw.PollEvents()
//		draw(e.Frame())
//		window.SwapBuffers()
//	}
//
// The time between the begin of the frame and the refresh is the cost of a frame, a safety margin
// and the time that the display itself needs; Metrics.Start has all three. Delay learns them from
// reports such that its sleep makes at most Time.MissBudget of the refreshes miss their frame. The
// clock leaves the sleep out: the next Frame lets the time up to the call of Delay pass, so the
// picture moves as without Delay. Delay returns at once if reports do not tell when each frame was
// seen and swapped, if not every refresh shows a new frame, or if a frame needs the whole time
// between two refreshes. The last 0.2 ms of a sleep (1.1 ms on systems other than Linux) are a busy
// loop, because no timer is that exact.
func (d Display) Delay() {
	e := d.e
	if e.closed.Load() || e.last.IsZero() {
		return
	}
	e.presented = monotime.Now() // the next Frame takes this as its time
	d.delay(e.presented, d.SinceStart(e.presented))
}

// DelayFrom is Delay for a program that calls Advance and has a time axis of its own. now is the
// time on that axis at which the present returned; the next Advance gets the time up to now.
func (d Display) DelayFrom(now time.Duration) {
	if !d.e.closed.Load() {
		d.delay(monotime.Now(), now)
	}
}

// delay sleeps. now and at are the same time: on the wall clock, and on the axis of reports.
func (d Display) delay(now time.Time, at time.Duration) {
	r := d.e.render
	ns := r.Delay(int64(at))
	if ns <= 0 {
		return
	}
	d.e.Trace().PlanSleep(time.Duration(ns))
	monotime.SleepUntil(now.Add(time.Duration(ns)))
	r.Woke(int64(at + monotime.Since(now)))
}

// Presented reports when the picture of an earlier frame was on the display. With
// pacing, pictures are then drawn for the refresh in which they will be seen, as long as
// reports confirm the prediction. They do not change the clock or the steps. Give reports
// in the order of their frames; one that makes no sense is ignored.
func (d Display) Presented(r present.Report) { d.e.render.Presented(r) }

// SetRefresh sets the time between two refreshes of the display, for pacing; 0 means that it is
// unknown. The whole Hz that window systems report are accurate enough.
func (d Display) SetRefresh(refresh time.Duration) { d.e.render.SetRefresh(int64(refresh)) }

// SinceStart converts a time to the time axis of present.Report.Seen and of Input, which counts
// from the start of the first frame. It is for programs that call Frame; a program that
// calls Advance has an axis of its own.
func (d Display) SinceStart(t time.Time) time.Duration {
	return time.Duration(d.e.render.Stats().RealNanos) + t.Sub(d.e.last)
}

// Input says that the commands of the next frame answer an input event, which came at the time at
// after the start of the first frame. Motion then measures the time until their effect is on the
// display.
func (d Display) Input(at time.Duration) { d.e.render.Input(int64(at)) }

// Motion returns the animation error and the input latency of the last seconds: as
// measured if there are reports, inferred from frame times otherwise.
func (d Display) Motion() present.Figures { return d.e.render.Motion() }
