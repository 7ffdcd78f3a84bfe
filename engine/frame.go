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
// Display.Delay in a program that calls Delay. In the first Frame no time passes.
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

// Advance is Frame for a program with a clock of its own: d is the frame time. A negative time
// counts as 0.
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

// Step runs exactly n steps, and returns a view of the state after the last one. Step is a frame in
// which no time of the clock passes. The commands that were given since the last frame take effect
// before the first step, and a force acts in all n steps. All events up to the returned state are
// due. Step(0) shows the state after the last step that was demanded. A negative n counts as 0.
// Only the last tick (SetLastTick, the end of a replay) or a Failure can stop Step earlier.
//
// A server or a tool without a clock calls Step in place of Frame. Step also works in a pause, for
// example for the step button of an editor. The clock continues after the last step. Step waits for
// its steps, even in Pipelined, and Time.MaxSteps does not limit their number. The next Frame does
// not advance time by the time that Step takes.
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

// begin adds the commands of other goroutines to this frame. It returns the time by which
// Config.Testing.Faults makes the frame late.
func (e *Engine) begin() (late time.Duration) {
	late = e.faults.Begin()
	if e.replay != nil && e.replay.Live && e.replay.grow() {
		e.grown()
	}
	e.remote.Drain(e.link.Commands.Unread(), e.give)
	return late
}

// grown reads the new part of the recording that the engine replays, if that is Live.
func (e *Engine) grown() {
	e.give(scheduled{Command: private.NewOrder(history.Grow{File: e.replay.file})})
	e.render.Clock().SetLast(min(e.lastTick, e.replay.lastTick()))
	if first := e.replay.First; e.Demanded() < first { // the shown tick is no longer in the recording
		e.command(private.NewOrder(history.Seek{Tick: first}))
		e.render.Seek(first, e.replay.file.Remainder(first))
	}
}

// Events yields the events that are due in this frame, oldest first, each once. If a loop breaks
// early, the next call yields the rest of the events. Events also calls the functions that get the
// answers to questions (RayCast, QueryPoint, QueryBox, world.Ask), in order with the events.
//
// An event is due when the picture reaches its tick, or in RunAhead when that tick itself is due;
// see also Time.EventsAtOnce. In a pause the picture may never reach the tick. So the events that a
// command causes at the shown tick (replies, removals, rejections) are due as soon as the effect of
// the command is shown.
//
// A program need not read events: unread events wait for a later frame. If more than 32,768 events
// of earlier frames are waiting, a frame drops the oldest and counts them in Metrics.DroppedEvents.
// The user data of a dropped BodyRemoved and a dropped reply to a question are lost. After Close
// there are no events, so read important events before.
func (e *Engine) Events() iter.Seq[world.Event] {
	// This closure is small enough to be inlined with Events, so a loop over Events allocates
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

// refuseInCallback panics with the complaint if a function that physics calls, such as a hook, is
// the caller. The check takes microseconds, so only race builds call refuseInCallback.
func (e *Engine) refuseInCallback(complaint string) {
	if goroutine, awake := e.physics.Awake(); awake {
		e.callbackGuard.Refuse(goroutine, complaint)
	}
}

// mustNotBeInCallback panics if a function that physics calls, such as a hook, is the caller,
// because the method with the name call would then wait for itself.
func (e *Engine) mustNotBeInCallback(call string) {
	if goroutine, awake := e.physics.Awake(); awake {
		e.callbackGuard.Check(goroutine, call)
	}
}
