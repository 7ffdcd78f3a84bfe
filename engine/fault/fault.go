package fault

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Fault is a kind of trouble that can be made on purpose.
type Kind uint8

const (
	// LateStep makes a step take longer, by work on the physics goroutine.
	LateStep Kind = iota
	// LateFrame makes a frame take longer, by sleeping on the render thread,
	// as a driver that does not return from a present does.
	LateFrame
	// ForcedGC has a garbage collection run beside a frame.
	ForcedGC
)

var faultNames = [...]string{"step", "frame", "gc"}

// String is the fault's name as ParseInjection reads it.
func (f Kind) String() string {
	if int(f) >= len(faultNames) {
		return "unknown"
	}
	return faultNames[f]
}

// Injection is a fault at a time of one's choice. On the wall clock a delay is
// real. On an injected clock it is virtual: a late step counts as done that
// much later, a late frame makes the next frame time longer, and no run waits
// for either.
type Fault struct {
	Kind Kind
	// Delay is by how much a step or frame is late; at most a minute.
	Delay time.Duration
	// At is the tick that a late step leads to, from 1. For the other faults
	// it is the frame, counted by calls of Frame and Advance from 0.
	At uint64
}

// MaxInjectedDelay is the longest delay that can be injected.
const MaxDelay = time.Minute

// Validate reports what is wrong with i.
func (i Fault) Validate() error {
	switch {
	case int(i.Kind) >= len(faultNames):
		return fmt.Errorf("injection: no fault %d", i.Kind)
	case i.Kind == ForcedGC:
		return nil
	case i.Delay <= 0 || i.Delay > MaxDelay:
		return fmt.Errorf("injection: a delay of %v is not above 0 and at most %v", i.Delay, MaxDelay)
	case i.Kind == LateStep && i.At == 0:
		return errors.New("injection: the first step leads to tick 1")
	}
	return nil
}

// String is the injection as ParseInjection reads it.
func (i Fault) String() string {
	if i.Kind == ForcedGC {
		return fmt.Sprintf("gc@%d", i.At)
	}
	return fmt.Sprintf("%v:%v@%d", i.Kind, i.Delay, i.At)
}

// ParseInjection reads step:DELAY@TICK, frame:DELAY@FRAME or gc@FRAME, with a
// delay such as 50ms: "step:50ms@60", "frame:30ms@100", "gc@200".
func Parse(s string) (Fault, error) {
	var i Fault
	what, at, ok := strings.Cut(s, "@")
	if !ok {
		return i, errors.New("must be step:DELAY@TICK, frame:DELAY@FRAME or gc@FRAME")
	}
	name, delay, timed := strings.Cut(what, ":")
	switch {
	case name == "step" && timed:
		i.Kind = LateStep
	case name == "frame" && timed:
		i.Kind = LateFrame
	case name == "gc" && !timed:
		i.Kind = ForcedGC
	default:
		return i, errors.New("must be step:DELAY@TICK, frame:DELAY@FRAME or gc@FRAME")
	}
	var err error
	if i.At, err = strconv.ParseUint(at, 10, 63); err != nil {
		return i, fmt.Errorf("%q is not a tick or a frame", at)
	}
	if timed {
		if i.Delay, err = time.ParseDuration(delay); err != nil {
			return i, fmt.Errorf("%q is not a delay such as 50ms", delay)
		}
	}
	return i, i.Validate()
}

// Injected is an injection that has happened.
type Injected struct {
	Fault
	Began time.Time
}
