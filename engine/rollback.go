package engine

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"time"

	"halfstep/internal/history"
	"halfstep/world"
)

// RollbackOptions say how far History.Rollback can go back. The zero RollbackOptions turn rollback
// off, and need no time.
type RollbackOptions struct {
	// Ticks is the number of ticks, at most 3,600, that a rollback can go back. 0 turns rollback off.
	// For each of these ticks the engine keeps a snapshot of the world (1.5 kB per body in a pile),
	// which it makes after every step.
	Ticks int
	// Blend is the time in which the picture moves a body from its shown place to the place that a
	// rollback has given it, in the world's time. 0 means 100 ms. With a negative value the picture
	// changes at once.
	Blend time.Duration
	// Every is the number of ticks from one snapshot to the next, at most Ticks. 0 means 1. A greater
	// number saves time in every tick, and memory. A rollback to a tick without a snapshot goes back to
	// the last one before it: up to Every-1 more ticks run again with their own commands. Bodies that
	// callbacks create in these ticks get new handles.
	Every int
}

const (
	mostRollback = 3600
	defaultBlend = 100 * time.Millisecond
)

// ErrTooOld is wrapped by the error of Rollback for a tick that is further back
// than RollbackOptions.Ticks.
var ErrTooOld = errors.New("too far back")

func (o RollbackOptions) validate() error {
	if o.Ticks < 0 || o.Ticks > mostRollback {
		return fmt.Errorf("rollback: %d ticks: must be between 0 and %d", o.Ticks, mostRollback)
	}
	if o.Every < 0 || o.Every > max(o.Ticks, 1) {
		return fmt.Errorf("rollback: a snapshot every %d ticks: must be between 0 and Ticks, %d", o.Every, o.Ticks)
	}
	return nil
}

// Rollback goes back to a tick, and forward again to the present one with other commands, before the
// next state is shown. The present tick is Demanded: commands that are given now come after it.
//
// The function correct gives the other commands. With At(t) these follow tick t, and without At they
// follow the given tick. Commands with a source (world.Commands.From) replace all commands of the
// same source in their tick, and Nothing only removes those. Commands of correct without a source
// come last in their tick. All other commands of the run are repeated in the same order. Commands
// that wait for a later tick do not change. A force that correct gives acts in one step, like a force
// with At.
//
//	err := e.Rollback(late, func(c world.Commands) {
//		for t := late; t < e.Demanded(); t++ {
//			c.From(them).At(t).DoNamed("steer", inputs[t])
//		}
//	})
//
// Functions given to Do, registered functions, controllers and contact hooks run again. State that
// they keep outside the world goes back only if it is a world.Stateful. Functions given to Inspect,
// and Ask, do not run again, and OnStep is called once per tick.
//
// The picture shows the same tick as without the rollback. If the place of a body has changed, the
// picture moves the body there in the time RollbackOptions.Blend. A body that was created or
// teleported since the tick, or whose place changes in a pause, is shown at its new place at once.
// Events that happen again (the same in kind, tick, bodies, shapes and joint) are not delivered
// again. For each event that does not happen again, an EventRetracted is delivered. After these come
// the new events, even if the picture is already beyond their ticks.
//
// Existing handles stay valid, and commands that run again create bodies, shapes and joints with the
// same handles. Objects that callbacks create again, or that correct creates, have new handles.
//
// In RunAhead, Step, a pause and SetSync first make the ticks due that the picture already shows. A
// rollback in the same frame still goes back to its tick.
//
// The error wraps ErrTooOld if the tick is too far back. There is also an error if the engine has not
// reached the tick yet, if correct gives a command for an earlier tick or asks a question (Ask,
// Inspect), or if the engine has no RollbackOptions or has ended. After an error nothing has changed.
func (h History) Rollback(tick uint64, correct func(world.Commands)) error {
	e := h.e
	now := e.Demanded()
	switch {
	case e.rollback.Ticks == 0:
		return errors.New("rollback: the engine keeps no ticks to go back to: set HistoryOptions.Rollback")
	case e.stopped():
		return errors.New("rollback: physics has ended")
	case tick > now:
		return fmt.Errorf("rollback: tick %d is in the future: the present tick is %d", tick, now)
	case now-tick > uint64(e.rollback.Ticks) || tick < e.first:
		return fmt.Errorf("rollback: tick %d is %w: the present tick is %d, and %d ticks are kept", tick, ErrTooOld, now, e.rollback.Ticks)
	}
	given := corrections{engine: e}
	if correct != nil {
		correct(private.NewCommands(&given, e.made))
	}
	back := &history.Rollback{To: tick}
	if blend := cmp.Or(e.rollback.Blend, defaultBlend); !e.Paused() && blend > 0 {
		back.Blend = blend.Seconds()
	}
	var later []scheduled // commands for ticks after the present tick
	for _, o := range given.commands {
		if private.OnlyReads(&o.Command) {
			return errors.New("rollback: correct has a question, which a rollback does not answer: Ask and Inspect go to the engine itself")
		}
		if o.At == 0 && !o.Command.AtStart { // given without At
			o.At = tick
		}
		switch {
		case o.At < tick:
			return fmt.Errorf("rollback: a command for tick %d, which is before tick %d", o.At, tick)
		case o.At > now:
			later = append(later, o)
		default:
			back.Commands = append(back.Commands, o)
		}
	}
	e.past.NeedTick(tick)
	e.link.Commands.Append(scheduled{Command: private.NewOrder(back)})
	for _, o := range later {
		e.give(o)
	}
	return nil
}

