// Package fault describes faults that an engine causes on purpose: a late step, a late
// frame, a garbage collection. Use them to see how a hitch looks in a profile, and to
// test that a program can handle it.
//
//	f, err := fault.Parse("step:50ms@60")
//	…
//	e, err := engine.New(engine.Config{Testing: engine.Testing{Faults: []fault.Fault{f}}})
package fault

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind is the kind of a fault.
type Kind uint8

const (
	// LateStep makes a step take longer, by work on the physics goroutine.
	LateStep Kind = iota
	// LateFrame makes a frame take longer: the render thread sleeps, as in a driver in which
	// a present takes too long.
	LateFrame
	// ForcedGC runs a garbage collection during a frame.
	ForcedGC
)

var kindNames = [...]string{"step", "frame", "gc"}

// String returns the kind in the form that Parse reads: step, frame or gc.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return "unknown"
	}
	return kindNames[k]
}

// Fault is a fault at a chosen tick or frame. On the wall clock its delay is real. With
// engine.Time.Simulated it is simulated: a late step counts as done later by Delay, and
// a late frame makes the next frame time longer by Delay. The run does not wait for
// either.
type Fault struct {
	Kind Kind
	// Delay is the time by which the step or frame is late, above 0 and at most a
	// minute. A ForcedGC has no Delay.
	Delay time.Duration
	// At is the tick to which a late step leads, from 1. For the other kinds it is the
	// number of the frame, counted from 0 in calls of Frame, Advance and Step.
	At uint64
}

// maxDelay is the longest delay of a fault.
const maxDelay = time.Minute

// Validate returns an error that says what is wrong with f, or nil if f is valid.
func (f Fault) Validate() error {
	switch {
	case int(f.Kind) >= len(kindNames):
		return fmt.Errorf("fault: there is no kind %d", f.Kind)
	case f.Kind == ForcedGC:
		return nil
	case f.Delay <= 0 || f.Delay > maxDelay:
		return fmt.Errorf("fault: a delay of %v is not above 0 and at most %v", f.Delay, maxDelay)
	case f.Kind == LateStep && f.At == 0:
		return errors.New("fault: the first step leads to tick 1")
	}
	return nil
}

// String returns the fault in the form that Parse reads.
func (f Fault) String() string {
	if f.Kind == ForcedGC {
		return fmt.Sprintf("gc@%d", f.At)
	}
	return fmt.Sprintf("%v:%v@%d", f.Kind, f.Delay, f.At)
}

var errForm = errors.New("fault: must be step:DELAY@TICK, frame:DELAY@FRAME or gc@FRAME")

// Parse reads step:DELAY@TICK, frame:DELAY@FRAME or gc@FRAME, where DELAY is what
// time.ParseDuration reads: "step:50ms@60", "frame:30ms@100", "gc@200". If there is no
// error, the fault is valid.
func Parse(s string) (Fault, error) {
	var f Fault
	what, at, ok := strings.Cut(s, "@")
	if !ok {
		return f, errForm
	}
	name, delay, timed := strings.Cut(what, ":")
	kind := slices.Index(kindNames[:], name)
	if kind < 0 || timed == (Kind(kind) == ForcedGC) {
		return f, errForm
	}
	f.Kind = Kind(kind)
	var err error
	if f.At, err = strconv.ParseUint(at, 10, 63); err != nil {
		return f, fmt.Errorf("fault: %q is not a tick or a frame", at)
	}
	if timed {
		if f.Delay, err = time.ParseDuration(delay); err != nil {
			return f, fmt.Errorf("fault: %q is not a delay such as 50ms", delay)
		}
	}
	return f, f.Validate()
}

// Injected is a fault that an engine has caused, with its time; see
// engine.Trace.InjectedFaults.
type Injected struct {
	Fault
	Began time.Time
}
