package engine

import (
	"time"

	"halfstep/renderloop/present"
)

// Presented reports when the picture of an earlier frame was on the display. With
// Time.Pacing, pictures are then drawn for the refresh in which they will be seen, as
// far as the reports prove right. They do not change the clock or the steps. Reports
// come in the order of their frames; one that makes no sense is ignored. Package
// presenttimes asks window systems.
func (e *Engine) Presented(r present.Report) { e.render.Presented(r) }

// SinceStart converts a time to that of present.Report.Seen and of Input: since the
// start of the first frame. It is for programs that call Frame; those that call
// Advance have an axis of their own.
func (e *Engine) SinceStart(t time.Time) time.Duration {
	return time.Duration(e.render.Stats().RealNanos) + t.Sub(e.last)
}

// Input says that the commands of the next frame answer an input event, which came
// that long after the start of the first frame. Motion then says how long it takes
// until their effect is on the display.
func (e *Engine) Input(at time.Duration) { e.render.Input(int64(at)) }

// Motion returns the animation error and the input latency of the last seconds: as
// measured if there are reports, inferred from frame times otherwise.
func (e *Engine) Motion() present.Figures { return e.render.Motion() }
