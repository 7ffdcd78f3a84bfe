package engine

import (
	"time"

	"halfstep/internal/monotime"
	"halfstep/renderloop/present"
)

// Display is what an engine is told of the display, and what it makes of that. Its methods
// belong to the render thread. Package presenttimes asks window systems.
type Display struct{ e *Engine }

// Display is the engine's side of the display: when frames were seen, and when the next one
// has to begin.
func (e *Engine) Display() Display { return Display{e} }

// Delay sleeps until the next frame has to begin, so that its picture is done just in time
// for the next refresh, and what the player does is seen as soon as it can be. Call it
// right after the present has returned and the reports that have come were given to
// Presented, and read the input after it:
//
//	for !window.ShouldClose() {
//		e.Display().Delay()
//		glfw.PollEvents()
//		draw(e.Frame())
//		window.SwapBuffers()
//	}
//
// The frame begins before the refresh by what frames cost, by a cushion, and by what the
// display needs; Metrics.Start has them. All of these are learned from reports, so that at
// most Time.MissBudget of the refreshes are missed because of it. The clock does not know of
// the sleep: Frame lets the time up to the call of Delay pass, so the picture moves as
// without it. Delay returns at once where reports do not tell when each frame was seen and
// when it was swapped, where frames are not shown one in each refresh, and where a frame
// needs the whole refresh. The last 0.2 ms of a sleep (1.1 ms where the system is not
// Linux) are spent with a running processor, because no timer is that exact.
func (d Display) Delay() {
	e := d.e
	if e.closed.Load() || e.last.IsZero() {
		return
	}
	e.presented = monotime.Now()
	d.delay(e.presented, d.SinceStart(e.presented))
}

// DelayFrom is Delay for a program that calls Advance: the present returned at now, on its
// axis, and the next Advance is given the time up to there.
func (d Display) DelayFrom(now time.Duration) {
	if !d.e.closed.Load() {
		d.delay(monotime.Now(), now)
	}
}

// delay sleeps. The two are the same time.
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
// pacing, pictures are then drawn for the refresh in which they will be seen, as
// far as the reports prove right. They do not change the clock or the steps. Reports
// come in the order of their frames; one that makes no sense is ignored.
func (d Display) Presented(r present.Report) { d.e.render.Presented(r) }

// SetRefresh tells pacing the time between two refreshes of the display; 0 means
// that it is unknown. The whole Hz that window systems report are accurate enough.
func (d Display) SetRefresh(refresh time.Duration) { d.e.render.SetRefresh(int64(refresh)) }

// SinceStart converts a time to that of present.Report.Seen and of Input: since the
// start of the first frame. It is for programs that call Frame; those that call
// Advance have an axis of their own.
func (d Display) SinceStart(t time.Time) time.Duration {
	return time.Duration(d.e.render.Stats().RealNanos) + t.Sub(d.e.last)
}

// Input says that the commands of the next frame answer an input event, which came
// that long after the start of the first frame. Motion then says how long it takes
// until their effect is on the display.
func (d Display) Input(at time.Duration) { d.e.render.Input(int64(at)) }

// Motion returns the animation error and the input latency of the last seconds: as
// measured if there are reports, inferred from frame times otherwise.
func (d Display) Motion() present.Figures { return d.e.render.Motion() }
