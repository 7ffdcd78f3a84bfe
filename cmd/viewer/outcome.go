package main

import (
	"errors"
	"fmt"
	"halfstep/engine"
	"time"
)

const (
	// patience is the time of a step after which the watchdog reports it.
	patience = 3 * time.Second
	// closeTime is how long the viewer waits for physics after the user has asked to quit.
	closeTime = 3 * time.Second
	// checkEvery is the time between two checks.
	checkEvery = 250 * time.Millisecond
)

// outcome is how the run of a scene goes: whether physics has failed, and whether a replay was the same.
type outcome struct {
	stage  *stage
	follow *follower

	failure error       // why physics has ended, or nil
	busy    engine.Busy // what physics is doing in this frame
	failed  error       // the first failure of an engine that is closed
}

// physicsFailure is why physics has ended, or nil. Where the recording of a program differs, its own
// code may be missing.
func (o *outcome) physicsFailure() error {
	failure := o.stage.player.Failure()
	if failure == nil || !o.stage.scenes[o.stage.current].foreign { // errors.As allocates
		return failure
	}
	if m := (*engine.Mismatch)(nil); errors.As(failure, &m) && o.stage.shown.from == nil && !o.stage.shown.replay().HasStates {
		return fmt.Errorf("%w; if the program has controllers, hooks or functions of its own, record with RecordOptions.States to see it", failure)
	}
	return failure
}

// replayed returns the error of a replay at the end of the run: nil if all of the recording was replayed
// and nothing differed. hash is that of the last world, or "".
func (o *outcome) replayed(hash string) error {
	r := o.stage.shown.replay()
	switch {
	case r == nil:
		return nil
	case o.stage.shown.from != nil:
		if err := r.Err(); errors.Is(err, engine.ErrCorrupt) { // the end of a program is said elsewhere
			return err
		}
		return nil
	case o.stage.done.Load() < r.Ticks:
		if o.stage.o.Limited || o.stage.quitting {
			return nil // only a part of it was asked for
		}
		return fmt.Errorf("%s: replayed to tick %d of %d", o.stage.scenes[o.stage.current].path, o.stage.done.Load(), r.Ticks)
	case r.Cut:
		return fmt.Errorf("%s: the recording was cut off; it was replayed to its last whole tick, %d", o.stage.scenes[o.stage.current].path, r.Ticks)
	case hash != "" && r.FinalHash() != 0 && hash != fmt.Sprintf("%016x", r.FinalHash()):
		return fmt.Errorf("%s: the world after the last command differs from the recording", o.stage.scenes[o.stage.current].path)
	}
	return nil
}

// unknownFunction returns an error if the watched program has called a registered function (see
// world.Register) that the viewer does not have.
func (o *outcome) unknownFunction() error {
	failure := o.stage.player.Failure()
	if failure == nil || o.stage.shown.from == nil || o.stage.shown.from.url == "" { // errors.As allocates
		return nil
	}
	if m := (*engine.Mismatch)(nil); errors.As(failure, &m) && m.Unregistered != "" {
		return fmt.Errorf("the program has called its function %q, which the viewer does not have", m.Unregistered)
	}
	return nil
}
