// Package core runs a simulation of your own as engine.Engine runs a Box2D world: a physics
// goroutine steps it, and the goroutine that draws sees a smooth picture between two steps.
//
//	e, err := core.New(sim, core.Config{})
//	defer e.Close()
//	for !window.ShouldClose() {
//		view := e.Frame()
//		for i := range view.Cur { // blend what you draw
//			draw(blend(&view.Prev[i], &view.Cur[i], view.Alpha))
//		}
//		window.SwapBuffers()
//	}
//
// # A simulation of your own
//
// A simulation has types of its own: the state of one body (S), which has no pointers, an event (E)
// and a command (C). The physics goroutine calls all methods of the simulation, which are the
// methods of physicsloop.Simulation. Embed [Base], which has empty versions of most of these
// methods:
//
//	type clouds struct {
//		core.Base[event, command]
//		…
//	}
//
//	func (s *clouds) Step(tick uint64, dt float64)   // one step, of dt seconds
//	func (s *clouds) Capture(dst []state) []state    // append the state of every body
//	func (s *clouds) Apply(tick uint64, c *command, scheduled bool) // if there are commands
//
// A simulation may implement more interfaces of physicsloop. New checks which of them it
// implements:
//
//   - ChangeCapturer appends only the states that a step has changed, in place of Capture.
//   - Predictor goes back to an earlier tick, as renderloop.RunAhead needs it.
//   - Announcer lists what exists, and DebugCapturer adds boxes, contacts and so on, for
//     readers and pictures that show the structure of bodies and shapes (body2d.Structure).
//   - Shifter moves a body without a break in the motion of its picture.
//
// The program examples/nbody runs such a simulation.
package core

import (
	"errors"
	"fmt"
	"iter"
	"sync/atomic"
	"time"

	"halfstep/buffer"
	"halfstep/engine/internal/remote"
	"halfstep/internal/monotime"
	"halfstep/internal/owner"
	"halfstep/physicsloop"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/scene"
)

// Config says how time passes. The zero Config makes 60 steps a second, Pipelined, on the
// wall clock.
type Config struct {
	Rate      clock.Rate      // steps per second; zero means 60
	MaxSteps  int             // the greatest number of steps that may be demanded and not yet done; see renderloop.Config
	Sync      renderloop.Sync // whether a frame waits for its steps; RunAhead needs a physicsloop.Predictor
	Simulated bool            // the program chooses the times for Advance, and frames wait for their steps, so all runs are the same

	// EventsAtOnce delivers an event as soon as it is known, even before the picture reaches the
	// tick of the event.
	EventsAtOnce bool

	// OnStep is called on the physics goroutine after every step. The parameter tick is the number
	// of steps done, and cost is the time that the step has taken.
	OnStep func(tick uint64, cost time.Duration)
}

// Engine is a simulation, the physics goroutine that steps it, and the clock that says when. Only
// the goroutine that draws may call a method of Engine, unless the comment of the method says that
// any goroutine may call it.
type Engine[S, E, C any] struct {
	link          *buffer.Link[S, E, C]
	render        *renderloop.Loop[S, E, C]
	physics       *physicsloop.Loop[S, E, C]
	remote        *remote.Queue[C] // commands of SendRemote
	last          time.Time        // when Frame was called last
	closed        atomic.Bool
	waits         bool                // Config.Simulated
	callbackGuard owner.CallbackGuard // mustNotBeInCallback uses callbackGuard
	event         E                   // the event that Events yields
}

// New starts the physics goroutine, which runs until Close. From then on only that goroutine may
// use the simulation. The error says what is wrong with the Config.
func New[S, E, C any](sim physicsloop.Simulation[S, E, C], c Config) (*Engine[S, E, C], error) {
	if any(sim) == nil {
		return nil, errors.New("there is no simulation")
	}
	if _, predicts := any(sim).(physicsloop.Predictor); c.Sync == renderloop.RunAhead && !predicts {
		return nil, fmt.Errorf("%v takes a physicsloop.Predictor, and the simulation is none", c.Sync)
	}
	e := &Engine[S, E, C]{link: buffer.NewLink[S, E, C](), remote: remote.New[C](), waits: c.Simulated}
	var err error
	if e.render, err = renderloop.New(e.link, renderloop.Config{
		Rate: c.Rate, MaxSteps: c.MaxSteps, Sync: c.Sync, Pacing: !c.Simulated, Simulated: c.Simulated,
	}); err != nil {
		return nil, err
	}
	e.render.DeliverAtOnce(c.EventsAtOnce)
	e.physics = physicsloop.Start(sim, e.link, physicsloop.Options{OnStep: c.OnStep})
	e.render.AcquireFirst()
	return e, nil
}

