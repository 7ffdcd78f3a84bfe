// Package quantise rounds values that a person sets.
package quantise

import (
	"math"
	"strconv"
)

// Within returns the value of lo, lo+step, lo+2*step and so on that is nearest to
// x, limited to [lo, hi]. NaN stays NaN, and a step of 0 rounds nothing.
func Within(x, lo, hi, step float64) float64 {
	if step > 0 {
		x = lo + math.Round((x-lo)/step)*step
		// remove the rounding error of the sum above
		if y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64); err == nil {
			x = y
		}
	}
	return max(lo, min(x, hi))
}
