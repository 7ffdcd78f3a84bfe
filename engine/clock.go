package engine

import (
	"halfstep/buffer/body2d"
	"halfstep/internal/history"
	"halfstep/internal/monotime"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
)

// SetPaused stops time, or makes it continue. The clock does not make up for the time of a pause,
// but adds that time to Ledger.Paused. In a pause Step works, and a program need not call Frame
// (see Events). A program that calls Advance decides itself how much time passes.
func (e *Engine) SetPaused(on bool) {
	was := e.still()
	e.render.Clock().SetPaused(on)
	e.stood(was)
}

// still reports whether the engine is paused or has a time scale of 0.
func (e *Engine) still() bool { return e.Paused() || e.Scale() == 0 }

// stood is called after a change of the pause or of the time scale. was is the result of still
// before the change. The next frame does not make up for the time in which the clock did not
// advance.
func (e *Engine) stood(was bool) {
	switch still := e.still(); {
	case still == was || e.last.IsZero():
	case still:
		e.stoppedAt = monotime.Now()
	case e.stoppedAt.After(e.last):
		e.render.Rest(int64(monotime.Since(e.stoppedAt)))
	default: // the last frame was drawn after the stop, so time counts from that frame
		e.render.Rest(int64(monotime.Since(e.last)))
	}
}

// Paused reports whether time is stopped by SetPaused.
func (e *Engine) Paused() bool { return e.render.Clock().Paused() }

// SetRate sets the number of steps per second. The world moves as fast as before. The present step
// keeps its length, and all later steps have the new length. In RunAhead, steps that are not due
// yet have the new length at once.
//
// The error says which rates are allowed, or that the engine replays a recording. In a replay steps
// have the lengths that were recorded. SetScale changes the speed of a replay.
func (e *Engine) SetRate(r clock.Rate) error { return e.render.Clock().SetRate(r) }

// Rate returns the number of steps per second.
func (e *Engine) Rate() clock.Rate { return e.render.Clock().Rate() }

// SetScale sets the time scale, from 0 to 1000: 1 is real time, 0.5 is slow motion, and at 0 time
// stands still. The clock uses the simplest fraction within a billionth of x, for example exactly
// 1/10 for 0.1. The numerator and the denominator of the fraction are at most a million. If no such
// fraction is within a billionth of x, the clock uses one that is near x. The error says that x is
// not finite, out of range, or too close to 0 (below a millionth).
func (e *Engine) SetScale(x float64) error {
	was := e.still()
	err := e.render.Clock().SetScale(x)
	e.stood(was)
	return err
}

// Scale returns the present time scale.
func (e *Engine) Scale() float64 { return e.render.Clock().Scale() }

// SetMaxSteps sets Time.MaxSteps. 0 sets the default.
func (e *Engine) SetMaxSteps(n int) error { return e.render.Clock().SetMaxSteps(n) }

// SetLastTick sets the highest tick to which the engine steps. 0 means no step at all. A replay
// never goes beyond the end of its recording.
func (e *Engine) SetLastTick(tick uint64) {
	if e.lastTick = tick; e.replay != nil {
		tick = min(tick, e.replay.lastTick())
	}
	e.render.Clock().SetLast(tick)
}

// SetSync changes between Pipelined, Lockstep and RunAhead from the next frame on. In RunAhead the
// picture shows ticks that are not due yet. At the end of RunAhead, and before a pause or a Step,
// these ticks become due: the clock moves to the shown tick, and the Ledger counts that time as
// stepped. A mode that does not exist changes nothing.
func (e *Engine) SetSync(s renderloop.Sync) { e.render.SetSync(s) }

// Sync returns the present mode: Pipelined, Lockstep or RunAhead.
func (e *Engine) Sync() renderloop.Sync { return e.render.Sync() }

// SetSmoothing changes how the picture between two ticks is computed, from the next frame on. A
// body with a Smoothing of its own keeps that. A mode that does not exist changes nothing.
func (e *Engine) SetSmoothing(m body2d.Smoothing) { e.render.SetSmoothing(m) }

// SetPacing turns pacing on or off from the next frame on; see Time.Pacing.
func (e *Engine) SetPacing(on bool) { e.render.SetPacing(on) }

// SetDebugLayers sets the layers for which physics adds data to View.Debug. Layers without such
// data are ignored. The data come with the next state. While the engine is paused, physics
// publishes the state of the same tick again, with the data.
func (e *Engine) SetDebugLayers(l body2d.Layers) {
	l &= body2d.PhysicsLayers
	if e.link.DebugLayers.Swap(uint32(l)) != uint32(l) && e.Paused() {
		e.command(private.NewOrder(history.Republish{}))
	}
}

// Demanded returns the number of steps that the frames have demanded so far.
func (e *Engine) Demanded() uint64 { return e.render.Stats().Demanded }

// Ledger returns the account of the clock's time. It is valid until the next frame.
func (e *Engine) Ledger() *clock.Ledger { return e.render.Clock().Ledger() }
