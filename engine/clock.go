package engine

import (
	"halfstep/buffer/body2d"
	"halfstep/internal/history"
	"halfstep/internal/monotime"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
)

// SetPaused stops time or lets it go on. The clock does not make up for the time of a pause, and
// counts it in Ledger.Paused and not as dropped. In a pause Step works, and calls of Frame are
// optional (see Events). (A program that calls Advance says itself how much time passes.)
func (e *Engine) SetPaused(on bool) {
	was := e.still()
	e.render.Clock().SetPaused(on)
	e.stood(was)
}

// still reports whether time stands still: in a pause, or with a scale of 0.
func (e *Engine) still() bool { return e.Paused() || e.Scale() == 0 }

// stood is called after a change of the pause or the scale. was is the result of still before the
// change. The next frame does not make up for the time in which the clock stood still.
func (e *Engine) stood(was bool) {
	switch still := e.still(); {
	case still == was || e.last.IsZero():
	case still:
		e.stoppedAt = monotime.Now()
	case e.stoppedAt.After(e.last):
		e.render.Rest(int64(monotime.Since(e.stoppedAt)))
	default: // frames were drawn while time stood still: only the time since the last one counts
		e.render.Rest(int64(monotime.Since(e.last)))
	}
}

// Paused reports whether time is stopped by SetPaused.
func (e *Engine) Paused() bool { return e.render.Clock().Paused() }

// SetRate sets the number of steps per second. The picture goes on at the world's pace:
// the interval between two steps that is under way keeps its length, and the steps after
// it have the new one. In RunAhead the steps that are not due yet have it at once.
//
// The error says what rates are allowed, or that the engine replays: steps are then as
// long as they were, and SetScale changes the pace.
func (e *Engine) SetRate(r clock.Rate) error { return e.render.Clock().SetRate(r) }

// Rate returns the number of steps per second.
func (e *Engine) Rate() clock.Rate { return e.render.Clock().Rate() }

// SetScale sets the time scale, from 0 to 1000: 1 is real time, 0.5 is slow motion,
// and 0 stands still. The clock uses the simplest fraction within a billionth of x,
// if it has parts of up to a million, else the nearest that it finds: 0.1 is exactly
// 1/10. The error says what is wrong with a number that is not finite, out of range
// or too close to 0 (below a millionth).
func (e *Engine) SetScale(x float64) error {
	was := e.still()
	err := e.render.Clock().SetScale(x)
	e.stood(was)
	return err
}

// Scale returns the time scale in effect.
func (e *Engine) Scale() float64 { return e.render.Clock().Scale() }

// SetMaxSteps sets Time.MaxSteps. 0 sets the default.
func (e *Engine) SetMaxSteps(n int) error { return e.render.Clock().SetMaxSteps(n) }

// SetLastTick makes the engine run no step beyond the tick; 0 means no step at
// all. A replay never goes beyond the end of its recording.
func (e *Engine) SetLastTick(tick uint64) {
	if e.lastTick = tick; e.replay != nil {
		tick = min(tick, e.replay.lastTick())
	}
	e.render.Clock().SetLast(tick)
}

// SetSync changes between Pipelined, Lockstep and RunAhead from the next frame
// on. When RunAhead ends, and before a pause or a Step in it, the ticks that are shown ahead
// become due: the clock moves on to there, which the Ledger books as stepped. A mode that does not
// exist changes nothing.
func (e *Engine) SetSync(s renderloop.Sync) { e.render.SetSync(s) }

// Sync returns the mode in use.
func (e *Engine) Sync() renderloop.Sync { return e.render.Sync() }

// SetSmoothing changes how the picture between two ticks is computed, from the next frame
// on. A body may have a mode of its own. A mode that does not exist changes nothing.
func (e *Engine) SetSmoothing(m body2d.Smoothing) { e.render.SetSmoothing(m) }

// SetPacing turns pacing on or off from the next frame on; see Time.Pacing.
func (e *Engine) SetPacing(on bool) { e.render.SetPacing(on) }

// SetDebugLayers sets for which layers physics adds data to View.Debug; the others are
// ignored, so that a painter's Layers can be given as they are. The data arrive with the
// next state; while the engine is paused, physics publishes the current state again with
// them, under the same tick.
func (e *Engine) SetDebugLayers(l body2d.Layers) {
	l &= body2d.PhysicsLayers
	if e.link.DebugLayers.Swap(uint32(l)) != uint32(l) && e.Paused() {
		e.command(inside.NewOrder(history.Republish{}))
	}
}

// Demanded returns the number of steps that the frames have demanded so far.
func (e *Engine) Demanded() uint64 { return e.render.Stats().Demanded }

// Ledger returns the account of where the clock's time went. It is valid until the
// next frame.
func (e *Engine) Ledger() *clock.Ledger { return e.render.Clock().Ledger() }
