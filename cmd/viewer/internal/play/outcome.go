package play

import (
	"errors"
	"fmt"
	"time"

	"halfstep/engine"
)

const (
	// Patience is the duration of a step from which on the step is reported.
	Patience = 3 * time.Second
	// CloseTime is how long the viewer waits for physics when another scene is opened.
	CloseTime = 3 * time.Second
	// QuitTime is how long the viewer waits for physics when the user quits. It then interrupts the step.
	QuitTime = 300 * time.Millisecond
)

// Outcome is the result of a scene's run. It tells whether physics has failed, and whether a replay had the
// same result as its recording.
type Outcome struct {
	stage *Stage

	Failure      error       // Failure is why physics has ended, or nil.
	Busy         engine.Busy // Busy says what physics is doing in this frame.
	FailedBefore error       // FailedBefore is the first failure of a player that was closed.
}

// PhysicsFailure returns why physics has ended, or nil. If the replay of a scene that is not built in differs
// from its recording, the error also says that the viewer may lack code of the recorded program. If the
// recording has states, showStates opens these instead.
func (o *Outcome) PhysicsFailure() error {
	failure := o.stage.Player.Failure()
	if failure == nil || !o.stage.Scene().foreign { // in most frames there is nothing to do, and errors.As allocates
		return failure
	}
	if m := (*engine.Mismatch)(nil); errors.As(failure, &m) && !o.stage.Shown.Watched() && !o.stage.Shown.Replay().HasStates {
		return fmt.Errorf("%w; if the program has controllers, hooks or functions of its own, record with RecordOptions.States to see it", failure)
	}
	return failure
}

// Replayed returns the error of a replay at the end of the run. It is nil if the whole recording was
// replayed and nothing differed. The parameter hash is the hash of the last world, or "".
func (o *Outcome) Replayed(hash string) error {
	r := o.stage.Shown.Replay()
	switch {
	case r == nil:
		return nil
	case o.stage.Shown.Watched():
		if err := r.Err(); errors.Is(err, engine.ErrCorrupt) { // the end of a program is reported elsewhere
			return err
		}
		return nil
	case o.stage.Done.Load() < r.Ticks:
		if o.stage.Options.Limited || o.stage.Quitting {
			return nil // the user asked only for a part of the recording
		}
		return fmt.Errorf("%s: replayed to tick %d of %d", o.stage.Scene().Path, o.stage.Done.Load(), r.Ticks)
	case r.Cut:
		return fmt.Errorf("%s: the recording was cut off; it was replayed to its last whole tick, %d", o.stage.Scene().Path, r.Ticks)
	case hash != "" && r.FinalHash() != 0 && hash != fmt.Sprintf("%016x", r.FinalHash()):
		return fmt.Errorf("%s: the world after the last command differs from the recording", o.stage.Scene().Path)
	}
	return nil
}

// UnknownFunction returns an error if the watched program has called a registered function (see
// world.Register) that the viewer does not have.
func (o *Outcome) UnknownFunction() error {
	failure := o.stage.Player.Failure()
	if failure == nil || !o.stage.Shown.Watched() || o.stage.Shown.Source.URL == "" { // in most frames there is nothing to do, and errors.As allocates
		return nil
	}
	if m := (*engine.Mismatch)(nil); errors.As(failure, &m) && m.Unregistered != "" {
		return fmt.Errorf("the program has called its function %q, which the viewer does not have", m.Unregistered)
	}
	return nil
}
