package play

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/loops"
	"halfstep/renderloop"
	"halfstep/world"
)

// These are the names of settings in flags and on the panel.

// StepperNames are the names of the steppers, in the order of their values.
var StepperNames = []string{world.FastStep.String(), world.SoftStep.String()}

// LoopNames returns the names of all loops. The engine's own loop is the first.
func LoopNames() []string { return append([]string{"engine"}, loops.Names()...) }

// Smoothings are the smoothing modes, in the order in which key M goes through
// them.
var Smoothings = []body2d.Smoothing{body2d.Interpolate, body2d.Newest, body2d.Extrapolate, body2d.Hermite}

// ParseSmoothing returns the smoothing mode with a name.
var ParseSmoothing = byName(body2d.Newest, body2d.Interpolate, body2d.Extrapolate, body2d.Hermite)

// Syncs are the sync modes, in the order of the panel.
var Syncs = []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead}

// ParseSync returns the sync mode with a name.
var ParseSync = byName(Syncs...)

// byName returns a parser for the names of two or more values. The error of the parser lists the
// names in the same order.
func byName[T fmt.Stringer](values ...T) func(string) (T, error) {
	return func(s string) (none T, err error) {
		names := NamesOf(values)
		if i := slices.Index(names, s); i >= 0 {
			return values[i], nil
		}
		last := len(names) - 1
		return none, errors.New("must be " + strings.Join(names[:last], ", ") + " or " + names[last])
	}
}

// NamesOf returns the names of the given values.
func NamesOf[T fmt.Stringer](values []T) (names []string) {
	for _, v := range values {
		names = append(names, v.String())
	}
	return names
}

// ParseStepper returns the name of a stepper unchanged, because Settings store
// the name. It returns an error if there is no such stepper.
func ParseStepper(s string) (string, error) {
	_, err := world.ParseStepper(s)
	return s, err
}
