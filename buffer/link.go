package buffer

import (
	"fmt"

	"halfstep/buffer/body2d"
	"halfstep/internal/atomic"
)

// Order is a command with the tick it waits for.
type Scheduled[C any] struct {
	// At is the tick after which the command is to be applied; it is applied
	// with its frame if that tick is done by then. Zero means with its frame.
	At      uint64
	Command C
}

// Link is all that the physics goroutine and the render thread share. S is the
// state of one body, E an event, C a command.
type Link[S, E, C any] struct {
	Exchange  *Exchange[S]
	Structure *Log[body2d.Structure] // physics to render
	Events    *Log[E]                // physics to render
	Commands  *Log[Scheduled[C]]     // render to physics
	Demand    *Demand

	// Layers are the DebugLayers that the render side wants filled.
	DebugLayers atomic.Uint32

	// tick and frames tell how far physics has come. They are stored after the
	// state is published, so who reads them finds that state, or a newer one,
	// in the exchange.
	tick, frames atomic.Uint64

	stopped atomic.Bool
	failure atomic.Pointer[Failure]
	bell    bell // wakes the render side
}

// NewLink returns a link with nothing in it.
func NewLink[S, E, C any]() *Link[S, E, C] {
	return &Link[S, E, C]{
		Exchange:  NewExchange[S](),
		Structure: NewLog[body2d.Structure](),
		Events:    NewLog[E](),
		Commands:  NewLog[Scheduled[C]](),
		Demand:    NewDemand(),
		bell:      newBell(),
	}
}

// Tick is the tick of the newest published state.
func (l *Link[S, E, C]) Tick() uint64 { return l.tick.Load() }

// Frames is the number of posted frames that are wholly done.
func (l *Link[S, E, C]) Frames() uint64 { return l.frames.Load() }

// Advance announces how far physics has come, after publishing. Physics only.
func (l *Link[S, E, C]) Advance(tick, frames uint64) {
	l.tick.Store(tick)
	l.frames.Store(frames)
	l.bell.ring()
}

// Await blocks until the tick and the number of frames are done, and reports
// false if physics stopped before that. Render side only: for Lockstep and
// injected clocks.
func (l *Link[S, E, C]) Await(tick, frames uint64) bool {
	for {
		// Read before the progress: what was done before stopping counts.
		stopped := l.stopped.Load()
		if l.tick.Load() >= tick && l.frames.Load() >= frames {
			return true
		}
		if stopped {
			return false
		}
		l.bell.wait()
	}
}

// Stop announces that no more states will come, because of f or, where f is
// nil, because quitting was asked for. It releases Await. Physics only.
func (l *Link[S, E, C]) Stop(f *Failure) {
	if f != nil {
		l.failure.Store(f)
	}
	l.stopped.Store(true)
	l.bell.ring()
}

// Stopped reports whether physics has ended.
func (l *Link[S, E, C]) Stopped() bool { return l.stopped.Load() }

// Failure is what ended physics, or nil. Any goroutine.
func (l *Link[S, E, C]) Failure() *Failure { return l.failure.Load() }

// Failure is a panic on the physics goroutine, or its end by runtime.Goexit, as
// an error.
type Failure struct {
	Tick  uint64 // steps done when it happened
	Value any    // what was passed to panic, or ErrGoexit
	Stack []byte // of the physics goroutine
}

// Error is one line; the stack is in the field.
func (f *Failure) Error() string {
	if f.Value == any(ErrGoexit) {
		return fmt.Sprintf("physics stopped after tick %d: %v", f.Tick, f.Value)
	}
	return fmt.Sprintf("physics stopped after tick %d: panic: %v", f.Tick, f.Value)
}

// Unwrap returns the panic's value where it is an error.
func (f *Failure) Unwrap() error {
	err, _ := f.Value.(error)
	return err
}
