package phase

// Usage is what the operating system's thread did during a step or a frame. It is
// measured on Linux while OnLate is in effect. It is not known for a step during
// which the thread waited: Go may have moved the step to another thread, and back.
// The render thread is expected to be locked.
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

// end returns what was used since begin. Unless locked is true, it does not know if
// the thread waited.
func (u *usage) end(locked bool) Usage {
	if !u.Known {
		return Usage{}
	}
	now := readUsage()
	if !now.Known || now.thread != u.thread || !locked && now.Blocked != u.Blocked {
		return Usage{}
	}
	return Usage{
		Known: true, CPU: now.CPU - u.CPU, System: now.System - u.System,
		Faults: now.Faults - u.Faults, MajorFaults: now.MajorFaults - u.MajorFaults,
		Preempted: now.Preempted - u.Preempted, Blocked: now.Blocked - u.Blocked,
	}
}
