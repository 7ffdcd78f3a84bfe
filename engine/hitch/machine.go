package hitch

// machine says how the processors were used, with times in ns: idle and busy since the start of the
// machine, and own, kernel, faults and waited since the start of the program. All fields are 0 on
// systems other than Linux.
type machine struct {
	idle, busy int64 // the sums of idle time and busy time over all processors
	own        int64 // the time for which this program ran
	kernel     int64 // the part of own that was spent in the kernel
	faults     int64 // the number of the program's page faults
	waited     int64 // the time for which threads of this program could run but had no processor
}

// machineUntil returns how the processors were used between two samples.
func (a *sample) machineUntil(b *sample) machineLoad {
	from, to := &a.machine, &b.machine
	if from.busy == 0 || to.busy == 0 || b.at <= a.at {
		return machineLoad{}
	}
	own := float64(to.own - from.own)
	return machineLoad{
		Seconds: float64(b.at-a.at) / 1e9,
		Idle:    float64(to.idle-from.idle) / 1e6, Own: own / 1e6,
		Others: max(float64(to.busy-from.busy)-own, 0) / 1e6,
		Waited: max(float64(to.waited-from.waited), 0) / 1e6,
		Kernel: float64(to.kernel-from.kernel) / 1e6, Faults: max(to.faults-from.faults, 0),
	}
}

// machineLoad says how the processors were used in a time of the length Seconds around the hitch.
// All fields are 0 on systems other than Linux.
type machineLoad struct {
	Seconds float64 `json:"seconds"`
	Idle    float64 `json:"idle_ms"`   // the sum over all processors
	Own     float64 `json:"own_ms"`    // the time that this program used
	Kernel  float64 `json:"kernel_ms"` // the part of Own that was spent in the kernel
	Faults  int64   `json:"page_faults"`
	Others  float64 `json:"others_ms"` // about the time that all further programs used
	// Waited is the time for which threads of this program could run but had no processor, as a sum
	// over all threads.
	Waited float64 `json:"waited_for_processor_ms"`
}
