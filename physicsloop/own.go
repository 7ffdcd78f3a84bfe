package physicsloop

import (
	"halfstep/buffer"
	"halfstep/internal/schedule"
)

// The interfaces of this file are for the types of halfstep itself: worlds, replays and
// watchers.

// frameObserver is implemented by a Simulation that must know the demand of a frame.
type frameObserver interface {
	// ObserveFrame is called before the frame's BeginFrame.
	ObserveFrame(f *buffer.Frame)
}

// timed is implemented by a Simulation that decides itself how long its steps are, as a
// replay does.
type timed interface {
	// Lasted is the length of the last step, s.
	Lasted() float64
}

// jumper is implemented by a Simulation that a command can move to another tick, such as a
// replay that seeks.
type jumper interface {
	// Jumped is called after a frame's commands. If one of the commands has moved the
	// simulation to another tick, it returns that tick, and true once. The picture does not
	// blend the state there with the state before.
	Jumped() (tick uint64, ok bool)
}

// scheduler is implemented by a Simulation that saves the commands that wait for their
// tick.
type scheduler[C any] interface {
	// Scheduled returns the queue in which the loop stores these commands. The loop calls it
	// when it starts. The queue may already have commands of an earlier run.
	Scheduled() *schedule.Queue[C]
}

// visited is implemented by a Simulation that other programs can join to watch it. They
// join between steps, even while there are no frames. A program that joins wakes the loop
// (buffer.Demand.Ring).
type visited interface {
	// Visits lets programs join that wait for that, at the due tick. It reports whether there
	// were any. The newest states are then captured again.
	Visits() bool
}
