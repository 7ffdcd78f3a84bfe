package engine

import (
	"fmt"
	"time"

	"halfstep/buffer/phase"
	"halfstep/engine/fault"
	"halfstep/internal/phasetrace"
	"halfstep/internal/timing"
)

// EnterPhase begins a phase of the frame, such as phase.Draw, and ends the phase before.
// phase.Other only ends the phase before. Profiles, traces and Spans then show the phases
// separately. A call takes about 0.1 µs. EnterPhase ignores a phase of a step, and a phase that
// does not exist.
func (tr Trace) EnterPhase(p phase.Phase) {
	e := tr.e
	e.frames.Enter(p)
	if p == phase.Swap {
		e.faults.Late() // sleeps here if Config.Testing.Faults makes the frame late
	}
}

// PlanSleep says that the calling thread will now sleep for the time d on purpose, for example
// because the program limits its frame rate. PlanSleep ends the phase. OnLate then allows the frame
// to take longer by d.
func (tr Trace) PlanSleep(d time.Duration) {
	tr.e.frames.Enter(phase.Other)
	tr.e.frames.PlanSleep(d)
}

// GPUTime reports how long the graphics processor worked on a frame, given by its number in Busy. A
// program knows this time some frames later. Spans and the reports of hitches include the time, and
// Display.Delay lets frames begin earlier by it.
func (tr Trace) GPUTime(frame uint64, d time.Duration) {
	tr.e.frames.SetGPU(frame, d)
	tr.e.render.GPUTime(frame, int64(d))
}

// Spans appends the newest steps (phase.Physics) or frames (phase.Render) to dst, oldest first. It
// fills dst up to its capacity, with at most timing.MaxSpans spans. Spans never waits. Any
// goroutine may call it.
func (tr Trace) Spans(t phase.Thread, dst []timing.Span) []timing.Span {
	return tr.e.recorder(t).Spans(dst)
}

func (e *Engine) recorder(t phase.Thread) *phasetrace.Recorder {
	if t == phase.Render {
		return e.frames
	}
	return e.steps
}

// Late is a step or a frame that took longer than the limit of OnLate.
type Late struct {
	Span timing.Span
	// Frames is the number of frames that had begun before this step or frame. Age is the time from
	// the first frame until this step or frame began. With these values a program can ignore
	// hitches at its start.
	Frames uint64
	Age    time.Duration
}

// OnLate makes the engine call f for every frame that takes longer than the limit frame, and for
// every step that takes longer than the limit step. A limit of 0 turns its calls off, and a nil f
// turns off all calls. The goroutine that was late calls f, so f must be quick, and should for
// example only send to a channel without a wait. Any goroutine may call OnLate. Package hitch uses
// it.
func (tr Trace) OnLate(frame, step time.Duration, f func(Late)) {
	e := tr.e
	late := func(s timing.Span) { // runs on the goroutine that was late
		f(Late{s, e.published.figures.Load().Frames, time.Duration(s.Start - e.published.first.Load())})
	}
	if f == nil {
		late = nil
	}
	e.steps.OnLate(step, late)
	e.frames.OnLate(frame, late)
}

// InjectedFaults returns the faults of Config.Testing.Faults that the engine has caused, oldest
// first. Any goroutine may call it.
func (tr Trace) InjectedFaults() []fault.Injected { return tr.e.faults.Done() }

// Busy describes the step or the frame in which a thread is. A thread between two steps or frames
// has the zero Busy.
type Busy struct {
	Thread     phase.Thread
	Number     uint64 // the tick to which the step leads, or the number of the frame
	Phase      phase.Phase
	Continuous bool          // true while the step is in continuous collision
	For        time.Duration // time since the step or frame began, without planned sleep
}

// String returns a sentence such as "physics has been in tick 812 for 3 s, in
// continuous collision".
func (b Busy) String() string {
	switch {
	case b == (Busy{}):
		return "nothing is under way"
	case b.Thread == phase.Render:
		return fmt.Sprintf("frame %d has taken %s, in %s", b.Number, seconds(b.For), b.Phase)
	}
	return "physics has been in " + b.where()
}

// where returns the part of String's sentence after "in", for a step.
func (b Busy) where() string {
	in := b.Phase.String()
	if b.Continuous {
		in = "continuous collision"
	}
	return fmt.Sprintf("tick %d for %s, in %s", b.Number, seconds(b.For), in)
}

func seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.2g s", d.Seconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}

// Busy returns the step (phase.Physics) or frame (phase.Render) that the thread t is in. Between
// two steps or frames, and with Testing.NoPhases, it returns the zero Busy. Busy never waits, so a
// watchdog can report a step that does not end. Any goroutine may call it.
func (tr Trace) Busy(t phase.Thread) (b Busy) {
	e := tr.e
	if n, p, lasted, ok := e.recorder(t).Busy(); ok {
		b = Busy{Thread: t, Number: n, Phase: p, Continuous: p == phase.Step && private.Continuous(e.world), For: lasted}
	}
	return b
}
