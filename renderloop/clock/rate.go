package clock

import (
	"fmt"
	"math"
	"math/big"
)

// Rate is a fraction: steps per second, frames per second, or a time scale.
type Rate struct{ Num, Den int64 }

// The limits of a rate. No sum in a Clock can overflow within these limits.
const (
	maxPart = 1_000_000
	slowest = 1000 // the length of the longest step, in s
)

// Hz returns the rate of n per second.
func Hz(n int64) Rate { return Rate{n, 1} }

// RateOf returns the simplest fraction within a billionth of x: 60 is 60/1, 59.94 is 2997/50, 0.1
// is 1/10. The numerator and the denominator are at most a million. If no such fraction is within a
// billionth of x, RateOf returns a fraction within a millionth of x, or an error if there is none.
// It also returns an error if x is negative or not finite.
func RateOf(x float64) (Rate, error) {
	if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
		return Rate{}, fmt.Errorf("rate %v is not a number from 0 up", x)
	}
	// Compute the continued fraction of x until it is close enough.
	p0, q0, p1, q1 := int64(0), int64(1), int64(1), int64(0)
	for y := x; ; {
		whole := math.Floor(y)
		if whole > maxPart {
			break
		}
		p, q := int64(whole)*p1+p0, int64(whole)*q1+q0
		if p > maxPart || q > maxPart {
			break
		}
		p0, q0, p1, q1 = p1, q1, p, q
		if math.Abs(x-float64(p)/float64(q)) <= 1e-9*x || y == whole {
			break
		}
		y = 1 / (y - whole)
	}
	if q1 == 0 || math.Abs(x-float64(p1)/float64(q1)) > 1e-6*x {
		return Rate{}, fmt.Errorf("rate %v is not from %v to %d", x, 1./maxPart, maxPart)
	}
	return Rate{p1, q1}, nil
}

// Float returns the rate as a float64.
func (r Rate) Float() float64 { return float64(r.Num) / float64(r.Den) }

// String returns the rate as a number or a fraction: "60" or "2997/50".
func (r Rate) String() string {
	if r.Den == 1 {
		return fmt.Sprint(r.Num)
	}
	return fmt.Sprintf("%d/%d", r.Num, r.Den)
}

// valid returns an error if the rate is out of range. If zero is true, a rate of 0 is valid.
func (r Rate) valid(zero bool) error {
	if r.Den < 1 || r.Den > maxPart || r.Num < 0 || r.Num > maxPart || r.Num == 0 && !zero {
		return fmt.Errorf("rate %d/%d: parts must be from 1 to %d", r.Num, r.Den, maxPart)
	}
	if !zero && r.Den > slowest*r.Num {
		return fmt.Errorf("rate %v: must be at least one step in %d seconds", r, slowest)
	}
	return nil
}

// dt returns the length of a step, in s.
func (r Rate) dt() float64 { return float64(r.Den) / float64(r.Num) }

// reduced returns the same rate as a fraction in lowest terms.
func (r Rate) reduced() Rate {
	g := new(big.Int).GCD(nil, nil, big.NewInt(r.Num), big.NewInt(r.Den)).Int64()
	return Rate{r.Num / g, r.Den / g}
}
