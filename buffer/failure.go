package buffer

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrGoexit is the error in a Failure when the program's code has ended the
// physics goroutine with runtime.Goexit.
var ErrGoexit = errors.New("user code called runtime.Goexit (as a test's Fatal, FailNow and Skip do: use Error there)")

// NewFailure returns the reason why physics ended, or nil after a normal
// return. A deferred function calls it with the number of steps done, the
// result of recover, and whether the code returned normally.
func NewFailure(tick uint64, recovered any, finished bool) *Failure {
	if recovered == nil {
		if finished {
			return nil
		}
		recovered = ErrGoexit
	}
	return &Failure{Tick: tick, Value: recovered, Stack: debug.Stack()}
}

// Failure is the error that ended physics: a panic on the physics goroutine, or
// runtime.Goexit in the program's code.
type Failure struct {
	Tick  uint64 // number of steps done before the failure
	Value any    // the argument of panic, or ErrGoexit
	Stack []byte // the stack of the physics goroutine
}

// Error is the failure in one line, without the stack.
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
