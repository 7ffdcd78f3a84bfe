package engine

import (
	"errors"
	"fmt"
	"time"

	"halfstep/buffer/phase"
)

// ErrStuck is wrapped by the error of CloseWithin if physics is still in a step.
var ErrStuck = errors.New("physics did not end")

// Failure returns the error that has ended physics, or nil. After a panic in the program's code or
// in the solver it is a *buffer.Failure, with the tick and the stack. It wraps buffer.ErrGoexit
// after a runtime.Goexit in the program's code (a test's Fatal), and world.ErrInterrupted after
// CloseWithin has interrupted a step. After a Failure the picture advances to the last state that
// was published, and stays there. Any goroutine may call it.
func (e *Engine) Failure() error {
	if f := e.link.Failure(); f != nil {
		return f
	}
	return nil
}

// Close finishes the steps that are demanded, ends the physics goroutine and waits for it, however
// long a step takes. (In RunAhead on a simulated clock, a frame that physics has not begun yet is
// dropped.) CloseWithin has a time limit. Commands that are given after Close are dropped and
// counted. Events that the program has not read before Close are dropped.
//
// The error is that of the newest recording, if there is one: a command or a state could not be
// recorded, or the file could not be written within RecordOptions.CloseTimeout.
//
// Close may be called more than once. Any goroutine except the physics goroutine may call it. In a
// function that the engine calls there (Do, a controller, a hook, OnStep) Close would wait for
// itself, so it panics, and the panic becomes a Failure.
func (e *Engine) Close() error {
	cut := e.recordings.newest().Err() != nil // the recording ended with an error; then OnError may be the caller, see Writer.Result
	e.close()
	<-e.ended
	return e.recordings.newest().Result(cut)
}

// CloseWithin is Close with a time limit. After d it interrupts the step in progress, and the
// engine's Failure wraps world.ErrInterrupted: a step in continuous collision ends at once; any
// other step ends as usual.
//
// If the step has not ended a second later, because code of the program hangs, the error wraps
// ErrStuck and says what physics is doing. The physics goroutine then ends whenever its step ends.
//
// The limit is for physics. The limit for the writing of a recording is RecordOptions.CloseTimeout.
// Any goroutine except the physics goroutine may call CloseWithin; see Close.
func (e *Engine) CloseWithin(d time.Duration) error {
	cut := e.recordings.newest().Err() != nil
	e.close()
	if !e.stopsWithin(d) {
		private.Interrupt(e.world)
		if !e.stopsWithin(interruptTime) {
			return e.stuckError()
		}
	}
	<-e.ended // the recording has a time limit of its own
	return e.recordings.newest().Result(cut)
}

// stuckError returns the error that says what physics is doing.
func (e *Engine) stuckError() error {
	b := e.Trace().Busy(phase.Physics)
	if b == (Busy{}) {
		return fmt.Errorf("%w in tick %d", ErrStuck, e.link.Tick()+1)
	}
	return fmt.Errorf("%w: it has been in %s", ErrStuck, b.where())
}

// interruptTime is the time for which CloseWithin waits for a step that it has interrupted.
const interruptTime = time.Second

func (e *Engine) stopsWithin(d time.Duration) bool {
	select {
	case <-e.physicsEnded:
		return true
	case <-time.After(d):
		return false
	}
}

// close closes the engine on a goroutine of its own, once.
func (e *Engine) close() {
	e.mustNotBeInCallback("Close")
	e.closed.Store(true)
	e.once.Do(func() { go e.finish() })
}

// finish ends physics, and after that streams and recordings.
func (e *Engine) finish() {
	defer close(e.ended)
	e.link.Demand.RemoveLimit() // on a simulated clock steps wait for frames, but no more frames come
	e.physics.Close()
	e.world.Close()
	e.closePast()
	close(e.physicsEnded)
	e.past.EndWatch(e.Failure() == nil, e.feed, e.shown)
	e.closeRecordings()
}
