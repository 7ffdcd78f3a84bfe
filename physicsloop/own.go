package physicsloop

import (
	"halfstep/buffer"
	"halfstep/internal/schedule"
)

// Only types of this module implement the interfaces of this file.

// frameObserver is implemented by a Simulation that must know the buffer.Frame before BeginFrame.
type frameObserver interface {
	// ObserveFrame is called before BeginFrame, with the same frame.
	ObserveFrame(f *buffer.Frame)
}

// timed is implemented by a Simulation that ignores the argument dt of Step, as a replay does.
type timed interface {
	// Lasted returns the length of the last step, in s.
	Lasted() float64
}

// jumper is implemented by a Simulation that a command can move to another tick, such as a
// replay that seeks.
type jumper interface {
	// Jumped is called after a frame's commands. If one of the commands has moved the simulation to
	// a new tick, Jumped returns that tick and true, once. The picture then does not blend the
	// states before and after the move.
	Jumped() (tick uint64, ok bool)
}

// scheduler is implemented by a Simulation whose snapshots include the commands that wait for their
// tick.
type scheduler[C any] interface {
	// Scheduled returns the queue in which the loop stores commands that wait for their tick. The
	// loop calls Scheduled once, at its start. The queue may already have commands, from a
	// snapshot.
	Scheduled() *schedule.Queue[C]
}

// visited is implemented by a Simulation that watchers can join, between steps and even while there
// are no frames. A watcher that wants to join wakes the loop with buffer.Demand.Ring.
type visited interface {
	// Visits lets the waiting watchers join at the due tick, and reports whether there were any.
	Visits() bool
}
