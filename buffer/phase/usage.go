package phase

// Usage is what the operating system's thread did during a step or a frame. It is
// measured on Linux while OnLate is in effect, and not for a step that moved from
// one thread to another: Go moves goroutines that wait.
type Usage struct {
	Known       bool
	CPU         int64  // ns that the thread ran
	System      int64  // ns of these in the kernel
	Faults      uint32 // pages that were touched for the first time
	MajorFaults uint32 // pages that had to be read from a disk
	Preempted   uint32 // how often the thread had to give its processor to another
	Blocked     uint32 // how often it waited
}

// usage is the counters of a thread since its start.
type usage struct {
	thread int
	Usage
}

// begin notes the counters at the beginning of a span.
func (u *usage) begin(wanted bool) {
	u.Known = false
	if wanted {
		*u = readUsage()
	}
}

// end returns what was used since begin.
func (u *usage) end() Usage {
	if !u.Known {
		return Usage{}
	}
	now := readUsage()
	if !now.Known || now.thread != u.thread {
		return Usage{}
	}
	return Usage{
		Known: true, CPU: now.CPU - u.CPU, System: now.System - u.System,
		Faults: now.Faults - u.Faults, MajorFaults: now.MajorFaults - u.MajorFaults,
		Preempted: now.Preempted - u.Preempted, Blocked: now.Blocked - u.Blocked,
	}
}
