// Package quantise rounds values that a person sets, for example with a slider.
package quantise

import (
	"math"
	"strconv"
)

// Within returns the nearest value to x among lo, lo+step, lo+2*step and so on,
// limited to the range from lo to hi. NaN stays NaN. With a step of 0 the value
// is not rounded.
func Within(x, lo, hi, step float64) float64 {
	if step > 0 {
		x = lo + math.Round((x-lo)/step)*step
		// remove the rounding error of the sum
		if y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64); err == nil {
			x = y
		}
	}
	return max(lo, min(x, hi))
}
