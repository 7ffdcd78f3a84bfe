// Package phase records what a thread of an engine is doing and how long it
// takes. Each step and each frame is divided into phases. A Lane marks them in
// profile labels and in the regions of execution traces, and keeps the times of
// the last MaxSpans steps or frames for any goroutine to read.
//
// Both the physics loop and the render loop use the package, and it depends on
// neither.
package phase

import (
	"time"

	"halfstep/internal/monotime"
)

// Phase is a part of a step or of a frame.
type Phase uint8

// The phases of a step, in order, and those of a frame.
const (
	Other Phase = iota // none of the phases below

	Commands
	Controllers
	Step
	Contacts
	Capture
	Publish

	Acquire
	Events
	Upload
	Draw
	HUD
	Swap

	count
)

// PerThread is the number of phases of a thread, including Other.
const PerThread = 7

var names = [count]string{
	"other",
	"commands", "controllers", "step", "contacts", "capture", "publish",
	"acquire", "events", "upload", "draw", "hud", "swap",
}

// String is the phase's name in profile labels.
func (p Phase) String() string {
	if p >= count {
		return "unknown"
	}
	return names[p]
}

// Index is the phase's index in Span.Spent.
func (p Phase) Index() int {
	if p == Other {
		return 0
	}
	return int(p-1)%(PerThread-1) + 1
}

// Thread is one of the two threads of an engine.
type Thread uint8

// The threads.
const (
	Physics Thread = iota
	Render
)

// String is the thread's name in profile labels.
func (t Thread) String() string {
	if t == Render {
		return "render"
	}
	return "physics"
}

// unit is the name of what the thread's spans measure.
func (t Thread) unit() string {
	if t == Render {
		return "frame"
	}
	return "tick"
}

// Phase is the inverse of Phase.Index for the phases of this thread.
func (t Thread) Phase(index int) Phase {
	if index == 0 {
		return Other
	}
	return Phase(int(t)*(PerThread-1) + index)
}

// Span is a finished step or frame. Start and End are nanoseconds since Epoch, the
// other times are durations in nanoseconds.
type Span struct {
	Thread       Thread
	Number       uint64 // of the tick or of the frame
	Start, End   int64
	PlannedSleep int64            // time the frame meant to sleep; part of Spent
	Spent        [PerThread]int64 // by Phase.Index
	Tick         uint64           // the tick that a frame showed
	Fresh        bool             // whether it was the first frame to show that tick

	Stages [Stages]int64 // of Spent[Step.Index()], by Stage; NoStage has none
	Work   Work          // of a step
	Usage  Usage

	// GPU is how many nanoseconds the graphics processor took for frame GPUFrame,
	// an earlier one, if that became known during this frame; otherwise 0.
	GPU      int64
	GPUFrame uint64
}

// Took is the duration of the step or frame without the planned sleep.
func (s *Span) Took() time.Duration { return time.Duration(s.End - s.Start - s.PlannedSleep) }

// Longest is the phase that took the most time. The planned sleep does not count
// as time of Other.
func (s *Span) Longest() Phase {
	most := 0
	for i := range s.Spent {
		if s.spent(i) > s.spent(most) {
			most = i
		}
	}
	return s.Thread.Phase(most)
}

func (s *Span) spent(index int) int64 {
	if index == 0 {
		return s.Spent[0] - s.PlannedSleep
	}
	return s.Spent[index]
}

var epoch = monotime.Now()

// Epoch is the instant at which Now was 0.
func Epoch() time.Time { return epoch }

// Now is the monotonic time since Epoch in nanoseconds.
func Now() int64 { return int64(monotime.Since(epoch)) }
