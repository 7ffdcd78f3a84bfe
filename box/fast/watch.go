package fast

import "sync/atomic"

// Watch lets other goroutines follow a step. Its zero value is ready to use.
type Watch struct {
	continuous  atomic.Bool
	interrupted atomic.Pointer[error]
}

// Continuous reports whether the present step is searching for times of impact.
// Any goroutine may call it.
func (w *Watch) Continuous() bool { return w.continuous.Load() }

// Interrupt makes the search for times of impact panic with err before its next event. After that
// the world is locked and cannot be used any more. Any goroutine may call Interrupt.
func (w *Watch) Interrupt(err error) { w.interrupted.Store(&err) }

// Interrupted returns the error that was given to Interrupt, or nil. Any goroutine may call
// Interrupted.
func (w *Watch) Interrupted() error {
	if err := w.interrupted.Load(); err != nil {
		return *err
	}
	return nil
}
