package buffer

import (
	"time"

	"halfstep/buffer/body2d"
	"halfstep/internal/atomic"
	"halfstep/internal/interleave"
)

// Scheduled is a command with the tick that it waits for.
type Scheduled[C any] struct {
	// At is the tick after which the command is applied. If that tick is done
	// already, or At is 0, the command is applied with its frame.
	At      uint64
	Command C
}

// Outbox takes the records that a simulation publishes besides states. The
// reader sees the records together with the next published state.
type Outbox[E any] struct {
	Structure *Log[body2d.Structure]
	Events    *Log[E]
}

// Link is all data that the physics goroutine and the render thread share. S
// is the state of one body, E an event, C a command.
type Link[S, E, C any] struct {
	Exchange  *Exchange[S]
	Outbox[E]                    // physics to render
	Commands  *Log[Scheduled[C]] // render to physics
	Demand    *Demand

	// DebugLayers are the body2d.Layers that the render side asks for.
	DebugLayers atomic.Uint32

	// Predicts says that physics can run ahead: it follows Frame.Ahead.
	Predicts atomic.Bool

	// tick and frames are the progress of physics. They are stored after the
	// state is published, so a goroutine that loads them finds that state or a
	// newer one in the exchange.
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

// Announce sets the function that records all that exists, for Readers that join later.
// Without it these get states alone. Physics only, before the first state.
func (l *Link[S, E, C]) Announce(existing func(to *Log[body2d.Structure])) {
	l.Exchange.readers.structure, l.Exchange.readers.announce = l.Structure, existing
}

// Tick is the newest due tick whose state is published. Exchange.Newest may be a later,
// predicted tick. Any goroutine.
func (l *Link[S, E, C]) Tick() uint64 { return l.tick.Load() }

// Frames is the number of posted frames that are complete. Any goroutine.
func (l *Link[S, E, C]) Frames() uint64 { return l.frames.Load() }

// Advance announces progress after a state was published. Physics only.
func (l *Link[S, E, C]) Advance(tick, frames uint64) {
	l.tick.Store(tick)
	l.frames.Store(frames)
	l.bell.ring()
}

// progress is a target of physics that the render side waits for. A field of 0 is reached
// already.
type progress struct {
	tick, frames uint64 // Link.Tick, Link.Frames
	newest       uint64 // Exchange.Newest
}

func (l *Link[S, E, C]) has(p progress) bool {
	return l.tick.Load() >= p.tick && l.frames.Load() >= p.frames && (p.newest == 0 || l.Exchange.Newest() >= p.newest)
}

// await waits until physics reaches p. It returns false if physics stops before that, or
// patience has ended. With patience it spins, without it sleeps.
func (l *Link[S, E, C]) await(p progress, patience *interleave.Patience) bool {
	for {
		// Read stopped before the progress, because work done before stopping counts.
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

// Await blocks until physics has done the tick and that number of frames. It
// returns false if physics stopped before that. Render side only: Lockstep and
// simulated clocks need it.
func (l *Link[S, E, C]) Await(tick, frames uint64) bool {
	return l.await(progress{tick: tick, frames: frames}, nil) // without a limit
}

// AwaitAhead blocks until physics has published the tick, which may not be due yet. It
// returns false if physics stopped before that. Render side only.
func (l *Link[S, E, C]) AwaitAhead(tick uint64) bool {
	return l.await(progress{newest: tick}, nil) // without a limit
}

// A wait ends early by 1/early of its time, because the operating system may interrupt the
// last check for some microseconds.
const early = 64

// AwaitFor waits at most d until physics has published the tick, which may not be due yet,
// and done that number of frames. It returns false if physics is not there by then. It
// spins, so d must be short and physics needs another processor. A sleep could end too
// late: a timer may be a millisecond late, and the thread or the goroutine may have to
// wait until a step has ended. Render side only.
func (l *Link[S, E, C]) AwaitFor(tick, frames uint64, d time.Duration) bool {
	patience := interleave.For(d - d/early)
	return l.await(progress{frames: frames, newest: tick}, &patience)
}

// Stop announces that physics has ended and releases Await. f is the failure, or
// nil after a requested quit. Physics only.
func (l *Link[S, E, C]) Stop(f *Failure) {
	if f != nil {
		l.failure.Store(f)
	}
	l.stopped.Store(true)
	l.bell.ring()
}

// Stopped reports whether physics has ended. Any goroutine.
func (l *Link[S, E, C]) Stopped() bool { return l.stopped.Load() }

// Failure is the error that ended physics, or nil. Any goroutine.
func (l *Link[S, E, C]) Failure() *Failure { return l.failure.Load() }
