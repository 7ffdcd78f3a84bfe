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

// Frame lets the time since the last Frame pass and returns what to draw. Call it once
// per frame, right after the present (the swap of the window's buffers) has returned, or
// after Display.Delay, if you call that. The first Frame lets no time pass.
//
// The view belongs to the engine and is valid until the next frame. After Close or a
// Failure it stays what it was.
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

// Advance is Frame with a frame time that the caller chooses, for a clock of its
// own. A negative time counts as 0.
func (e *Engine) Advance(d time.Duration) *scene.View[body2d.State] {
	if e.closed.Load() {
		return e.View()
	}
	if e.waits || e.Sync() != renderloop.Pipelined {
		e.mustBeOutside("Frame or Advance")
	}
	d += e.begin()
	v := e.render.Frame(int64(d)) // clock, demand, newest states
	e.published.frame(e, v)       // for Metrics
	return v
}

// Step runs exactly n steps and returns a view of the state at the last of them. All
// events up to there are due. Step is a frame in which no time passes: its commands
// take effect before the first of the steps, and a force acts in all n. Step(0) shows
// the last step that was demanded before. A negative n counts as 0. Only the last
// tick (SetLastTick, the end of a replay) or a Failure can stop Step earlier.
//
// Step is what a server or a tool without a clock calls in place of Frame, and an
// editor's step button while the engine is paused. It may be called at any time: the
// clock then goes on from the last of the steps. Step waits for the steps, also in
// Pipelined, and Time.MaxSteps does not limit their number. Frame does not count the
// time that Step takes.
func (e *Engine) Step(n int) *scene.View[body2d.State] {
	if e.closed.Load() {
		return e.View()
	}
	e.mustBeOutside("Step")
	start := monotime.Now()
	e.begin()
	v := e.render.Step(n)
	e.published.frame(e, v)
	if !e.last.IsZero() {
		e.last = e.last.Add(monotime.Since(start))
	}
	return v
}

// begin gives this frame the commands of other goroutines, and returns for how long faults make
// it late.
func (e *Engine) begin() (late time.Duration) {
	late = e.faults.Begin()
	if e.replay != nil && e.replay.Live && e.replay.grow() {
		e.grown()
	}
	e.remote.Drain(e.link.Commands.Unread(), e.give)
	return late
}

// grown reads what was added to a live recording that the engine replays.
func (e *Engine) grown() {
	e.give(scheduled{Command: inside.NewOrder(history.Grow{File: e.replay.file})})
	e.render.Clock().SetLast(min(e.lastTick, e.replay.lastTick()))
	if first := e.replay.First; e.Demanded() < first { // the recording no longer has the shown tick
		e.command(inside.NewOrder(history.Seek{Tick: first}))
		e.render.Seek(first, e.replay.file.Remainder(first))
	}
}

// Events yields the events that are due in this frame, oldest first, each once. A loop that breaks early leaves the rest for the next call.
// The replies to questions (RayCast, QueryPoint, QueryBox, world.Ask) are called from here, in the order of events.
//
// An event is due when the picture reaches its tick, or in RunAhead when that tick is due itself; see also Time.EventsAtOnce. In a pause
// the picture may never reach it, so the events that an edit of the shown tick causes (replies, removals, rejections) are due as soon as
// the edit is shown, after earlier events.
//
// A program need not take events: those that it leaves wait for a later frame. When more than 32,768 events of earlier frames wait, a frame
// drops the oldest of them and counts them in Metrics.DroppedEvents. User data of BodyRemoved events and replies to questions are dropped
// with them. After Close there are no events: take the important ones before.
func (e *Engine) Events() iter.Seq[world.Event] {
	// A closure this small is inlined together with Events, so that a loop over
	// it allocates nothing.
	return func(yield func(world.Event) bool) { e.deliver(yield) }
}

func (e *Engine) deliver(yield func(world.Event) bool) {
	for !e.closed.Load() && e.render.NextEvent(&e.event) {
		if !inside.Reply(&e.event) && !yield(e.event) {
			break
		}
	}
	e.event = world.Event{} // the event may hold user data
}

// refuseInside panics with a complaint if physics is calling it through user code. It takes
// microseconds, so only race builds call it.
func (e *Engine) refuseInside(complaint string) {
	if goroutine, awake := e.physics.Awake(); awake {
		e.outside.Refuse(goroutine, complaint)
	}
}

// mustBeOutside panics if physics is calling it through user code (a hook, say): call would wait
// for physics and so for itself.
func (e *Engine) mustBeOutside(call string) {
	if goroutine, awake := e.physics.Awake(); awake {
		e.outside.Check(goroutine, call)
	}
}
