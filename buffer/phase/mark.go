// Package mark says what a goroutine of an engine is busy with, and for how
// long: in the labels of profiles, in the regions of execution traces, and in a
// ring of the last frames or steps that any goroutine may read.
//
// Both loops use it, so that one need not know the other; it knows nothing of
// either.
package phase

import "time"

// Phase is a part of a step or of a frame.
type Phase uint8

// The phases of a step, in order, and those of a frame.
const (
	Other Phase = iota // none of those below

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

// PerThread is the length of Span.Spent: Other and the phases of one loop.
const PerThread = 7

var names = [count]string{
	"other",
	"commands", "controllers", "step", "contacts", "capture", "publish",
	"acquire", "events", "upload", "draw", "hud", "swap",
}

// String is the phase's name as it stands in labels.
func (p Phase) String() string {
	if p >= count {
		return "unknown"
	}
	return names[p]
}

// Slot is where a phase's time is in Span.Spent.
func (p Phase) Index() int {
	if p == Other {
		return 0
	}
	return int(p-1)%(PerThread-1) + 1
}

// Loop is one of the two goroutines.
type Thread uint8

// The loops.
const (
	Physics Thread = iota
	Render
)

// String is the loop's name as it stands in labels.
func (l Thread) String() string {
	if l == Render {
		return "render"
	}
	return "physics"
}

// Unit is what the loop does one of after the other.
func (l Thread) unit() string {
	if l == Render {
		return "frame"
	}
	return "tick"
}

// Phase is the phase whose time is in a slot of the loop's Span.Spent.
func (l Thread) Phase(slot int) Phase {
	if slot == 0 {
		return Other
	}
	return Phase(int(l)*(PerThread-1) + slot)
}

// Span is a step or a frame that is over. Times are in nanoseconds since Epoch.
type Span struct {
	Thread       Thread
	Number       uint64 // the tick, or the frame
	Start, End   int64
	PlannedSleep int64            // of it, that was meant to be slept
	Spent        [PerThread]int64 // by Phase.Index
	Tick         uint64           // that a frame showed
	Fresh        bool             // the frame was the first to show it
}

// Took is what the step or frame cost, without the rest that was meant.
func (s *Span) Took() time.Duration { return time.Duration(s.End - s.Start - s.PlannedSleep) }

// Longest is the phase in which most of the time went. Other counts without
// the rest that was meant.
func (s *Span) Longest() Phase {
	most := 0
	for i := range s.Spent {
		if s.spent(i) > s.spent(most) {
			most = i
		}
	}
	return s.Thread.Phase(most)
}

func (s *Span) spent(slot int) int64 {
	if slot == 0 {
		return s.Spent[0] - s.PlannedSleep
	}
	return s.Spent[slot]
}

var epoch = time.Now()

// Epoch is the instant from which Now counts.
func Epoch() time.Time { return epoch }

// Now is nanoseconds of monotonic time since Epoch.
func Now() int64 { return int64(time.Since(epoch)) }
