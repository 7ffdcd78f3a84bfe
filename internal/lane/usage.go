package lane

import "halfstep/buffer/phase"

// usage is the counters of a thread since its start.
type usage struct {
	thread int // its id in the system
	phase.Usage
}

// begin reads the counters, if that is wanted.
func (u *usage) begin(wanted bool) {
	u.Known = false
	if wanted {
		*u = readUsage()
	}
}

// end returns what was used since begin. locked says that the goroutine is locked to its
// thread. Otherwise, if the thread has waited, other goroutines may have run on it, so
// nothing is known.
func (u *usage) end(locked bool) phase.Usage {
	if !u.Known {
		return phase.Usage{}
	}
	now := readUsage()
	if !now.Known || now.thread != u.thread || !locked && now.Blocked != u.Blocked {
		return phase.Usage{}
	}
	return phase.Usage{
		Known: true, CPU: now.CPU - u.CPU, System: now.System - u.System,
		Faults: now.Faults - u.Faults, MajorFaults: now.MajorFaults - u.MajorFaults,
		Preempted: now.Preempted - u.Preempted, Blocked: now.Blocked - u.Blocked,
	}
}
