package main

import (
	"math"
	"slices"
)

// skipped is the number of errors at the start of a trace that are ignored.
const skipped = 10

// same is the greatest difference, in seconds, at which two instants count as
// equal.
const same = 1e-9

// measured has the metrics of the motion in a run. The package comment
// explains them.
type measured struct {
	RMS      float64 `json:"rms_ms"`
	P99      float64 `json:"p99_ms"`
	Backward int     `json:"backward"`
	Still    int     `json:"still"`
	Latency  float64 `json:"latency_ms"`
	Lag      float64 `json:"lag_ms"`
}

// animationError returns the index and the error of each seen frame that comes
// after another seen frame. The error is (x[i]-x[j]) - (v[i]-v[j]) in seconds,
// where j is the seen frame before i.
func animationError(x, v []float64) (frame []int, e []float64) {
	j := -1
	for i := range x {
		if math.IsNaN(v[i]) {
			continue
		}
		if j >= 0 {
			frame = append(frame, i)
			e = append(e, (x[i]-x[j])-(v[i]-v[j]))
		}
		j = i
	}
	return frame, e
}

// measure compares the shown instants x of the frames with their starts s and
// their display times v, all in seconds. The element of v is NaN for a frame
// that was never seen. More than `skipped` frames must have been seen.
func measure(x, s, v []float64) measured {
	var m measured
	var latency, lag []float64
	last := math.NaN()
	for i := range x {
		if math.IsNaN(v[i]) {
			continue
		}
		if x[i] < last-same {
			m.Backward++
		}
		if math.Abs(x[i]-last) < same {
			m.Still++
		}
		last = x[i]
		latency = append(latency, v[i]-x[i])
		lag = append(lag, s[i]-x[i])
	}
	m.Latency, m.Lag = inMillis(median(latency)), inMillis(median(lag))

	_, e := animationError(x, v)
	sum := 0.
	for i := range e {
		e[i] = math.Abs(e[i]) * 1e3
	}
	e = e[min(skipped, len(e)):]
	for _, a := range e {
		sum += a * a
	}
	m.RMS = math.Sqrt(sum / float64(len(e)))
	m.P99 = quantile(e, .99)
	return m
}

// inMillis converts seconds to milliseconds. Rounding errors, which would
// print as -0, become 0.
func inMillis(s float64) float64 {
	if math.Abs(s) < same {
		return 0
	}
	return s * 1e3
}

func quantile(x []float64, q float64) float64 {
	if len(x) == 0 {
		return 0
	}
	slices.Sort(x)
	return x[min(int(q*float64(len(x))), len(x)-1)]
}

func median(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	slices.Sort(x)
	k := len(x) / 2
	if len(x)%2 == 1 {
		return x[k]
	}
	return (x[k-1] + x[k]) / 2
}
