// Package present says when frames were seen. For each swap of buffers, the program passes a Report
// to renderloop.Loop.Presented or engine.Display.Presented. Figures has the animation error and the
// input latency.
//
// Package presenttimes gets reports from window systems.
package present

import "math"

// Quality says where the time in a Report comes from.
type Quality uint8

const (
	// Unknown is the quality of a time from an unknown source. Loops ignore such times.
	Unknown Quality = iota
	// MadeUp is the quality of a time from a timer of the window system, and not from the display.
	// Loops ignore such times.
	MadeUp
	// Grid is the quality of the time of the display's next refresh, from a window system that
	// reports refreshes but does not report which refresh showed the frame.
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

// Trusted reports whether loops use times with this quality.
func (q Quality) Trusted() bool { return q >= Grid && int(q) < len(qualityNames) }

// Report says when the picture of one frame was seen.
type Report struct {
	// Frame is the frame's number: 1 for the first call of Frame, Advance or Step.
	Frame uint64
	// Seen is the time at which the frame was first on the display, in nanoseconds since the start
	// of the first frame. (The start of a frame is at the sum of all frame times so far.) NeverSeen
	// means that a later frame replaced the frame before it was shown.
	Seen int64
	// Refresh is the time between two refreshes of the display, in ns. It is 0 if this time is
	// unknown, or if the display refreshes when a frame comes.
	Refresh int64
	Quality Quality
	// Swapped is the time at which the swap of the frame's buffers began, in nanoseconds since the
	// start of the first frame. It is the end of the frame's work on the processor. 0 means that
	// this time is unknown.
	Swapped int64
}

// Start has the parts of the time from the present of the last frame to the refresh for which the
// next frame is planned, in ns. All parts are 0 if that refresh is unknown.
type Start struct {
	Delay   int64 `json:"delay_ns"`   // the sleep before the input is read
	Work    int64 `json:"work_ns"`    // the usual time of a frame on the processor, plus the time on the GPU if known
	Cushion int64 `json:"cushion_ns"` // a safety margin for frames that need more time
	Reserve int64 `json:"reserve_ns"` // the time that the display itself needs until the refresh
	// Missed is the number of refreshes that were missed because frames began late. Overrun is the
	// number of refreshes that would have been missed even if the frame had begun at once.
	Missed  uint64 `json:"missed"`
	Overrun uint64 `json:"overrun"`
}

// NeverSeen is the value of Report.Seen for a frame that was never on the display.
const NeverSeen = math.MinInt64

// WasSeen reports whether the frame was ever on the display.
func (r *Report) WasSeen() bool { return r.Seen != NeverSeen }

// Figures has the measurements of the last four seconds.
type Figures struct {
	// RMS and P99 are the root mean square and the 99th percentile of the animation error, in
	// milliseconds: the advance of the shown instant from one frame that was seen to the next,
	// minus the time between their displays. Frames before the first shown step, and frames next to
	// a pause, a Step, a seek or a change of the time scale do not count.
	RMS float64 `json:"rms_ms"`
	P99 float64 `json:"p99_ms"`
	// Frames is the number of frames from which RMS and P99 were computed.
	Frames int `json:"frames"`
	// Input is the median time from an input event to the display of the first frame that shows the
	// effect of the event, in milliseconds. It is 0 if there was no event in the last seconds.
	Input float64 `json:"input_ms"`
	// Measured is true if reports with a better quality than Grid say when the frames were on the
	// display. If Measured is false, these times are estimates: from the refreshes if the reports
	// have the quality Grid, and without reports from the starts of the next frames.
	Measured bool `json:"measured"`
}
