package hitch

import "time"

// machine is what the processors did since the start, ns, as far as the system
// tells. All is 0 on systems other than Linux.
type machine struct {
	idle, busy int64 // of all processors; their sum is the time times their number
	own        int64 // that this program ran
	kernel     int64 // of it, the kernel worked for it
	faults     int64 // its page faults, a number
	waited     int64 // that threads of this program could have run and had no processor
}

// machineSample is a machine at a time, ns since phase.Epoch.
type machineSample struct {
	at int64
	machine
}

const machineEvery = 100 * time.Millisecond

func (s machineSample) taken() int64 { return s.at }

// machines holds the last samples, so that there is one shortly before a hitch.
type machines struct {
	samples[machineSample]
	over machineSample // when the first of what is pending was over
}

func (m *machines) sample(now int64) {
	if m.n == 0 || now-m.before(now).at >= int64(machineEvery) {
		*m.next() = machineSample{now, readMachine()}
	}
}

// since is the difference from the newest sample before start until the span that
// was late was over.
func (m *machines) since(start int64) Machine {
	a, b := m.before(start), &m.over
	if a.busy == 0 || b.busy == 0 || b.at <= a.at {
		return Machine{}
	}
	own := float64(b.own - a.own)
	return Machine{
		Seconds: float64(b.at-a.at) / 1e9,
		Idle:    float64(b.idle-a.idle) / 1e6, Own: own / 1e6,
		Others: max(float64(b.busy-a.busy)-own, 0) / 1e6,
		Waited: max(float64(b.waited-a.waited), 0) / 1e6,
		Kernel: float64(b.kernel-a.kernel) / 1e6, Faults: max(b.faults-a.faults, 0),
	}
}

// Machine is what the processors did from shortly before the hitch until it was
// over, Seconds later. It is known on Linux only.
type Machine struct {
	Seconds float64 `json:"seconds"`
	Idle    float64 `json:"idle_ms"`   // of all processors together
	Own     float64 `json:"own_ms"`    // used by this program
	Kernel  float64 `json:"kernel_ms"` // of it, in the kernel
	Faults  int64   `json:"page_faults"`
	Others  float64 `json:"others_ms"` // used by others, about
	// Waited is how long threads of this program could have run and had no
	// processor, all together.
	Waited float64 `json:"waited_for_processor_ms"`
}
