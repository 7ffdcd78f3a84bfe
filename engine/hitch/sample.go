package hitch

import (
	"runtime/debug"

	"halfstep/engine"
	"halfstep/internal/goruntime"
	"halfstep/internal/monotime"
)

// read lists the metrics of the Go runtime that a sample has.
var read = []goruntime.Metric{
	goruntime.Cycles, goruntime.Forced, goruntime.Mark, goruntime.Assist, goruntime.IdleMark, goruntime.HeapLive,
	goruntime.HeapGoal, goruntime.AllocObjects, goruntime.AllocBytes, goruntime.MutexWait, goruntime.Goroutines,
	goruntime.MaxProcs, goruntime.GCPauses, goruntime.OtherPauses, goruntime.Latencies,
}

// sample is the state of the runtime, of the machine and of the engines at the time at.
type sample struct {
	at      int64 // in ns since timing.Epoch
	runtime goruntime.Sample
	machine machine
	metrics map[*watched]engine.Metrics
}

// fill sets s to a new sample. It uses the memory of the old sample in s again.
func (r *Recorder) fill(s *sample) {
	s.at, s.machine = nanos(monotime.Now()), readMachine()
	if s.runtime == nil {
		s.runtime, s.metrics = goruntime.Read(read...), map[*watched]engine.Metrics{}
	} else {
		s.runtime.Update()
	}
	clear(s.metrics)
	for _, w := range r.engines() {
		s.metrics[w] = w.of.Metrics()
	}
}

// history has the samples of the last 16 s.
type history struct {
	ring [160]sample
	n    int // the number of samples so far
}

// next returns the sample that must be filled next: an empty sample, or the oldest sample if no
// sample is empty.
func (h *history) next() *sample {
	h.n++
	return &h.ring[(h.n-1)%len(h.ring)]
}

// before returns the newest sample from before the time t, or the oldest sample if all samples are
// newer.
func (h *history) before(t int64) (s *sample) {
	s = new(sample)
	for back := 1; back <= min(h.n, len(h.ring)); back++ {
		if s = &h.ring[(h.n-back)%len(h.ring)]; s.at <= t {
			break
		}
	}
	return s
}

// collections returns the times at which the last collections ended, newest first, in ns
// since timing.Epoch.
func collections() []int64 {
	var s debug.GCStats
	debug.ReadGCStats(&s)
	ends := make([]int64, len(s.PauseEnd))
	for i, t := range s.PauseEnd {
		ends[i] = nanos(t)
	}
	return ends
}
