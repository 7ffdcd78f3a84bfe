// Package goruntime reads counters of the Go runtime, such as garbage collections,
// memory and pauses.
package goruntime

import (
	"math"
	"runtime/metrics"
)

// Metric is the name of a metric in package runtime/metrics.
type Metric = string

// the metrics that tell why a frame took long
const (
	Cycles       Metric = "/gc/cycles/total:gc-cycles"
	Forced       Metric = "/gc/cycles/forced:gc-cycles"
	Mark         Metric = "/cpu/classes/gc/mark/dedicated:cpu-seconds"
	Assist       Metric = "/cpu/classes/gc/mark/assist:cpu-seconds"
	IdleMark     Metric = "/cpu/classes/gc/mark/idle:cpu-seconds"
	CollectorCPU Metric = "/cpu/classes/gc/total:cpu-seconds"
	CPU          Metric = "/cpu/classes/total:cpu-seconds"
	GOGC         Metric = "/gc/gogc:percent"
	MemoryLimit  Metric = "/gc/gomemlimit:bytes"
	AllocObjects Metric = "/gc/heap/allocs:objects"
	AllocBytes   Metric = "/gc/heap/allocs:bytes"
	HeapGoal     Metric = "/gc/heap/goal:bytes"
	HeapLive     Metric = "/gc/heap/live:bytes"
	HeapObjects  Metric = "/gc/heap/objects:objects"
	Memory       Metric = "/memory/classes/total:bytes"
	MaxProcs     Metric = "/sched/gomaxprocs:threads"
	Goroutines   Metric = "/sched/goroutines:goroutines"
	MutexWait    Metric = "/sync/mutex/wait/total:seconds"

	// These metrics are histograms of durations, for Sample.Spread.
	GCPauses    Metric = "/sched/pauses/total/gc:seconds"
	OtherPauses Metric = "/sched/pauses/total/other:seconds"
	Latencies   Metric = "/sched/latencies:seconds"
)

// Sample has the values of some metrics at one moment.
type Sample []metrics.Sample

// Read returns the present values of the metrics.
func Read(of ...Metric) Sample {
	s := make(Sample, len(of))
	for i, m := range of {
		s[i].Name = m
	}
	s.Update()
	return s
}

// Update reads the metrics of the sample again. It allocates nothing.
func (s Sample) Update() { metrics.Read(s) }

func (s Sample) find(m Metric) metrics.Value {
	for i := range s {
		if s[i].Name == m {
			return s[i].Value
		}
	}
	return metrics.Value{}
}

// Value returns the value of a metric that is not a histogram, or 0 if the sample does
// not have the metric.
func (s Sample) Value(m Metric) float64 {
	switch v := s.find(m); v.Kind() {
	case metrics.KindUint64:
		return float64(v.Uint64())
	case metrics.KindFloat64:
		return v.Float64()
	}
	return 0
}

// Since returns the growth of a metric since an earlier sample.
func (s Sample) Since(before Sample, m Metric) float64 { return s.Value(m) - before.Value(m) }

// Spread describes the durations that a histogram counted since an earlier sample: their
// number, an estimate of their sum in ms from the buckets, and the upper end of the
// highest bucket in ms.
func (s Sample) Spread(before Sample, m Metric) (count uint64, sum, most float64) {
	v := s.find(m)
	if v.Kind() != metrics.KindFloat64Histogram {
		return 0, 0, 0
	}
	h, old := v.Float64Histogram(), []uint64(nil)
	if v := before.find(m); v.Kind() == metrics.KindFloat64Histogram {
		old = v.Float64Histogram().Counts
	}
	for i, n := range h.Counts {
		if i < len(old) {
			n -= old[i]
		}
		if n == 0 {
			continue
		}
		low, high := max(h.Buckets[i], 0), h.Buckets[i+1]
		if math.IsInf(high, 1) {
			high = low
		}
		count += n
		sum += float64(n) * (low + high) / 2 * 1e3
		most = high * 1e3
	}
	return count, sum, most
}
