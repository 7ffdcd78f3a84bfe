package engine

import (
	"iter"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/internal/history"
	"halfstep/internal/monotime"
	"halfstep/renderloop"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// Frame advances time by the time since the last Frame, and returns the view to draw. Call it once
// in each frame, right after the present (the swap of the window's buffers) has returned, or after
// Display.Delay if you use that. In the first Frame no time passes.
//
// The view belongs to the engine and is valid until the next frame. After Close or a Failure it
// stays the same.
func (e *Engine) Frame() *scene.View[body2d.State] {
	e.faults.Late() // sleeps if a test wants this frame to be late
	now := e.presented
	if e.presented = (time.Time{}); now.IsZero() {
		now = monotime.Now()
	}
	var d time.Duration
	if !e.last.IsZero() {
		d = now.Sub(e.last)
	}
	e.last = now
	return e.Advance(d)
}

// Advance is like Frame, with a frame time that the caller chooses, for a program with a clock of
// its own. A negative time counts as 0.
func (e *Engine) Advance(d time.Duration) *scene.View[body2d.State] {
	if e.closed.Load() {
		return e.View()
	}
	if e.waits || e.Sync() != renderloop.Pipelined {
		e.mustNotBeInCallback("Frame or Advance")
	}
	d += e.begin()
	v := e.render.Frame(int64(d)) // clock, demand, newest states
	e.published.frame(e, v)       // for Metrics
	return v
}

// Step runs exactly n steps, and returns a view of the state after the last one. All events up to
// that state are due. Step is a frame in which no time passes. Its commands take effect before the
// first step, and a force acts in all n steps. Step(0) shows the last step that was demanded
// before. A negative n counts as 0. Only the last tick (SetLastTick, the end of a replay) or a
// Failure can stop Step earlier.
//
// A server or a tool without a clock calls Step in place of Frame. So does the step button of an
// editor while the engine is paused. Step may be called at any time, and the clock continues after
// the last step. Step waits for its steps, even in Pipelined, and Time.MaxSteps does not limit
// their number. Frame does not count the time that Step takes.
func (e *Engine) Step(n int) *scene.View[body2d.State] {
	if e.closed.Load() {
		return e.View()
	}
	e.mustNotBeInCallback("Step")
	start := monotime.Now()
	e.begin()
	v := e.render.Step(n)
	e.published.frame(e, v)
	if !e.last.IsZero() {
		e.last = e.last.Add(monotime.Since(start))
	}
	return v
}

// begin adds the commands of other goroutines to this frame. It returns the time by which faults
// make the frame late.
func (e *Engine) begin() (late time.Duration) {
	late = e.faults.Begin()
	if e.replay != nil && e.replay.Live && e.replay.grow() {
		e.grown()
	}
	e.remote.Drain(e.link.Commands.Unread(), e.give)
	return late
}

// grown reads the new part of a live recording that the engine replays.
func (e *Engine) grown() {
	e.give(scheduled{Command: private.NewOrder(history.Grow{File: e.replay.file})})
	e.render.Clock().SetLast(min(e.lastTick, e.replay.lastTick()))
	if first := e.replay.First; e.Demanded() < first { // the recording no longer has the tick that is shown
		e.command(private.NewOrder(history.Seek{Tick: first}))
		e.render.Seek(first, e.replay.file.Remainder(first))
	}
}

// Events yields the events that are due in this frame, oldest first, each once. If a loop breaks early, the next call yields the other
// events. Events also calls the replies to questions (RayCast, QueryPoint, QueryBox, world.Ask), in the order of events.
//
// An event is due when the picture reaches its tick, or in RunAhead when that tick itself is due; see also Time.EventsAtOnce. In a pause
// the picture may never reach the tick. So the events that a command causes at the shown tick (replies, removals, rejections) are due as
// soon as the effect of the command is shown, after earlier events.
//
// A program need not read events: unread events wait for a later frame. When more than 32,768 events of earlier frames are waiting, a frame
// drops the oldest of them and counts them in Metrics.DroppedEvents. User data of BodyRemoved events and replies to questions are dropped
// with them. After Close there are no events, so read the important ones before.
func (e *Engine) Events() iter.Seq[world.Event] {
	// A closure as small as this one is inlined together with Events, so a loop over it allocates
	// nothing.
	return func(yield func(world.Event) bool) { e.deliver(yield) }
}

func (e *Engine) deliver(yield func(world.Event) bool) {
	for !e.closed.Load() && e.render.NextEvent(&e.event) {
		if !private.Reply(&e.event) && !yield(e.event) {
			break
		}
	}
	e.event = world.Event{} // the event may refer to data of the program
}

// refuseInCallback panics with a complaint if physics is its caller, by code of the program. It takes
// microseconds, so only race builds call it.
func (e *Engine) refuseInCallback(complaint string) {
	if goroutine, awake := e.physics.Awake(); awake {
		e.callbackGuard.Refuse(goroutine, complaint)
	}
}

// mustNotBeInCallback panics if physics is its caller, by code of the program such as a hook: the method
// with the name call would wait for itself.
func (e *Engine) mustNotBeInCallback(call string) {
	if goroutine, awake := e.physics.Awake(); awake {
		e.callbackGuard.Check(goroutine, call)
	}
}
