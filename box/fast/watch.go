package fast

import "sync/atomic"

// Watch is how other goroutines follow a step. Its zero value is ready to use.
type Watch struct {
	continuous  atomic.Bool
	interrupted atomic.Pointer[error]
}

// Continuous reports whether the step at hand looks for times of impact. Any
// goroutine may ask.
func (w *Watch) Continuous() bool { return w.continuous.Load() }

// Interrupt makes the search for times of impact panic with err before its next
// event. The number of its events has no useful bound, and a lower one would
// change results. The world is then locked and of no further use. Any goroutine
// may call it.
func (w *Watch) Interrupt(err error) { w.interrupted.Store(&err) }

// Interrupted returns what Interrupt was called with, or nil. Any goroutine may
// ask.
func (w *Watch) Interrupted() error {
	if err := w.interrupted.Load(); err != nil {
		return *err
	}
	return nil
}
