// Package timing has the durations of the phases of a step or a frame, and the work done in them.
package timing

import (
	"time"

	"halfstep/buffer/phase"
	"halfstep/internal/monotime"
)

var epoch = monotime.Now()

// Epoch is the instant at which Now was 0.
func Epoch() time.Time { return epoch }

// Now is the monotonic time since Epoch in nanoseconds.
func Now() int64 { return int64(monotime.Since(epoch)) }

// MaxSpans is the number of spans that an engine keeps of each thread, the newest ones. It is a
// power of two.
const MaxSpans = 256

// Span is a finished step or frame. Start and End are nanoseconds since Epoch, the
// other times are durations in nanoseconds.
type Span struct {
	Thread       phase.Thread
	Number       uint64 // the tick or the frame
	Start, End   int64
	PlannedSleep int64                  // time of planned sleep; part of Spent
	Spent        [phase.PerThread]int64 // by phase.Phase.Index
	Tick         uint64                 // the tick that a frame showed
	Fresh        bool                   // it was the first frame to show that tick

	Stages [Stages]int64 // parts of Spent[phase.Step.Index()], by Stage; NoStage has none
	Work   Work          // a step's
	Usage  Usage

	// GPU is how many nanoseconds the graphics processor worked on an earlier frame, GPUFrame, if that
	// became known during this frame; otherwise 0.
	GPU      int64
	GPUFrame uint64
}

// Took is the duration of the step or frame without the planned sleep.
func (s *Span) Took() time.Duration { return time.Duration(s.End - s.Start - s.PlannedSleep) }

// Longest is the phase that took the most time, without the planned sleep.
func (s *Span) Longest() phase.Phase {
	most := 0
	for i := range s.Spent {
		if s.SpentIn(i) > s.SpentIn(most) {
			most = i
		}
	}
	return s.Thread.Phase(most)
}

// SpentIn is Spent without the planned sleep, which is part of Other.
func (s *Span) SpentIn(index int) int64 {
	if index == 0 {
		return s.Spent[0] - s.PlannedSleep
	}
	return s.Spent[index]
}

// LongestStage is the stage that took the most time of the phase Step, and its time in nanoseconds.
// It is NoStage if most time was spent outside all stages.
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

// Work counts the work of a step. An unknown count is 0.
type Work struct {
	Commands uint32 `json:"commands"` // carried out before the step
	Bodies   uint32 `json:"bodies"`
	Contacts uint32 `json:"contacts"`       // pairs whose AABBs overlap
	Islands  uint32 `json:"islands"`        // solved, not asleep
	Largest  uint32 `json:"largest_island"` // dynamic and kinematic bodies of the largest island
}

// Usage is the use of the processor by the operating system's thread during a step or a frame. It is
// measured on Linux while OnLate has a function. It is unknown for a step during which the thread
// waited, because Go may have moved the step to another thread, and back. The render thread must be
// locked.
type Usage struct {
	Known       bool
	CPU         int64  // ns that the thread ran
	System      int64  // ns of CPU in the kernel
	Faults      uint32 // pages that were touched for the first time
	MajorFaults uint32 // pages that had to be read from a disk
	Preempted   uint32 // how often the system gave the thread's processor to another thread
	Blocked     uint32 // how often it waited
}
