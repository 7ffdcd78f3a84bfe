package buffer

import (
	"time"

	"halfstep/buffer/body2d"
	"halfstep/internal/atomic"
	"halfstep/internal/interleave"
)

// Scheduled is a command with the tick that it waits for.
type Scheduled[C any] struct {
	// At is the tick after which the command is applied. If the step to that tick is done
	// already, or At is 0, the command is applied with its frame.
	At      uint64
	Command C
}

// Outbox takes the records that a simulation publishes besides its states. The reader sees
// these records together with the next published state.
type Outbox[E any] struct {
	Structure *Log[body2d.Structure]
	Events    *Log[E]
}

// Link has all data that the physics goroutine and the render thread share. S is the state
// of one body, E an event, C a command.
type Link[S, E, C any] struct {
	Exchange  *Exchange[S]
	Outbox[E]                    // physics to render
	Commands  *Log[Scheduled[C]] // render to physics
	Demand    *Demand

	// DebugLayers are the body2d.Layers that the render side wants.
	DebugLayers atomic.Uint32

	// Predicts says that physics can run ahead, as Frame.Ahead asks.
	Predicts atomic.Bool

	// tick and frames are the progress of physics. They are stored after a state is published,
	// so a goroutine that loads them then finds that state or a newer one in the exchange.
	tick, frames atomic.Uint64

	stopped atomic.Bool
	failure atomic.Pointer[Failure]
	bell    bell // wakes the render side
}

// NewLink returns an empty link.
func NewLink[S, E, C any]() *Link[S, E, C] {
	return &Link[S, E, C]{
		Exchange: NewExchange[S](),
		Outbox:   Outbox[E]{Structure: NewLog[body2d.Structure](), Events: NewLog[E]()},
		Commands: NewLog[Scheduled[C]](),
		Demand:   NewDemand(),
		bell:     newBell(),
	}
}

// Announce sets the function that appends records of all existing objects, for Readers
// that join later. If no function is set, these Readers get only states. Only physics may call
// Announce, before it publishes the first state.
func (l *Link[S, E, C]) Announce(existing func(to *Log[body2d.Structure])) {
	l.Exchange.readers.structure, l.Exchange.readers.announce = l.Structure, existing
}

// Tick is the newest tick that is due and whose state is published. Exchange.Newest may be
// a later tick, which was predicted. Any goroutine may call it.
func (l *Link[S, E, C]) Tick() uint64 { return l.tick.Load() }

// Frames is the number of posted frames that physics has completed. Any goroutine may call
// it.
func (l *Link[S, E, C]) Frames() uint64 { return l.frames.Load() }

// Advance stores the progress of physics after a state was published. Only physics may
// call it.
func (l *Link[S, E, C]) Advance(tick, frames uint64) {
	l.tick.Store(tick)
	l.frames.Store(frames)
	l.bell.ring()
}

// progress is what the render side waits for. A field of 0 is always reached.
type progress struct {
	tick, frames uint64 // Link.Tick, Link.Frames
	newest       uint64 // Exchange.Newest
}

func (l *Link[S, E, C]) has(p progress) bool {
	return l.tick.Load() >= p.tick && l.frames.Load() >= p.frames && (p.newest == 0 || l.Exchange.Newest() >= p.newest)
}

// await waits until physics reaches p. It returns false if physics stops before that, or
// if patience ends. With patience it spins, and without it sleeps.
func (l *Link[S, E, C]) await(p progress, patience *interleave.Patience) bool {
	for {
		// Read stopped before the progress, because work counts that physics has done before it
		// stopped.
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

// Await blocks until physics has done the step to the tick, and the given number of
// frames. It returns false if physics stops before that. Lockstep and simulated clocks
// need it. Only the render side may call it.
func (l *Link[S, E, C]) Await(tick, frames uint64) bool {
	return l.await(progress{tick: tick, frames: frames}, nil) // without a limit
}

// AwaitAhead blocks until physics has published the tick, which may not be due yet. It
// returns false if physics stops before that. Only the render side may call it.
func (l *Link[S, E, C]) AwaitAhead(tick uint64) bool {
	return l.await(progress{newest: tick}, nil) // without a limit
}

// A wait ends before its time, by the fraction 1/early, because the operating system may
// interrupt the last check for some microseconds.
const early = 64

// AwaitFor waits for at most d until physics has published the tick, which may not be due
// yet, and has done the given number of frames. It returns false if physics has not done
// that in time. It spins, so d must be short, and physics needs another processor. A sleep
// could end too late, because a timer may be a millisecond late, and the thread or the
// goroutine may have to wait until a step has ended. Only the render side may call it.
func (l *Link[S, E, C]) AwaitFor(tick, frames uint64, d time.Duration) bool {
	patience := interleave.For(d - d/early)
	return l.await(progress{frames: frames, newest: tick}, &patience)
}

// Stop says that physics has ended, and ends all waits. f is the failure, or nil after
// Quit. Only physics may call it.
func (l *Link[S, E, C]) Stop(f *Failure) {
	if f != nil {
		l.failure.Store(f)
	}
	l.stopped.Store(true)
	l.bell.ring()
}

// Stopped reports whether physics has ended. Any goroutine may call it.
func (l *Link[S, E, C]) Stopped() bool { return l.stopped.Load() }

// Failure is the error that ended physics, or nil. Any goroutine may call it.
func (l *Link[S, E, C]) Failure() *Failure { return l.failure.Load() }
