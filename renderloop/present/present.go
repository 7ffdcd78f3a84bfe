// Package present says when frames were seen. A window system, or the program that
// embeds the engine, hands a Report to renderloop.Loop.Presented (or to
// engine.Display.Presented) for each swap of buffers. Figures has the measured
// animation error and input latency.
//
// Package presenttimes gets reports from window systems.
package present

import "math"

// Quality says where a present time comes from.
type Quality uint8

const (
	// Unknown is the quality of a time from an unknown source. Loops ignore it.
	Unknown Quality = iota
	// MadeUp is the quality of a time from a timer of the window system, and not from the
	// display. Loops ignore it.
	MadeUp
	// Grid is the quality of the display's next refresh, from a window system that reports
	// refreshes but not which of them showed the frame.
	Grid
	// VerticalBlank is the quality of the vertical blank at which the display began to show
	// the frame, on the clock of the window system.
	VerticalBlank
	// HardwareClock is the quality of a vertical blank that the display's hardware has
	// measured.
	HardwareClock
)

var qualityNames = [...]string{"unknown", "made up", "grid", "vertical blank", "hardware clock"}

// String returns the quality in words, such as "vertical blank".
func (q Quality) String() string {
	if int(q) < len(qualityNames) {
		return qualityNames[q]
	}
	return qualityNames[Unknown]
}

// Trusted reports whether loops use times of this quality.
func (q Quality) Trusted() bool { return q >= Grid && int(q) < len(qualityNames) }

// Report says when the picture of one frame was seen. Without a report, it is unknown
// whether the frame was seen.
type Report struct {
	// Frame is the frame's number: 1 for the first call of Frame, Advance or Step.
	Frame uint64
	// Seen is when the frame was first on the display, in nanoseconds since the start of
	// the first frame. At the start of a frame, that time is the sum of all frame times so
	// far. NeverSeen says that another frame replaced the frame before it was shown.
	Seen int64
	// Refresh is the time between two refreshes of the display, ns. It is 0 if the time is
	// unknown, or if the display follows the frames.
	Refresh int64
	Quality Quality
	// Swapped is the time at which the swap of the frame's buffers began, counted like
	// Seen. It is the end of the frame's work on the processor. 0 means unknown.
	Swapped int64
}

// Start says why a frame begins when it does: it has the parts of the time from the
// present of the frame before to the refresh for which the frame is planned, ns. All
// are 0 if that refresh is unknown.
type Start struct {
	Delay   int64 `json:"delay_ns"`   // the sleep before the input is read
	Work    int64 `json:"work_ns"`    // the time that a usual frame needs on the processor and, if known, on the GPU
	Cushion int64 `json:"cushion_ns"` // more time, for frames that need it
	Reserve int64 `json:"reserve_ns"` // the time that the display needs after that until the refresh
	// Missed is the number of refreshes that were missed because frames began late. Overrun
	// is the number of refreshes that would have been missed anyway.
	Missed  uint64 `json:"missed"`
	Overrun uint64 `json:"overrun"`
}

// NeverSeen is the value of Report.Seen of a frame that was never on the display.
const NeverSeen = math.MinInt64

// WasSeen reports whether the frame was ever on the display.
func (r *Report) WasSeen() bool { return r.Seen != NeverSeen }

// Figures has the measurements of the last four seconds.
type Figures struct {
	// RMS and P99 are the root mean square and the 99th percentile of the animation error,
	// in milliseconds: the advance of the shown instant from one frame that was seen to the
	// next, minus the time between their displays. Both are in real time. Frames before the
	// first step is shown are left out, and so are frames next to a pause, a single step, a
	// seek or a change of the time scale.
	RMS float64 `json:"rms_ms"`
	P99 float64 `json:"p99_ms"`
	// Frames is the number of frames in RMS and P99.
	Frames int `json:"frames"`
	// Input is the median time from an input event to the display of the first frame that
	// shows its effect, of the last events, in milliseconds. It is 0 if there was no event.
	Input float64 `json:"input_ms"`
	// Measured is true if the window system has reported when the frames were on the
	// display, with a better quality than Grid. Otherwise these times are computed: with
	// Grid they are refreshes that follow from the last reports, and without reports they
	// are the starts of the next frames.
	Measured bool `json:"measured"`
}
