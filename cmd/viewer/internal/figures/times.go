package figures

import (
	"math"
	"slices"
	"time"
)

// Times stores the newest of a series of durations in ms.
type Times struct {
	ring []float32
	N    int     // so far
	most float32 // most is the greatest of all times, in ms.
}

// NewTimes returns Times that store that many durations.
func NewTimes(kept int) *Times { return &Times{ring: make([]float32, kept)} }

func (t *Times) Add(d time.Duration) {
	ms := float32(d.Seconds() * 1e3)
	t.ring[t.N%len(t.ring)] = ms
	t.most = max(t.most, ms)
	t.N++
}

// at returns the duration with index i, counted from the beginning. It must
// still be stored.
func (t *Times) at(i int) float32 { return t.ring[i%len(t.ring)] }

// sorted appends the newest times, at most `most` of them, to dst in ascending
// order. The slice dst must be empty.
func (t *Times) sorted(dst []float32, most int) []float32 {
	for i := max(t.N-min(most, len(t.ring)), 0); i < t.N; i++ {
		dst = append(dst, t.at(i))
	}
	slices.Sort(dst)
	return dst
}

// percentile returns the nearest-rank percentile of a sorted list. The
// parameter part is 0.99 for the 99th percentile.
func percentile(sorted []float32, part float64) float64 {
	i := int(math.Ceil(part*float64(len(sorted)))) - 1
	return float64(sorted[min(max(i, 0), len(sorted)-1)])
}

// Percentiles has percentiles of the newest times, and the longest of all
// times, in milliseconds.
type Percentiles struct {
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p999"`
	Max  float64 `json:"max"`
}

func PercentilesOf(t *Times) Percentiles {
	list := t.sorted(nil, Collected)
	if len(list) == 0 {
		return Percentiles{}
	}
	return Percentiles{percentile(list, .5), percentile(list, .99), percentile(list, .999), float64(t.most)}
}
