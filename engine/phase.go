package engine

import (
	"fmt"
	"time"

	"halfstep/buffer/phase"
	"halfstep/engine/fault"
)

// EnterPhase marks the beginning of a phase of the frame, such as phase.Draw, and
// with it the end of the phase before; phase.Other begins none. Profiles, traces
// and Spans then tell the phases apart. It costs about 0.1 µs. A phase of a step,
// or one that does not exist, is ignored.
func (e *Engine) EnterPhase(p phase.Phase) {
	e.frames.Enter(p)
	if p == phase.Swap {
		e.faults.Late()
	}
}

// PlanSleep announces that the calling thread will now sleep for d on purpose, as
// a frame cap does. It ends the phase. For OnLate the frame may take that much
// longer.
func (e *Engine) PlanSleep(d time.Duration) {
	e.frames.Enter(phase.Other)
	e.frames.PlanSleep(d)
}

// GPUTime tells what the graphics processor took for a frame, by its number in
// Underway. A host learns it some frames later. Reports and Spans then have it, and
// frames that the graphics processor made late say so.
func (e *Engine) GPUTime(frame uint64, d time.Duration) { e.frames.SetGPU(frame, d) }

// Spans appends the newest steps (phase.Physics) or frames (phase.Render) to dst,
// oldest first: as many as fit into its capacity, and at most phase.MaxSpans. It
// never waits. Any goroutine may call it.
func (e *Engine) Spans(t phase.Thread, dst []phase.Span) []phase.Span {
	if t == phase.Render {
		return e.frames.Spans(dst)
	}
	return e.steps.Spans(dst)
}

// Underway returns the number and the phase of the step (phase.Physics) or frame
// (phase.Render) at hand, and the time since it began, without planned sleep. ok is
// false if there is none, and always with Testing.NoPhases. It never waits. Any
// goroutine may call it.
func (e *Engine) Underway(t phase.Thread) (number uint64, p phase.Phase, lasted time.Duration, ok bool) {
	if t == phase.Render {
		return e.frames.Busy()
	}
	return e.steps.Busy()
}

// Late is a step or a frame that took longer than it may.
type Late struct {
	Engine *Engine
	Span   phase.Span
	// Frames is how many frames had begun by then. Age is the time from the
	// first frame to the beginning of this step or frame. They tell the hitches
	// of a start, which every program has, from the others.
	Frames uint64
	Age    time.Duration
}

// OnLate makes the engine call f for every step and frame that takes longer than
// d. The call is made on the goroutine that was late, so f must be quick: a send
// to a channel that does not wait, say. A nil f ends it. Any goroutine may call
// OnLate. Package hitch uses it.
func (e *Engine) OnLate(d time.Duration, f func(Late)) {
	late := func(s phase.Span) {
		f(Late{e, s, e.published.metrics.Load().Frames, time.Duration(s.Start - e.published.first.Load())})
	}
	if f == nil {
		late = nil
	}
	e.steps.OnLate(d, late)
	e.frames.OnLate(d, late)
}

// InjectedFaults returns the faults of Config.Testing that have happened, oldest
// first. Any goroutine may call it.
func (e *Engine) InjectedFaults() []fault.Injected { return e.faults.Done() }

// Busy says what the physics goroutine is doing. The zero value means that it
// waits for work.
type Busy struct {
	Tick  uint64        // that the step leads to
	Phase string        // of the step: a name as in profiles, or "continuous collision"
	For   time.Duration // since the step began
}

// String returns a sentence such as "physics has been in tick 812 for 3 s, in
// continuous collision".
func (b Busy) String() string {
	if b == (Busy{}) {
		return "physics waits for work"
	}
	return fmt.Sprintf("physics has been in tick %d for %s, in %s", b.Tick, seconds(b.For), b.Phase)
}

func seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.2g s", d.Seconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}

// Busy returns which step physics is in, in which phase, and for how long. It
// returns the zero Busy if physics waits for work, and always with
// Testing.NoPhases. It never waits itself, so a watchdog can use it to report a
// step that does not end. Any goroutine may call it.
func (e *Engine) Busy() Busy {
	tick, in, lasted, ok := e.steps.Busy()
	if !ok {
		return Busy{}
	}
	b := Busy{Tick: tick, Phase: in.String(), For: lasted}
	if in == phase.Step && e.world.Continuous() {
		b.Phase = "continuous collision"
	}
	return b
}
