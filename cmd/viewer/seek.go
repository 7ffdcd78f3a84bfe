package main

import (
	"fmt"
	"time"

	"halfstep/renderloop"
)

// seekFrame is how far a frame advances the clock during a seek.
const seekFrame = 80 * time.Millisecond

// seek goes to a tick of the replay. If that tick has passed, it starts the
// replay again.
func (v *viewer) seek(tick uint64) error {
	r := v.replay
	if r == nil {
		v.say("seeking works only in a replay")
		return nil
	}
	tick = min(tick, r.Ticks)
	if tick < v.view.Tick {
		if err := v.change(v.current); err != nil {
			return err
		}
	}
	e := v.engine
	paused := e.Paused()
	e.SetPaused(false)
	e.SetSync(renderloop.Lockstep)
	e.SetLastTick(tick)
	for v.view.Tick < tick && e.Failure() == nil {
		v.owner.beginWait()
		view := e.Advance(seekFrame)
		v.owner.endWait()
		v.view = view
		for range e.Events() {
		}
	}
	e.SetLastTick(r.Ticks)
	e.SetSync(v.settings.sync)
	e.SetPaused(paused)
	v.say(fmt.Sprintf("tick %d of %d", v.view.Tick, r.Ticks))
	return nil
}

// skip seeks forwards, or backwards, by a number of seconds.
func (v *viewer) skip(seconds float64) error {
	by := int64(seconds * v.engine.Rate().Float())
	return v.seek(uint64(max(int64(v.view.Tick)+by, 0)))
}
