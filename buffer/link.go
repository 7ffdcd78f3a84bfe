package buffer

import (
	"time"

	"halfstep/buffer/body2d"
	"halfstep/internal/atomic"
	"halfstep/internal/interleave"
)

// Scheduled is a command, with the tick after which it is applied.
type Scheduled[C any] struct {
	// At is the tick after which the command is applied. A command whose At is 0, or whose tick is
	// done already, is applied before the steps of its frame.
	At      uint64
	Command C
}

// Outbox has the logs to which a simulation appends structure records and events. The reader gets
// the appended records together with the next published state.
type Outbox[E any] struct {
	Structure *Log[body2d.Structure]
	Events    *Log[E]
}

// Link has all data that the physics goroutine and the render thread share. S is the type of the
// state of one body, E the type of an event, and C the type of a command.
type Link[S, E, C any] struct {
	Exchange  *Exchange[S]
	Outbox[E]                    // from physics to the render side
	Commands  *Log[Scheduled[C]] // from the render side to physics
	Demand    *Demand

	// DebugLayers are the body2d.Layers for which the render side requests data.
	DebugLayers atomic.Uint32

	// Predicts is true if physics can predict ticks as Frame.Ahead requests.
	Predicts atomic.Bool

	// tick and frames are the results of Tick and Frames. Physics stores them after it has
	// published a state, so a goroutine that loads them finds at least this state in the exchange.
	tick, frames atomic.Uint64

	stopped atomic.Bool
	failure atomic.Pointer[Failure]
	bell    bell // wakes the render side
}

// NewLink returns a link without frames, commands, events and states.
func NewLink[S, E, C any]() *Link[S, E, C] {
	return &Link[S, E, C]{
		Exchange: NewExchange[S](),
		Outbox:   Outbox[E]{Structure: NewLog[body2d.Structure](), Events: NewLog[E]()},
		Commands: NewLog[Scheduled[C]](),
		Demand:   NewDemand(),
		bell:     newBell(),
	}
}

// Announce sets the function that appends records of all existing objects to the feed of a new
// Reader. Without this function a Reader gets states without structure records. Only physics may
// call Announce, before it publishes the first state.
func (l *Link[S, E, C]) Announce(existing func(to *Log[body2d.Structure])) {
	l.Exchange.readers.structure, l.Exchange.readers.announce = l.Structure, existing
}

// Tick returns the newest due tick whose state is published. Exchange.Newest may be greater,
// because predicted ticks are not due. Any goroutine may call Tick.
func (l *Link[S, E, C]) Tick() uint64 { return l.tick.Load() }

// Frames returns the number of posted frames that physics has completed. Any goroutine may call
// Frames.
func (l *Link[S, E, C]) Frames() uint64 { return l.frames.Load() }

// Advance sets Tick and Frames, and wakes the render side. Only physics may call Advance, after it
// has published a state.
func (l *Link[S, E, C]) Advance(tick, frames uint64) {
	l.tick.Store(tick)
	l.frames.Store(frames)
	l.bell.ring()
}

// progress is the progress of physics for which the render side waits. A field of 0 waits for
// nothing.
type progress struct {
	tick, frames uint64 // Link.Tick, Link.Frames
	newest       uint64 // Exchange.Newest
}

func (l *Link[S, E, C]) has(p progress) bool {
	return l.tick.Load() >= p.tick && l.frames.Load() >= p.frames && (p.newest == 0 || l.Exchange.Newest() >= p.newest)
}

// await waits until physics reaches p. It returns false if physics stops before p or if the
// patience ends. If patience is nil, await sleeps while it waits; with a patience it spins.
func (l *Link[S, E, C]) await(p progress, patience *interleave.Patience) bool {
	for {
		// stopped is loaded before the progress, so progress from before the end of physics counts.
		stopped := l.stopped.Load()
		switch {
		case l.has(p):
			return true
		case stopped || patience != nil && !patience.Lasts():
			return false
		case patience == nil:
			l.bell.wait()
		}
	}
}

// Await blocks until physics has done the step to the tick and has completed the given number of
// frames. It returns false if physics stops before it has done so. Only the render side may call
// Await.
func (l *Link[S, E, C]) Await(tick, frames uint64) bool {
	return l.await(progress{tick: tick, frames: frames}, nil) // without a limit
}

// AwaitAhead blocks until physics has published the tick, which may be a predicted tick. It returns
// false if physics stops before it has done so. Only the render side may call AwaitAhead.
func (l *Link[S, E, C]) AwaitAhead(tick uint64) bool {
	return l.await(progress{newest: tick}, nil) // without a limit
}

// AwaitFor ends the wait 1/early of the time d too early, because the operating system may
// interrupt the last check for some microseconds.
const early = 64

// AwaitFor waits for at most the time d until physics has published the tick, which may be a
// predicted tick, and has completed the given number of frames. It returns false if physics has not
// done both in that time. AwaitFor spins, so d must be short, and physics must run on a second
// processor. A sleep in place of the spinning could end a millisecond too late. Only the render
// side may call AwaitFor.
func (l *Link[S, E, C]) AwaitFor(tick, frames uint64, d time.Duration) bool {
	patience := interleave.For(d - d/early)
	return l.await(progress{frames: frames, newest: tick}, &patience)
}

// Stop stores that physics has ended, and ends all waits of the render side. The parameter f is the
// failure, or nil after Quit. Only physics may call Stop.
func (l *Link[S, E, C]) Stop(f *Failure) {
	if f != nil {
		l.failure.Store(f)
	}
	l.stopped.Store(true)
	l.bell.ring()
}

// Stopped reports whether physics has ended. Any goroutine may call it.
func (l *Link[S, E, C]) Stopped() bool { return l.stopped.Load() }

// Failure returns the error that has ended physics, or nil. Any goroutine may call it.
func (l *Link[S, E, C]) Failure() *Failure { return l.failure.Load() }
