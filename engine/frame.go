package engine

import (
	"iter"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/internal/owner"
	"halfstep/renderloop"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// Frame lets the time since the last Frame pass and returns what to draw. Call
// it once per frame, right after the present (the swap of the window's buffers)
// has returned. The first Frame lets no time pass.
//
// The view belongs to the engine and is valid until the next frame. After Close
// or a Failure it stays what it was.
func (e *Engine) Frame() *scene.View[body2d.State] {
	e.faults.late()
	now := time.Now()
	var d time.Duration
	if !e.last.IsZero() {
		d = now.Sub(e.last)
	}
	e.last = now
	return e.Advance(d)
}

// Advance is Frame with a frame time that the caller chooses, for a clock of its
// own. A negative time counts as 0.
func (e *Engine) Advance(d time.Duration) *scene.View[body2d.State] {
	if e.closed.Load() {
		return e.View()
	}
	if e.waits || e.Sync() == renderloop.Lockstep {
		e.mustBeOutside("Frame or Advance", &e.header)
	}
	d += e.faults.begin()       // faults that are due, and what simulated ones cost
	e.remote.drain(e)           // the commands of other goroutines join this frame
	v := e.loop.Frame(int64(d)) // renderloop.Loop: clock, demand, newest states
	e.published.frame(e, v)     // for Metrics
	return v
}

// View returns what the last frame returned.
func (e *Engine) View() *scene.View[body2d.State] { return e.loop.View() }

// Events yields the events that are due in this frame, oldest first, each once.
// A loop that breaks early leaves the rest for the next call. The replies to
// questions (RayCast, QueryPoint, QueryBox, world.Ask) are called from here, in
// the order of events.
//
// A program may leave events alone. An event that it has not taken waits for a
// later frame. When more than 32,768 events of earlier frames wait, a frame
// drops the oldest of them and counts them in Metrics.DroppedEvents. User data
// of BodyRemoved events and replies to questions are dropped with them.
func (e *Engine) Events() iter.Seq[world.Event] {
	// A closure as small as this is inlined with its function, so that a loop
	// over it allocates nothing.
	return func(yield func(world.Event) bool) { e.deliver(yield) }
}

func (e *Engine) deliver(yield func(world.Event) bool) {
	for e.loop.NextEvent(&e.event) {
		if !e.event.Reply() && !yield(e.event) {
			break
		}
	}
	e.event = world.Event{} // it may hold user data
}

// mustBeOutside panics in user code that physics calls, where the call would
// wait for that code to return.
func (e *Engine) mustBeOutside(call string, h *owner.Header) {
	if goroutine, awake := e.loop.Awake(); awake && goroutine == owner.ID(h) {
		panic(owner.WouldWait(call))
	}
}
