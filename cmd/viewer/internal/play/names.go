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

// The names of settings, as in flags and on the panel.

// StepperNames are the names of the steppers, in the order of their values.
var StepperNames = []string{world.FastStep.String(), world.SoftStep.String()}

// LoopNames are the engine's own loop and the others.
func LoopNames() []string { return append([]string{"engine"}, loops.Names()...) }

// Smoothings lists the modes in the order of key M.
var Smoothings = []body2d.Smoothing{body2d.Interpolate, body2d.Newest, body2d.Extrapolate, body2d.Hermite}

// ParseSmoothing returns the mode of a name.
var ParseSmoothing = byName(body2d.Newest, body2d.Interpolate, body2d.Extrapolate, body2d.Hermite)

// Syncs are the sync modes, in the order of the panel.
var Syncs = []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead}

// ParseSync returns the sync mode of a name.
var ParseSync = byName(Syncs...)

// byName makes a parser for the names of two or more values. Its error lists them in that order.
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

// NamesOf returns the names of some values.
func NamesOf[T fmt.Stringer](values []T) (names []string) {
	for _, v := range values {
		names = append(names, v.String())
	}
	return names
}

// ParseStepper returns the name of a stepper unchanged, as Settings keep it, if
// there is such a stepper.
func ParseStepper(s string) (string, error) {
	_, err := world.ParseStepper(s)
	return s, err
}
