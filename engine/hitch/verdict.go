package hitch

import (
	"halfstep/buffer/phase"
)

// evidence is what a suspicion rests on. Times are in milliseconds.
type evidence struct {
	loop      phase.Thread
	phase     phase.Phase
	lockstep  bool
	took      float64
	collector float64 // of it, the collector was at work
	latency   float64 // the longest that a goroutine waited for a processor
}

// suspect names who is most likely to blame for a hitch, and why. It is no more
// than that: the trace has the proof.
func (e evidence) suspect() (who, why string) {
	half := e.took / 2
	switch {
	case e.collector >= half:
		return "gc", "the garbage collector was at work for most of it"
	case e.loop == phase.Physics:
		return "physics", "most of the time of the tick went by in " + e.phase.String()
	}
	switch e.phase {
	case phase.Swap:
		return "driver", "the frame was done and its present did not return"
	case phase.Upload, phase.Draw, phase.HUD:
		return "drawing", "most of the frame went by in " + e.phase.String()
	case phase.Events:
		return "events", "most of the frame went by in what the program does with events"
	case phase.Acquire:
		if e.lockstep {
			return "lockstep", "the frame waited for its ticks"
		}
	}
	if e.latency >= half {
		return "scheduler", "a goroutine that could run waited about that long for a processor"
	}
	return "outside", "most of the frame went by outside all phases: the program's own code, the window system, or a sleep that ended late"
}

// collecting estimates for how much of a span, in milliseconds, the collector
// was marking: the collections whose marking overlaps it, each of which took
// mark milliseconds, ended at ends (ns).
func collecting(s *phase.Span, ends []int64, mark float64) (cycles int, ms float64) {
	long := int64(mark * 1e6)
	for _, end := range ends {
		from, to := max(end-long, s.Start), min(end, s.End)
		if end >= s.Start && end-long <= s.End {
			cycles++
			ms += float64(max(to-from, 0)) / 1e6
		}
	}
	return cycles, min(ms, s.Took().Seconds()*1e3)
}
