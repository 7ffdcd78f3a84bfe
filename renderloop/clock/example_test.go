package clock_test

import (
	"fmt"

	"halfstep/renderloop/clock"
)

// With frames of 10 ms and 60 steps per second, no time is lost.
func ExampleClock() {
	c, err := clock.New(clock.Hz(60))
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 5 {
		steps := c.Advance(10_000_000, 0)
		fmt.Printf("%d steps, %.2f of a step left\n", steps, c.Remainder().Fraction())
	}
	fmt.Printf("%.3f s in steps and %.3f s left\n", c.Ledger().Simulated(), c.Ledger().Residual())
	// Output:
	// 0 steps, 0.60 of a step left
	// 1 steps, 0.20 of a step left
	// 0 steps, 0.80 of a step left
	// 1 steps, 0.40 of a step left
	// 1 steps, 0.00 of a step left
	// 0.050 s in steps and 0.000 s left
}

// Television rates are fractions, and stay exact.
func ExampleRateOf() {
	for _, hz := range []float64{60, 59.94, -1} {
		r, err := clock.RateOf(hz)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(r)
	}
	// Output:
	// 60
	// 2997/50
	// rate -1 is not a number from 0 up
}