// Rewind makes the run go backwards until Rewind is called with false. The ticks and the time of the
// picture still increase, but each tick shows an earlier state, as if the run were played in reverse. A
// call takes effect at the present tick, like a command. After the rewind the run continues from the
// state that is then shown. The states after that one do not exist any more, even for a later rewind.
// In a run that is paused, Step shows the state before.
//
//	if err := e.History().Rewind(keys.held(backspace)); err != nil {
//
// RollbackOptions.Ticks is the number of ticks that a rewind can go back. After that it shows the
// oldest state until it ends. RollbackOptions.Every must be 1. A tick of a rewind lasts as long as a
// step at the present rate. A change of the rate during a rewind moves RunAhead's picture, because the
// number of ticks that it is ahead changes.
//
// The picture is blended between two ticks as usual, and the velocities of the states are those of the
// picture. A body that was destroyed appears again with its handle, and one that was created
// disappears. Each body and joint that disappears causes the event of its removal, and each tick a
// WorldRestored. Controllers and hooks are not called; a world.Stateful gets its earlier state. Changes
// by commands last only until the next tick. World.Tick goes back. Do not call Rewind in a match of
// package netplay: the other sides would not rewind.
//
// Recordings, streams and the black box keep the states that are shown, compressed: some 150 bytes for
// each body and tick. Snapshots of KeepSnapshot do not change.
//
// There is an error if the engine does not keep every tick, if it replays a recording, or if it has
// ended. A second call with the same value does nothing.
func (h History) Rewind(on bool) error {
	e := h.e
	switch {
	case e.replay != nil:
		return errors.New("rewind: a replay goes back with Seek")
	case e.rollback.Ticks == 0:
		return errors.New("rewind: the engine keeps no ticks to show again: set HistoryOptions.Rollback")
	case e.rollback.Every > 1:
		return fmt.Errorf("rewind: the engine keeps one tick in %d: RollbackOptions.Every must be 1", e.rollback.Every)
	case e.stopped():
		return errors.New("rewind: physics has ended")
	}
	if e.rewinds != on {
		e.rewinds = on
		e.command(private.NewOrder(history.SetRewind{On: on}))
	}
	return nil
}

// corrections collects the commands that Rollback's function correct gives.
type corrections struct {
	engine   *Engine
	commands []scheduled
}

func (c *corrections) Send(at uint64, cmd world.Command) {
	c.engine.refuseClosure(cmd)
	c.commands = append(c.commands, scheduled{At: at, Command: cmd})
}

func (c *corrections) Room() int { return math.MaxInt }
