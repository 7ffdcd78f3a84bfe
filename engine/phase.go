package engine

import (
	"time"

	"halfstep/buffer/phase"
)

// Enter says which phase of a frame begins; PhaseOther ends the one at hand. It
// costs about 0.1 µs and belongs to the render thread. A phase of a step, or one
// that does not exist, is ignored.
func (e *Engine) EnterPhase(p phase.Phase) {
	e.frames.Enter(p)
	if p == phase.Swap {
		e.faults.late()
	}
}

// Rest says that the render thread will now sleep for d on purpose, as a frame
// cap does. It ends the phase, and the frame is not late because of it unless
// it sleeps longer.
func (e *Engine) PlanSleep(d time.Duration) {
	e.frames.Enter(phase.Other)
	e.frames.PlanSleep(d)
}

// Spans appends the newest steps or frames to dst, oldest first, as many as fit
// into its capacity, at most 256. Any goroutine may ask; it never waits.
func (e *Engine) Spans(l phase.Thread, dst []phase.Span) []phase.Span {
	if l == phase.Render {
		return e.frames.Spans(dst)
	}
	return e.steps.Spans(dst)
}

// Late is a step or a frame that took longer than it may.
type Late struct {
	Engine *Engine
	Span   phase.Span
	// Frames is how many frames had been begun, and Age how long ago the first
	// one was when the step or frame began: a start is always late.
	Frames uint64
	Age    time.Duration
}

// OnLate has f called for every step and frame that takes longer than d, on the
// goroutine that was late: it must be quick, as a send that does not wait. A nil
// f ends that. Any goroutine may call it. Package hitch has an f.
func (e *Engine) OnLate(d time.Duration, f func(Late)) {
	late := func(s phase.Span) {
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
	if !c.Testing.NoPhases {
		e.steps, e.frames = phase.NewLane(phase.Physics, e.name), phase.NewLane(phase.Render, e.name)
	}
}

const defaultName = "halfstep"
