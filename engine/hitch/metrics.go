package hitch

import (
	"maps"
	"runtime/debug"
	"slices"
	"time"

	"halfstep/engine"
	"halfstep/engine/spans"
	"halfstep/internal/goruntime"
	"halfstep/internal/monotime"
)

var read = []goruntime.Metric{
	goruntime.Cycles, goruntime.Forced, goruntime.Mark, goruntime.Assist, goruntime.IdleMark, goruntime.HeapLive,
	goruntime.HeapGoal, goruntime.AllocObjects, goruntime.AllocBytes, goruntime.MutexWait, goruntime.Goroutines,
	goruntime.MaxProcs, goruntime.GCPauses, goruntime.OtherPauses, goruntime.Latencies,
}

type sample struct {
	at      int64 // ns since phase.Epoch
	runtime goruntime.Sample
	metrics map[Source]engine.Metrics
}

// samples are the last 64 of something.
type samples[T interface{ taken() int64 }] struct {
	ring [64]T
	n    int
}

func (h *samples[T]) next() *T {
	h.n++
	return &h.ring[(h.n-1)%len(h.ring)]
}

// before is the newest sample taken before t, or else the oldest there is.
func (h *samples[T]) before(t int64) (s *T) {
	s = new(T)
	for back := 1; back <= min(h.n, len(h.ring)); back++ {
		if s = &h.ring[(h.n-back)%len(h.ring)]; (*s).taken() <= t {
			break
		}
	}
	return s
}

func (s sample) taken() int64 { return s.at }

func (r *Recorder) sample() {
	r.fill(r.history.next())
	watched := r.engines()
	for _, e := range watched {
		r.tape(e).Collect(nil)
	}
	// What is pending needs what is known of its engine.
	gone := func(e Source) bool { return len(r.pending) == 0 && !slices.Contains(watched, e) }
	maps.DeleteFunc(r.tapes, func(e Source, _ *spans.Tape) bool { return gone(e) })
	maps.DeleteFunc(r.told, func(l loop, _ lately) bool { return gone(l.of) })
	r.mu.Lock()
	maps.DeleteFunc(r.names, func(e Source, _ string) bool { return gone(e) })
	r.mu.Unlock()
	maps.DeleteFunc(r.callers, func(e Source, _ []string) bool { return gone(e) })
	maps.DeleteFunc(r.stacks, func(k spanKey, _ []Stack) bool { return gone(k.engine) })
}

// taped is the length of the past in a report.
const taped = 30 * time.Second

func (r *Recorder) tape(e Source) *spans.Tape {
	t := r.tapes[e]
	if t == nil {
		t = spans.NewTape(e, taped)
		r.tapes[e] = t
	}
	return t
}

func (r *Recorder) fill(s *sample) {
	s.at = nanos(monotime.Now())
	if s.runtime == nil {
		s.runtime = goruntime.Read(read...)
	} else {
		s.runtime.Update()
	}
	if s.metrics == nil {
		s.metrics = map[Source]engine.Metrics{}
	}
	clear(s.metrics)
	for _, e := range r.engines() {
		s.metrics[e] = e.Metrics()
	}
}

// collections returns when the last collections ended, newest first, in ns
// since phase.Epoch.
func collections() []int64 {
	var s debug.GCStats
	debug.ReadGCStats(&s)
	ends := make([]int64, len(s.PauseEnd))
	for i, t := range s.PauseEnd {
		ends[i] = nanos(t)
	}
	return ends
}
