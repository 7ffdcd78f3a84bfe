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
// off.
type RollbackOptions struct {
	// Ticks is the number of ticks, at most 3,600, that a rollback can go back. 0 turns rollback
	// off. The engine makes a snapshot of the world after every step, and keeps one for each of
	// these ticks (1.5 kB per body in a pile).
	Ticks int
	// Blend is the time in which the picture moves a body from its shown place to the place that a
	// rollback has given it, in the world's time. 0 means 100 ms. With a negative value the body
	// moves at once.
	Blend time.Duration
	// Every is the number of ticks from one snapshot to the next, at most Ticks. 0 means 1. A
	// greater number saves time in every tick, and memory. A rollback to a tick without a snapshot
	// goes back to the last snapshot before that tick, so up to Every-1 earlier ticks run again.
	// Bodies that callbacks create in these earlier ticks get new handles.
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

// Rollback goes back to a tick, and then runs the ticks up to the present tick (Demanded) again,
// with commands that the function correct changes. All this happens before the next state is shown.
//
// A command that correct gives with At(t) takes effect after tick t; without At, a command takes
// effect after the tick to which Rollback goes back. Commands of correct with a source
// (world.Commands.From) replace all commands of the same source in their tick, and the command
// Nothing only removes these. Commands of correct without a source come last in their tick. All
// commands that are not replaced run again in the same order. Commands that wait for a later tick
// do not change. A force of correct acts in one step, like a force with At.
//
//	err := e.Rollback(late, func(c world.Commands) {
//		for t := late; t < e.Demanded(); t++ {
//			c.From(them).At(t).DoNamed("steer", inputs[t])
//		}
//	})
//
// Functions given to Do, registered functions, controllers and contact hooks run again. State that
// these functions keep outside the world goes back only if it is a world.Stateful. Functions given
// to Inspect and Ask do not run again. OnStep is called once per tick.
//
// The picture shows the same tick as without the rollback. If the place of a body has changed, the
// picture moves the body to its new place in the time RollbackOptions.Blend. A body that was
// created or teleported since the tick, or whose place changes in a pause, is shown at its new
// place at once. Events that happen again (the same in kind, tick, bodies, shapes and joint) are
// not delivered again. For each delivered event that does not happen again, an EventRetracted is
// delivered. Then new events are delivered, even if the picture is already beyond their ticks.
//
// Existing handles stay valid, and commands that run again create bodies, shapes and joints with
// the same handles. Objects that callbacks create again, or that correct creates, get new handles.
//
// The error wraps ErrTooOld if the tick is too far back. Rollback also returns an error if the
// engine has not reached the tick yet, if correct gives a command for an earlier tick or asks a
// question (Ask, Inspect), or if the engine has no RollbackOptions or has ended. If Rollback
// returns an error, nothing has changed.
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
		if o.At == 0 && !o.Command.AtStart { // the command was given without At
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

// Rewind makes the run go backwards until Rewind is called with false. The ticks and the time of
// the picture still increase, but the state of each new tick is the state before the one shown.
// Rewind takes effect at the present tick, like a command. After the rewind the run continues from
// the shown state. All states after the shown state are then lost, even for a later rewind. In a
// pause, each Step shows one state earlier.
//
//	if err := e.History().Rewind(keys.held(backspace)); err != nil {
//
// A rewind can go back RollbackOptions.Ticks ticks. At the oldest of these ticks it shows the same
// state until it ends. RollbackOptions.Every must be 1. A tick of a rewind lasts as long as a step
// at the present rate.
//
// The picture is blended between two ticks as usual, and the velocities of the states are those of
// the picture. A body that was destroyed appears again with its handle, and a body that was created
// disappears. Each body and joint that disappears causes the event of its removal, and each tick
// causes a WorldRestored. Controllers and hooks are not called. A world.Stateful gets its earlier
// state. Changes by commands last only until the next tick. World.Tick decreases. Do not call
// Rewind in a match of package netplay, because the other players' engines would not rewind.
//
// During a rewind, recordings, streams and the black box store the shown states, with about 150
// bytes for each body and tick. Snapshots of KeepSnapshot do not change.
//
// Rewind returns an error if RollbackOptions.Every is more than 1, if rollback is off, if the
// engine replays a recording, or if the engine has ended. A second call with the same value does
// nothing.
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
