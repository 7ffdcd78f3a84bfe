package main

import (
	"math"
	"strconv"
)

// tick is a number on an axis.
type tick struct {
	value float64
	label string
}

// roundTicks labels an axis at about that many round numbers: multiples of 1, 2
// or 5 times a power of ten.
type roundTicks int

func (n roundTicks) ticks(lo, hi float64) []tick {
	rough := (hi - lo) / float64(n)
	// With a step near the rounding error of lo and hi, the loop would not end.
	if !(rough > 1e-12*max(math.Abs(lo), math.Abs(hi))) || math.IsInf(rough, 0) {
		return []tick{{lo, strconv.FormatFloat(lo, 'g', 4, 64)}}
	}
	step := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, f := range []float64{1, 2, 5, 10} {
		if f*step >= .999*rough {
			step *= f
			break
		}
	}
	decimals := max(0, int(-math.Floor(math.Log10(step)+1e-9)))
	var ticks []tick
	for k := math.Ceil(lo / step); k*step <= hi; k++ {
		v := k*step + 0 // not -0
		ticks = append(ticks, tick{v, strconv.FormatFloat(v, 'f', decimals, 64)})
	}
	return ticks
}
