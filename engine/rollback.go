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

// RollbackOptions say how far History.Rollback can go back. The zero
// RollbackOptions turn it off, at no cost.
type RollbackOptions struct {
	// Ticks is how many ticks a rollback can go back, at most 3,600; 0 turns
	// rollback off. For each of them the engine keeps a snapshot of the world
	// (1.5 kB per body in a pile), which it takes after every step.
	Ticks int
	// Blend is how long the picture takes to move a body from where it was shown
	// to where a rollback has put it, in the world's time. 0 means 100 ms; a
	// value below 0 moves the picture at once.
	Blend time.Duration
	// Every is how many ticks there are from one snapshot to the next, at most Ticks; 0
	// means 1. A greater number saves time in every tick, and memory. A rollback to a tick
	// without a snapshot goes back to the last one before it: up to Every-1 more ticks run
	// again with their own commands. Bodies that callbacks create in these ticks get new
	// handles.
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
// correct gives the other commands: with At(t) they follow tick t, without At the given tick.
// Commands from a source (world.Commands.From) replace all commands of the same source in their tick;
// Nothing only removes these. Other commands of correct come last in their tick. All other commands
// of the run are repeated in the same order. Commands that wait for a later tick stay as they are. A
// force that correct gives acts on one step, as with At.
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
// The picture shows the same tick as without the rollback. A body whose place has changed moves there
// in the course of RollbackOptions.Blend; the picture of a body that was created or teleported since
// the tick, or that changes place in a pause, moves at once. Events that happen again (the same in
// kind, tick, bodies, shapes and joint) are not delivered again. For each event that does not happen
// again, an EventRetracted is delivered. After these come the new events, also if the picture is past
// their ticks.
//
// Existing handles stay valid, and commands that run again create bodies, shapes and joints with the
// same handles. Objects that callbacks create again, or that correct creates, have new handles.
//
// In RunAhead, Step, a pause and SetSync first make the ticks that are shown ahead due. A rollback in
// the same frame still goes back to its tick.
//
// The error wraps ErrTooOld if the tick is too far back. It is also an error if the tick is not
// reached yet, if correct gives a command for an earlier tick or asks a question (Ask, Inspect), and
// if the engine has no RollbackOptions or has ended. After an error nothing has happened.
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
		correct(inside.NewCommands(&given, e.made))
	}
	back := &history.Rollback{To: tick}
	if blend := cmp.Or(e.rollback.Blend, defaultBlend); !e.Paused() && blend > 0 {
		back.Blend = blend.Seconds()
	}
	var later []scheduled // commands for ticks after the present one
	for _, o := range given.commands {
		if inside.OnlyReads(&o.Command) {
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
	e.link.Commands.Append(scheduled{Command: inside.NewOrder(back)})
	for _, o := range later {
		e.give(o)
	}
	return nil
}

// Rewind makes the run go backwards until Rewind is called with false. Ticks and the picture's time go
// on, and each tick shows an earlier state, as if the run were played in reverse. A call takes effect
// at the present tick, among the commands. After the rewind the run goes on from the state that is then
// shown; the states after that one are gone, also for a later rewind. In a run that is paused, Step
// shows the state before.
//
//	if err := e.History().Rewind(keys.held(backspace)); err != nil {
//
// RollbackOptions must keep the ticks: a rewind goes back as many as they say, and then shows the
// oldest until it ends. Every must be 1. A rewound tick lasts as long as a step at the current rate. A
// change of the rate during a rewind moves RunAhead's picture, because the number of ticks that it is
// ahead changes.
//
// The picture is blended between two ticks as usual, and the velocities of the states are those of the
// picture. A body that was destroyed appears again with its handle, and one that was created
// disappears. Each body and joint that disappears causes the event of its removal, and each tick a
// WorldRestored. Controllers and hooks are not called; a world.Stateful gets its earlier state. The
// next tick undoes what commands change; World.Tick goes back. Do not call Rewind in a match of package
// netplay: the other sides would not rewind.
//
// Recordings, streams and the black box keep the states that are shown, compressed: some 150 bytes for
// each body and tick. Moments of KeepSnapshot stay as they are.
//
// It is an error if the engine does not keep every tick, if it replays a recording, and if it has
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
		e.command(inside.NewOrder(history.SetRewind{On: on}))
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
