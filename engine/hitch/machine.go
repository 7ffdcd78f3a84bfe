package hitch

// machine is how the processors were used: since the start of the machine (idle, busy)
// or of the program (the other fields), ns. All fields are 0 on systems other than
// Linux.
type machine struct {
	idle, busy int64 // sums over all processors; idle + busy is the time multiplied by their number
	own        int64 // the time for which this program ran
	kernel     int64 // the part of own in the kernel
	faults     int64 // the number of the program's page faults
	waited     int64 // the time for which threads of this program were ready to run but had no processor
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

// machineLoad is how the processors were used from shortly before the hitch until after
// it, which is Seconds later. It is known only on Linux.
type machineLoad struct {
	Seconds float64 `json:"seconds"`
	Idle    float64 `json:"idle_ms"`   // all processors together
	Own     float64 `json:"own_ms"`    // used by this program
	Kernel  float64 `json:"kernel_ms"` // the part of Own in the kernel
	Faults  int64   `json:"page_faults"`
	Others  float64 `json:"others_ms"` // used by others, about
	// Waited is the time for which threads of this program were ready to run but had no
	// processor, as a sum over all threads.
	Waited float64 `json:"waited_for_processor_ms"`
}
