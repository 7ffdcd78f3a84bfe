package hitch

// machine is what the processors did since the start, ns, as far as the system
// tells. All is 0 on systems other than Linux.
type machine struct {
	idle, busy int64 // of all processors; their sum is the time times their number
	own        int64 // that this program ran
	waited     int64 // that threads of this program could have run and had no processor
}

// Machine is what the processors did in the time of GC and Scheduler. It is known
// on Linux only.
type Machine struct {
	Idle   float64 `json:"idle_ms"`   // of all processors together
	Own    float64 `json:"own_ms"`    // used by this program
	Others float64 `json:"others_ms"` // used by others, about
	// Waited is how long threads of this program could have run and had no
	// processor, all together.
	Waited float64 `json:"waited_for_processor_ms"`
}

func (now *sample) machineSince(before *sample) Machine {
	a, b := &before.machine, &now.machine
	if b.busy == 0 || a.busy == 0 {
		return Machine{}
	}
	own := float64(b.own - a.own)
	return Machine{
		Idle: float64(b.idle-a.idle) / 1e6, Own: own / 1e6,
		Others: max(float64(b.busy-a.busy)-own, 0) / 1e6,
		Waited: max(float64(b.waited-a.waited), 0) / 1e6,
	}
}
