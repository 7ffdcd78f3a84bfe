package world

import (
	"cmp"
	"fmt"
	"math"

	"halfstep/internal/box/b2"
)

// The limits on numbers for Box2D. Beyond them, squares overflow or positions are coarser than a millimetre, and NaN
// spreads from body to body.
const (
	maxValue    = 1e18 // forces, speeds, densities…
	maxPosition = 1e9  // in m
)

func within(x, limit float64) bool { return math.Abs(x) <= limit } // false for NaN

func checkNumber(what string, x float64) error   { return checkWithin(what, x, maxValue) }
func checkPosition(what string, x float64) error { return checkWithin(what, x, maxPosition) }

func checkWithin(what string, x, limit float64) error {
	if !within(x, limit) {
		return fmt.Errorf("world: %s is %v: must be between ±%v", what, x, limit)
	}
	return nil
}

func checkVec(what string, v Vec, limit float64) error {
	if !within(v.X, limit) || !within(v.Y, limit) {
		return fmt.Errorf("world: %s is (%v, %v): both must be between ±%v", what, v.X, v.Y, limit)
	}
	return nil
}

// checkPositive returns an error for a negative number. 0 is valid.
func checkPositive(what string, x float64) error {
	if !(x >= 0 && x <= maxValue) {
		return fmt.Errorf("world: %s is %v: must be from 0 to %v", what, x, float64(maxValue))
	}
	return nil
}

// checkMost checks the maximum force or torque of a joint. [math.MaxFloat32] is valid and means no limit. Values above
// maxValue count as maxValue.
func checkMost(what string, x float64) error {
	if !(x >= 0 && x <= math.MaxFloat32) {
		return fmt.Errorf("world: %s is %v: must be from 0 to %v", what, x, math.MaxFloat32)
	}
	return nil
}

// checkCount checks a count. 0 is valid and means a default.
func checkCount(what string, n, most int) error {
	if n < 0 || n > most {
		return fmt.Errorf("world: %d %s: must be from 0 to %d", n, what, most)
	}
	return nil
}

func firstError(errs ...error) error { return cmp.Or(errs...) }

func (m *Mass) check() error {
	if m == nil {
		return nil
	}
	if !(m.Mass >= 1e-12 && m.Mass <= maxValue) {
		return fmt.Errorf("world: mass is %v", m.Mass)
	}
	if err := firstError(checkVec("centre of mass", m.Centre, maxPosition), checkPositive("inertia", m.Inertia)); err != nil {
		return err
	}
	about := b2.InertiaAbout(m.Inertia, m.Mass, b2vec(m.Centre))
	if m.Inertia > 0 && !(about > m.Inertia*inertiaMargin) {
		return fmt.Errorf("world: inertia %v about the origin is too small for mass %v at (%v, %v)",
			m.Inertia, m.Mass, m.Centre.X, m.Centre.Y)
	}
	return nil
}
