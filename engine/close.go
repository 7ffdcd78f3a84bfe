package engine

import (
	"errors"
	"fmt"
	"time"

	"halfstep/buffer/phase"
)

// ErrStuck is wrapped by the error of CloseWithin if a step could not be ended.
var ErrStuck = errors.New("physics did not end")

// Failure returns what ended physics, or nil. It is a *buffer.Failure, with the
// tick and the stack, after a panic in user code or in the solver. It wraps
// buffer.ErrGoexit after a runtime.Goexit in user code (a test's Fatal), and
// world.ErrInterrupted after CloseWithin gave up a step. After a Failure the
// picture goes on to the last state that was published, and stays there. Any goroutine may call it.
func (e *Engine) Failure() error {
	if f := e.link.Failure(); f != nil {
		return f
	}
	return nil
}

// Close finishes the steps that are demanded, ends the physics goroutine and waits for it, however
// long a step takes. (In RunAhead on a simulated clock, a frame that physics would not have got to
// by then is not begun.) CloseWithin has a time limit. Commands that are given after Close are
// dropped and counted. Events that the program has not taken by then are dropped.
//
// The error is that of the newest recording, if there is one: a command or a state could not be
// recorded, or the file could not be written within RecordOptions.CloseTimeout.
//
// Close may be called more than once. Any goroutine may call it but the physics goroutine: in a
// function that the engine calls there (Do, a controller, a hook, OnStep) Close would wait for
// itself, so it panics, which is a Failure.
func (e *Engine) Close() error {
	cut := e.recordings.newest().Err() != nil // it ended with an error; then OnError may be the caller, see Writer.Result
	e.close()
	<-e.ended
	return e.recordings.newest().Result(cut)
}

// CloseWithin is Close with a time limit. After d it interrupts the step in progress,
// and the engine's Failure wraps world.ErrInterrupted: a step in continuous collision
// ends at once; any other step ends as usual.
//
// If the step has not ended a second later (user code hangs), the error wraps ErrStuck
// and says what physics is busy with. The physics goroutine is then left behind and ends
// when its step does.
//
// The limit is for physics; for the writing of a recording it is
// RecordOptions.CloseTimeout. Any goroutine may call CloseWithin but the physics
// goroutine; see Close.
func (e *Engine) CloseWithin(d time.Duration) error {
	cut := e.recordings.newest().Err() != nil
	e.close()
	if !e.stopsWithin(d) {
		inside.Interrupt(e.world)
		if !e.stopsWithin(interruptTime) {
			return e.stuck()
		}
	}
	<-e.ended // the recording has a time limit of its own
	return e.recordings.newest().Result(cut)
}

// stuck is the error with the activity of physics.
func (e *Engine) stuck() error {
	b := e.Trace().Busy(phase.Physics)
	if b == (Busy{}) {
		return fmt.Errorf("%w in tick %d", ErrStuck, e.link.Tick()+1)
	}
	return fmt.Errorf("%w: it has been in %s", ErrStuck, b.where())
}

// interruptTime is how long CloseWithin waits for a step that it has interrupted.
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
	e.mustBeOutside("Close")
	e.closed.Store(true)
	e.once.Do(func() { go e.finish() })
}

// finish ends physics, then watching and recordings.
func (e *Engine) finish() {
	defer close(e.ended)
	e.link.Demand.Lift() // a simulated clock makes steps wait for frames, and no more frames come
	e.physics.Close()
	e.world.Close()
	e.closePast()
	close(e.physicsEnded)
	e.past.EndWatch(e.Failure() == nil, e.feed, e.shown)
	e.closeRecordings()
}
