// Package timing has the durations of the phases of a step or a frame, and counts of the work in a
// step.
package timing

import (
	"time"

	"halfstep/buffer/phase"
	"halfstep/internal/monotime"
)

var epoch = monotime.Now()

// Epoch returns the instant at which Now was 0.
func Epoch() time.Time { return epoch }

// Now returns the monotonic time since Epoch in nanoseconds.
func Now() int64 { return int64(monotime.Since(epoch)) }

// MaxSpans is the number of spans that an engine keeps of each thread. These are the newest spans.
// MaxSpans is a power of two.
const MaxSpans = 256

// Span is a finished step or frame. Start and End are in nanoseconds since Epoch. The other times
// are durations in nanoseconds.
type Span struct {
	Thread       phase.Thread
	Number       uint64 // Number is the number of the tick or of the frame.
	Start, End   int64
	PlannedSleep int64                  // PlannedSleep is the time of planned sleep in ns. It is a part of Spent.
	Spent        [phase.PerThread]int64 // by phase.Phase.Index
	Tick         uint64                 // Tick is the tick that a frame showed.
	Fresh        bool                   // Fresh says that the frame was the first to show Tick.

	Stages [Stages]int64 // Stages are the parts of Spent[phase.Step.Index()], in ns, by Stage. The element for NoStage is 0.
	Work   Work          // a step's
	Usage  Usage

	// GPU is how many nanoseconds the graphics processor worked on the earlier frame GPUFrame. It is 0
	// if no such time became known during this frame.
	GPU      int64
	GPUFrame uint64
}

// Took returns the duration of the step or frame without the planned sleep.
func (s *Span) Took() time.Duration { return time.Duration(s.End - s.Start - s.PlannedSleep) }

// Longest returns the phase that took the most time. Planned sleep does not count.
func (s *Span) Longest() phase.Phase {
	most := 0
	for i := range s.Spent {
		if s.SpentIn(i) > s.SpentIn(most) {
			most = i
		}
	}
	return s.Thread.Phase(most)
}

// SpentIn returns Spent without the planned sleep, which is a part of the phase Other.
func (s *Span) SpentIn(index int) int64 {
	if index == 0 {
		return s.Spent[0] - s.PlannedSleep
	}
	return s.Spent[index]
}

// LongestStage returns the stage that took the most time of the phase Step, and its time in
// nanoseconds. It returns NoStage if most of the time was spent outside all stages.
func (s *Span) LongestStage() (Stage, int64) {
	rest := s.Spent[phase.Step.Index()]
	longest := NoStage
	for i, ns := range s.Stages {
		rest -= ns
		if ns > s.Stages[longest] {
			longest = Stage(i)
		}
	}
	if rest > s.Stages[longest] {
		return NoStage, rest
	}
	return longest, s.Stages[longest]
}

// Work counts the work of a step. A count that is unknown is 0.
type Work struct {
	Commands uint32 `json:"commands"` // Commands is the number of commands that were carried out before the step.
	Bodies   uint32 `json:"bodies"`
	Contacts uint32 `json:"contacts"`       // pairs whose AABBs overlap
	Islands  uint32 `json:"islands"`        // solved, not asleep
	Largest  uint32 `json:"largest_island"` // Largest is the number of dynamic and kinematic bodies in the largest island.
}

// Usage says how the operating system's thread used the processor during a step or a frame. It is
// measured on Linux while OnLate has a function. It is unknown for a step during which the thread
// waited, because Go may have moved the step to another thread. The render thread must be locked to
// its goroutine.
type Usage struct {
	Known       bool
	CPU         int64  // CPU is how long the thread ran, in ns.
	System      int64  // System is the part of CPU that was spent in the kernel, in ns.
	Faults      uint32 // Faults is the number of pages that were touched for the first time.
	MajorFaults uint32 // MajorFaults is the number of pages that had to be read from a disk.
	Preempted   uint32 // Preempted is how often the system gave the thread's processor to another thread.
	Blocked     uint32 // how often it waited
}
