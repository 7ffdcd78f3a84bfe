package hitch

import (
	"maps"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"time"

	"halfstep/engine"
	"halfstep/engine/spans"
	"halfstep/internal/monotime"
)

// The metrics that are read, by their place in a sample.
const (
	gcCycles = iota
	gcForced
	gcMark
	gcAssist
	gcIdle
	heapLive
	heapGoal
	allocObjects
	allocBytes
	mutexWait
	goroutines
	maxProcs
	gcPauses
	otherPauses
	latencies
	metricCount
)

var metricNames = [metricCount]string{
	gcCycles:     "/gc/cycles/total:gc-cycles",
	gcForced:     "/gc/cycles/forced:gc-cycles",
	gcMark:       "/cpu/classes/gc/mark/dedicated:cpu-seconds",
	gcAssist:     "/cpu/classes/gc/mark/assist:cpu-seconds",
	gcIdle:       "/cpu/classes/gc/mark/idle:cpu-seconds",
	heapLive:     "/gc/heap/live:bytes",
	heapGoal:     "/gc/heap/goal:bytes",
	allocObjects: "/gc/heap/allocs:objects",
	allocBytes:   "/gc/heap/allocs:bytes",
	mutexWait:    "/sync/mutex/wait/total:seconds",
	goroutines:   "/sched/goroutines:goroutines",
	maxProcs:     "/sched/gomaxprocs:threads",
	gcPauses:     "/sched/pauses/total/gc:seconds",
	otherPauses:  "/sched/pauses/total/other:seconds",
	latencies:    "/sched/latencies:seconds",
}

// sample is the state of the runtime and of the watched engines at a time.
type sample struct {
	at      int64 // ns since phase.Epoch
	values  [gcPauses]float64
	buckets [metricCount - gcPauses][]uint64
	metrics map[*engine.Engine]engine.Metrics
}

// reader reads metrics.
type reader struct {
	samples []metrics.Sample
	bounds  [metricCount - gcPauses][]float64
}

func newReader() *reader {
	r := &reader{samples: make([]metrics.Sample, metricCount)}
	for i, name := range metricNames {
		r.samples[i].Name = name
	}
	return r
}

func (r *reader) read(s *sample) {
	metrics.Read(r.samples)
	for i := range r.samples {
		switch v := r.samples[i].Value; v.Kind() {
		case metrics.KindUint64:
			s.values[i] = float64(v.Uint64())
		case metrics.KindFloat64:
			s.values[i] = v.Float64()
		case metrics.KindFloat64Histogram:
			h, k := v.Float64Histogram(), i-gcPauses
			r.bounds[k] = h.Buckets
			s.buckets[k] = append(s.buckets[k][:0], h.Counts...)
		}
	}
}

// history holds the samples of the last seconds.
type history struct {
	ring [32]sample
	n    int
}

func (h *history) next() *sample {
	s := &h.ring[h.n%len(h.ring)]
	h.n++
	return s
}

// before is the newest sample taken before t, or else the oldest there is.
func (h *history) before(t int64) *sample {
	for back := 1; back <= min(h.n, len(h.ring)); back++ {
		s := &h.ring[(h.n-back)%len(h.ring)]
		if s.at <= t || back == min(h.n, len(h.ring)) {
			return s
		}
	}
	return &sample{}
}

// sample notes the present state.
func (r *Recorder) sample() {
	r.fill(r.history.next())
	watched := r.engines()
	for _, e := range watched {
		r.tape(e).Collect()
	}
	maps.DeleteFunc(r.tapes, func(e *engine.Engine, _ *spans.Tape) bool {
		return len(r.pending) == 0 && !slices.Contains(watched, e)
	})
}

// taped is how much of the past a report shows.
const taped = 30 * time.Second

// tape is the tape of an engine.
func (r *Recorder) tape(e *engine.Engine) *spans.Tape {
	t := r.tapes[e]
	if t == nil {
		t = spans.NewTape(e, taped)
		r.tapes[e] = t
	}
	return t
}

func (r *Recorder) fill(s *sample) {
	s.at = nanos(monotime.Now())
	r.metrics.read(s)
	if s.metrics == nil {
		s.metrics = map[*engine.Engine]engine.Metrics{}
	}
	clear(s.metrics)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.watched {
		s.metrics[e] = e.Metrics()
	}
}

// since is what a counter went up by.
func (s *sample) since(before *sample, metric int) float64 {
	return s.values[metric] - before.values[metric]
}

// spread is what was added to a histogram between two samples: how many, their
// sum as far as the buckets tell, and the upper end of the highest bucket, in
// milliseconds.
func (r *reader) spread(before, after *sample, metric int) (count uint64, sum, most float64) {
	k := metric - gcPauses
	bounds := r.bounds[k]
	for i, n := range after.buckets[k] {
		if i < len(before.buckets[k]) {
			n -= before.buckets[k][i]
		}
		if n == 0 || i+1 >= len(bounds) {
			continue
		}
		low, high := max(bounds[i], 0), bounds[i+1]
		if math.IsInf(high, 1) {
			high = low
		}
		count += n
		sum += float64(n) * (low + high) / 2 * 1e3
		most = high * 1e3
	}
	return count, sum, most
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
