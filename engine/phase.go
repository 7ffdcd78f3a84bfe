package engine

import (
	"time"

	"halfstep/internal/mark"
)

// Phase is a part of a step or of a frame, as profiles, traces and timelines
// tell them apart.
//
// The physics goroutine carries the profile labels loop=physics, engine=NAME
// and phase, the goroutine that calls Frame loop=render, engine=NAME and phase.
// They replace labels of its own; Config.NoPhases prevents that. In execution
// traces every phase is a region ("physics step", "render draw"), within a
// region "tick" or "frame" with the number as a log message.
type Phase = mark.Phase

// The phases of a step, which the engine enters by itself.
const (
	PhaseOther       = mark.Other // none of those below
	PhaseCommands    = mark.Commands
	PhaseControllers = mark.Controllers
	PhaseStep        = mark.Step
	PhaseContacts    = mark.Contacts // and hooks
	PhaseCapture     = mark.Capture
	PhasePublish     = mark.Publish
)

// The phases of a frame. Frame enters PhaseAcquire and NextEvent PhaseEvents,
// until it has none left; the others are the embedder's to enter.
const (
	PhaseAcquire = mark.Acquire
	PhaseEvents  = mark.Events
	PhaseUpload  = mark.Upload
	PhaseDraw    = mark.Draw
	PhaseHUD     = mark.HUD
	PhaseSwap    = mark.Swap
)

// Loop tells the physics goroutine and the render thread apart.
type Loop = mark.Loop

// The loops.
const (
	LoopPhysics = mark.Physics
	LoopRender  = mark.Render
)

// Span is a step or a frame that is over, with the time in each phase. A frame
// lasts from one call of Frame to the next.
type Span = mark.Span

// Epoch is the instant from which the times of a Span count, in nanoseconds.
func Epoch() time.Time { return mark.Epoch() }

// Enter says which phase of a frame begins; PhaseOther ends the one at hand. It
// costs about 0.1 µs and belongs to the render thread. A phase of a step, or one
// that does not exist, is ignored.
func (e *Engine) Enter(p Phase) {
	e.frames.Enter(p)
	if p == PhaseSwap {
		e.faults.late()
	}
}

// Rest says that the render thread will now sleep for d on purpose, as a frame
// cap does. It ends the phase, and the frame is not late because of it unless
// it sleeps longer.
func (e *Engine) Rest(d time.Duration) {
	e.frames.Enter(PhaseOther)
	e.frames.Rest(d)
}

// Spans appends the newest steps or frames to dst, oldest first, as many as fit
// into its capacity, at most 256. Any goroutine may ask; it never waits.
func (e *Engine) Spans(l Loop, dst []Span) []Span {
	if l == LoopRender {
		return e.frames.Spans(dst)
	}
	return e.steps.Spans(dst)
}

// Late is a step or a frame that took longer than it may.
type Late struct {
	Engine *Engine
	Span   Span
	// Frames is how many frames had been begun, and Age how long ago the first
	// one was when the step or frame began: a start is always late.
	Frames uint64
	Age    time.Duration
}

// OnLate has f called for every step and frame that takes longer than d, on the
// goroutine that was late: it must be quick, as a send that does not wait. A nil
// f ends that. Any goroutine may call it. Package hitch has an f.
func (e *Engine) OnLate(d time.Duration, f func(Late)) {
	late := func(s Span) {
		f(Late{e, s, e.published.frames.Load(), time.Duration(s.Start - e.published.first.Load())})
	}
	if f == nil {
		late = nil
	}
	e.steps.OnLate(d, late)
	e.frames.OnLate(d, late)
}

// follow makes the lanes of both goroutines.
func (e *Engine) follow(c Config) {
	if !c.NoPhases {
		e.steps, e.frames = mark.NewLane(mark.Physics, e.name), mark.NewLane(mark.Render, e.name)
	}
}

const defaultName = "halfstep"
