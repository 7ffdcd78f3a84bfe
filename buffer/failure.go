package buffer

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrGoexit is the Value of a Failure if code of the program has ended the physics goroutine with
// runtime.Goexit.
var ErrGoexit = errors.New("user code called runtime.Goexit (as a test's Fatal, FailNow and Skip do: use Error there)")

// NewFailure returns the Failure for a panic or a runtime.Goexit, or nil if finished is true. Call
// it in a deferred function: tick is the number of steps done, recovered is the result of recover,
// and finished is true if the code has returned normally.
func NewFailure(tick uint64, recovered any, finished bool) *Failure {
	if recovered == nil {
		if finished {
			return nil
		}
		recovered = ErrGoexit
	}
	return &Failure{Tick: tick, Value: recovered, Stack: debug.Stack()}
}

// Failure is the error after a panic on the physics goroutine, or after runtime.Goexit in the
// program's code. It ends physics.
type Failure struct {
	Tick  uint64 // the number of steps done before the failure
	Value any    // the argument of panic, or ErrGoexit
	Stack []byte // the stack of the physics goroutine
}

// Error returns the failure in one line, without the stack.
func (f *Failure) Error() string {
	if f.Value == any(ErrGoexit) {
		return fmt.Sprintf("physics stopped after tick %d: %v", f.Tick, f.Value)
	}
	return fmt.Sprintf("physics stopped after tick %d: panic: %v", f.Tick, f.Value)
}

// Unwrap returns Value if it is an error, and nil otherwise.
func (f *Failure) Unwrap() error {
	err, _ := f.Value.(error)
	return err
}
