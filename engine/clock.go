package engine

import (
	"time"

	"halfstep/buffer/body2d"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
)

// SetPaused stops or continues time; no jump is left behind.
func (e *Engine) SetPaused(on bool) { e.render.Clock().SetPaused(on) }

// Paused reports whether time is stopped.
func (e *Engine) Paused() bool { return e.render.Clock().Paused() }

// SingleStep runs one step of a paused world.
func (e *Engine) SingleStep() { e.render.Clock().SingleStep() }

// SetRate changes the number of steps per second; the fraction of a step that
// has passed carries over.
func (e *Engine) SetRate(r clock.Rate) error { return e.render.Clock().SetRate(r) }

// Rate is the number of steps per second.
func (e *Engine) Rate() clock.Rate { return e.render.Clock().Rate() }

// SetScale sets the time scale: 1/2 is slow motion, 0 stands still, at most
// 1000.
func (e *Engine) SetScale(r clock.Rate) error { return e.render.Clock().SetScale(r) }

// Scale is the time scale.
func (e *Engine) Scale() clock.Rate { return e.render.Clock().Scale() }

// SetMaxSteps sets how many steps may be demanded and not yet done.
func (e *Engine) SetMaxSteps(n int) error { return e.render.Clock().SetMaxSteps(n) }

// SetLastTick makes the engine run no step after the given tick: 0 is no step
// at all. A replay ends where its recording does in any case.
func (e *Engine) SetLastTick(tick uint64) {
	if e.replay != nil {
		tick = min(tick, e.replay.Ticks)
	}
	e.render.Clock().SetLast(tick)
}

// SetSync changes between Pipelined and Lockstep.
func (e *Engine) SetSync(s renderloop.Sync) { e.render.SetSync(s) }

// Sync is the mode in use.
func (e *Engine) Sync() renderloop.Sync { return e.render.Sync() }

// SetSmoothing changes the global smoothing mode.
func (e *Engine) SetSmoothing(m body2d.Smoothing) {
	e.render.SetSmoothing(m)
}

// SetPacing turns the evening out of frame times on or off.
func (e *Engine) SetPacing(on bool) { e.render.SetPacing(on) }

// SetRefresh tells pacing the time between two refreshes of the display; 0 is
// unknown. Whole Hz, as window systems give it, is near enough.
func (e *Engine) SetRefresh(d time.Duration) { e.render.SetRefresh(int64(d)) }

// SetDebugLayers says which debug layers views shall carry.
func (e *Engine) SetDebugLayers(l body2d.DebugLayers) { e.link.DebugLayers.Store(uint32(l)) }

// Demanded is the number of ticks demanded so far.
func (e *Engine) Demanded() uint64 {
	return e.loop.Stats().Demanded
}

// Ledger accounts for the clock's time; it is good until the next frame.
func (e *Engine) Ledger() *clock.Ledger { return e.render.Clock().Ledger() }

// Stats returns the render side's counters.
func (e *Engine) Stats() renderloop.Stats {
	return e.loop.Stats()
}
