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

// Close finishes the steps that are demanded, ends the physics goroutine and waits for the end of
// that goroutine, however long a step takes; CloseWithin has a time limit. In RunAhead on a
// simulated clock, a frame that physics has not begun yet is dropped. Commands that are given after
// Close are dropped and counted. Events that the program has not read before Close are dropped.
//
// The error is the error of the newest recording, or nil: a command or a state could not be
// recorded, or the file could not be written within RecordOptions.CloseTimeout.
//
// Close may be called more than once. Any goroutine except the physics goroutine may call it. If a
// function that physics calls (Do, a controller, a hook, OnStep) calls Close, Close would wait for
// its own end, so it panics. The panic becomes a Failure.
func (e *Engine) Close() error {
	cut := e.recordings.newest().Err() != nil // OnError may be the caller of Close if the recording has failed, see Writer.Result
	e.close()
	<-e.ended
	return e.recordings.newest().Result(cut)
}

// CloseWithin is Close with a time limit. After the time d, CloseWithin interrupts the step in
// progress, and the engine's Failure wraps world.ErrInterrupted. A step in continuous collision
// then ends at once. Any other step continues to its end.
//
// If the step has not ended one second after the interruption, the error wraps ErrStuck and says
// what physics is doing. The physics goroutine then ends when its step ends.
//
// The time limit does not include the writing of a recording, which has RecordOptions.CloseTimeout.
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
	<-e.ended // this may wait for a recording, see RecordOptions.CloseTimeout
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

// finish ends physics, and then ends the streams and recordings.
func (e *Engine) finish() {
	defer close(e.ended)
	e.link.Demand.RemoveLimit() // on a simulated clock steps wait for frames, and there are no more frames
	e.physics.Close()
	e.world.Close()
	e.closePast()
	close(e.physicsEnded)
	e.past.EndWatch(e.Failure() == nil, e.feed, e.shown)
	e.closeRecordings()
}
