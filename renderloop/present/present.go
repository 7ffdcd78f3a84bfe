// Package present says when frames were seen. A window system, or the program that
// embeds the engine, hands a Report to renderloop.Loop.Presented (or to
// engine.Display.Presented) for each swap of buffers. Figures are the
// animation error and the input latency as measured.
//
// Nothing here talks to a window system. Package presenttimes does.
package present

import "math"

// Quality says where a present time comes from.
type Quality uint8

const (
	// Unknown is the quality of a time that no one vouches for. Loops ignore it.
	Unknown Quality = iota
	// MadeUp is a time from a timer of the window system and not from the display.
	// Loops ignore it.
	MadeUp
	// Grid is the next of the display's refreshes, from a window system that says
	// when refreshes are but not which of them showed the frame.
	Grid
	// VerticalBlank is the vertical blank from which the frame was on the display, on
	// the clock of the window system.
	VerticalBlank
	// HardwareClock is that time as the display's hardware measured it.
	HardwareClock
)

var qualityNames = [...]string{"unknown", "made up", "grid", "vertical blank", "hardware clock"}

// String is the quality in words, such as "vertical blank".
func (q Quality) String() string {
	if int(q) < len(qualityNames) {
		return qualityNames[q]
	}
	return qualityNames[Unknown]
}

// Believed reports whether loops may decide by times of this quality.
func (q Quality) Believed() bool { return q >= Grid && int(q) < len(qualityNames) }

// Report says what became of the picture of one frame. A frame of which there is no
// report is one of which nothing is known.
type Report struct {
	// Frame is the frame's number: 1 for the first call of Frame, Advance or Step.
	Frame uint64
	// Seen is when the frame was first on the display, in nanoseconds since the
	// start of the first frame. At the start of a frame that time is the sum of all
	// frame times so far. NeverSeen says that it was replaced before.
	Seen int64
	// Refresh is the time between two refreshes of the display, in nanoseconds; 0 if
	// it is unknown or if the display follows the frames.
	Refresh int64
	Quality Quality
	// Swapped is when the swap of buffers began that shows the frame, on the axis of Seen:
	// the end of the frame's work on the processor. 0 says that it is unknown.
	Swapped int64
}

// Start is how late a frame begins: the parts of the time from the present of the frame
// before to the refresh that the frame is for, in nanoseconds. All are 0 where that
// refresh is not known.
type Start struct {
	Delay   int64 `json:"delay_ns"`   // the sleep before the input is read
	Work    int64 `json:"work_ns"`    // the cost of such a frame, on the processor and as far as known on the GPU
	Cushion int64 `json:"cushion_ns"` // for frames that cost more
	Reserve int64 `json:"reserve_ns"` // the time that the display needs from there to the refresh
	// Missed counts the refreshes that were missed because frames began late, and
	// Overrun those that would have been missed anyway.
	Missed  uint64 `json:"missed"`
	Overrun uint64 `json:"overrun"`
}

// NeverSeen is the value of Report.Seen of a frame that was never on the display.
const NeverSeen = math.MinInt64

// WasSeen reports whether the frame was ever on the display.
func (r *Report) WasSeen() bool { return r.Seen != NeverSeen }

// Figures are the metrics of the last four seconds.
type Figures struct {
	// RMS and P99 are the root mean square and the 99th percentile of the animation
	// error, in milliseconds: the advance of the shown instant from one frame that
	// was seen to the next, minus the time between their displays. Both are in real
	// time; frames before the first step is shown, and about a pause, a single step,
	// a seek or another time scale, are left out.
	RMS float64 `json:"rms_ms"`
	P99 float64 `json:"p99_ms"`
	// Frames is the number of frames that they are made of.
	Frames int `json:"frames"`
	// Input is the median time from an input event to the display of the first frame
	// that shows its effect, of the last events, in milliseconds; 0 if there was
	// none.
	Input float64 `json:"input_ms"`
	// Measured says that frames count as seen when a window system that can be
	// believed said so. Otherwise they count as seen at the refresh that is concluded
	// (Grid) or, if nothing is told, when the next frame starts.
	Measured bool `json:"measured"`
}
