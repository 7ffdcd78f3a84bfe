package phasetrace

import "halfstep/internal/timing"

// usage is the counters of a thread since its start.
type usage struct {
	thread int // its id in the system
	timing.Usage
}

// begin reads the counters, if wanted.
func (u *usage) begin(wanted bool) {
	u.Known = false
	if wanted {
		*u = readUsage()
	}
}

// end returns the use since begin. locked says that the goroutine is locked to its
// thread. Otherwise the result is unknown if the thread has waited, because other
// goroutines may have run on it.
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
