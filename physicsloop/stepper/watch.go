package stepper

import (
	"errors"
	"sync/atomic"
)

// ErrInterrupted is what a step panics with that was given up for
// [Watch.Interrupt]. The world is then locked and of no further use.
var ErrInterrupted = errors.New("the step was interrupted")

// Watch is how other goroutines follow a step. Its zero value is ready to use.
type Watch struct {
	continuous, interrupted atomic.Bool
}

// Continuous reports whether the step at hand looks for times of impact. Any
// goroutine may ask.
func (w *Watch) Continuous() bool { return w.continuous.Load() }

// Interrupt makes the search for times of impact panic with [ErrInterrupted]
// before its next event. The number of its events has no useful bound, and a
// lower one would change results. Any goroutine may call it.
func (w *Watch) Interrupt() { w.interrupted.Store(true) }

// Interrupted reports whether Interrupt was called. Any goroutine may ask.
func (w *Watch) Interrupted() bool { return w.interrupted.Load() }
