package physicsloop

import (
	"halfstep/buffer"
	"halfstep/internal/schedule"
)

// Worlds, replays and watchers of halfstep itself implement these.

// frameObserver is implemented by a Simulation that needs the demand of a frame.
type frameObserver interface {
	// ObserveFrame is called before the frame's BeginFrame.
	ObserveFrame(f *buffer.Frame)
}

// timed is implemented by a Simulation that chooses the lengths of its steps itself, as
// a replay does.
type timed interface {
	// Lasted is the length of the last step in seconds.
	Lasted() float64
}

// jumper is implemented by a Simulation that a command can take to another tick,
// such as a replay that seeks.
type jumper interface {
	// Jumped is called after a frame's commands. If one of the commands took the
	// simulation to another tick, it returns that tick, and true once. The state
	// there is not blended with the one before.
	Jumped() (tick uint64, ok bool)
}

// scheduler is implemented by a Simulation that saves the commands that wait for their
// tick.
type scheduler[C any] interface {
	// Scheduled returns the queue in which the loop keeps these commands. The loop
	// calls it when it starts. Commands of an earlier run may wait in the queue.
	Scheduled() *schedule.Queue[C]
}

// visited is implemented by a Simulation that other programs can join to watch, between
// steps and also while there are no frames. A visitor wakes the loop (buffer.Demand.Ring).
type visited interface {
	// Visits lets waiting visitors in, at the due tick, and reports whether there were
	// any. The newest states are then captured again.
	Visits() bool
}
