package buffer

import (
	"errors"
	"runtime/debug"
)

// ErrGoexit is what a Failure wraps where user code ended the goroutine that
// steps instead of returning to it.
var ErrGoexit = errors.New("user code called runtime.Goexit (as a test's Fatal, FailNow and Skip do: use Error there)")

// Ended returns what ended physics, for a deferred function to call: v is what
// recover returned, and finished tells whether the code came to its end. It is
// nil if it did.
func NewFailure(tick uint64, v any, finished bool) *Failure {
	if v == nil {
		if finished {
			return nil
		}
		v = ErrGoexit
	}
	return &Failure{Tick: tick, Value: v, Stack: debug.Stack()}
}