// Frame advances time by the time since the last Frame, and returns the view to draw. Call
// it once a frame, right after the present has returned. In the first Frame no time passes.
// The view is valid until the next frame. After Close or a Failure it stays the same.
func (e *Engine[S, E, C]) Frame() *scene.View[S] {
	now := monotime.Now()
	var d time.Duration
	if !e.last.IsZero() {
		d = now.Sub(e.last)
	}
	e.last = now
	return e.Advance(d)
}

// Advance is Frame with the frame time d, which the program chooses. A negative time counts as 0.
func (e *Engine[S, E, C]) Advance(d time.Duration) *scene.View[S] {
	if e.closed.Load() {
		return e.View()
	}
	if e.waits || e.render.Sync() != renderloop.Pipelined {
		e.mustNotBeInCallback("Frame or Advance")
	}
	e.remote.Drain(e.link.Commands.Unread(), e.render.Send)
	return e.render.Frame(int64(d))
}

// Step runs exactly n steps, waits for these steps, and returns a view of the state after the last
// step. No time of the clock passes.
func (e *Engine[S, E, C]) Step(n int) *scene.View[S] {
	if e.closed.Load() {
		return e.View()
	}
	e.mustNotBeInCallback("Step")
	e.remote.Drain(e.link.Commands.Unread(), e.render.Send)
	return e.render.Step(n)
}

// mustNotBeInCallback panics if a method of the simulation is the caller, because the method with
// the name call would then wait for itself.
func (e *Engine[S, E, C]) mustNotBeInCallback(call string) {
	if goroutine, awake := e.physics.Awake(); awake {
		e.callbackGuard.Check(goroutine, call)
	}
}

// View returns the view that the last frame has returned.
func (e *Engine[S, E, C]) View() *scene.View[S] { return e.render.View() }

// Clock returns the clock. A clock pauses and scales time, sets the last tick, and counts all time
// in its Ledger.
func (e *Engine[S, E, C]) Clock() *clock.Clock { return e.render.Clock() }

// Send adds a command to the next frame. The simulation applies the command before the steps
// of that frame.
func (e *Engine[S, E, C]) Send(c C) { e.SendAt(0, c) }

// SendAt sends a command that is applied after the step to a tick. If that step is done already,
// the command is applied in the next frame.
func (e *Engine[S, E, C]) SendAt(tick uint64, c C) {
	e.render.Send(buffer.Scheduled[C]{At: tick, Command: c})
}

// SendRemote adds a command to the next frame. Any goroutine may call it. SendRemote returns false
// if physics has ended, or if 65,536 commands of SendRemote are waiting already.
func (e *Engine[S, E, C]) SendRemote(c C) bool {
	return !e.stopped() && e.remote.Add(buffer.Scheduled[C]{Command: c})
}

// Events yields the events that are due in this frame, oldest first, each once. Events that
// the program does not read wait; see renderloop.MaxPendingEvents. After Close there are no
// events.
func (e *Engine[S, E, C]) Events() iter.Seq[E] {
	return func(yield func(E) bool) { e.deliver(yield) }
}

func (e *Engine[S, E, C]) deliver(yield func(E) bool) {
	for !e.closed.Load() && e.render.NextEvent(&e.event) && yield(e.event) {
	}
	e.event = *new(E) // the event may refer to memory of the program
}

// NewReader returns a view for one more goroutine. It returns nil if physics has ended, or if there
// are buffer.MaxReaders readers already. Any goroutine may call NewReader. The view is empty until
// physics has published a state for it. Close the view when the program no longer needs it, because
// without Close it is never released.
func (e *Engine[S, E, C]) NewReader() *renderloop.Reader[S] {
	if e.stopped() {
		return nil
	}
	from := e.link.NewReader()
	if from == nil {
		return nil
	}
	return renderloop.NewReader(from)
}

func (e *Engine[S, E, C]) stopped() bool { return e.closed.Load() || e.link.Stopped() }

// Failure returns the error that has ended physics, or nil. After a panic of the simulation the
// error is a *buffer.Failure, with the tick and the stack. Any goroutine may call Failure.
func (e *Engine[S, E, C]) Failure() error {
	if f := e.link.Failure(); f != nil {
		return f
	}
	return nil
}

// Close finishes the steps that are demanded, and ends the physics goroutine. Any goroutine except
// the physics goroutine may call Close, even more than once.
func (e *Engine[S, E, C]) Close() {
	e.closed.Store(true)
	e.link.Demand.RemoveLimit() // on a simulated clock steps wait for frames, and there are no more frames
	e.physics.Close()
}
