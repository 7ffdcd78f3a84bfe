package phasetrace

import "halfstep/internal/timing"

// usage has the counters of a thread, counted from the thread's start.
type usage struct {
	thread int // thread is the system's ID of the thread.
	timing.Usage
}

// begin reads the counters if wanted is true.
func (u *usage) begin(wanted bool) {
	u.Known = false
	if wanted {
		*u = readUsage()
	}
}

// end returns the difference of the counters since begin. The parameter locked
// says that the goroutine is locked to its thread. If it is not locked and the
// thread has waited, the result is unknown, because other goroutines may have run
// on the thread.
func (u *usage) end(locked bool) timing.Usage {
	if !u.Known {
		return timing.Usage{}
	}
	now := readUsage()
	if !now.Known || now.thread != u.thread || !locked && now.Blocked != u.Blocked {
		return timing.Usage{}
	}
	return timing.Usage{
		Known: true, CPU: now.CPU - u.CPU, System: now.System - u.System,
		Faults: now.Faults - u.Faults, MajorFaults: now.MajorFaults - u.MajorFaults,
		Preempted: now.Preempted - u.Preempted, Blocked: now.Blocked - u.Blocked,
	}
}
