package main

import (
	"fmt"

	"halfstep/renderloop"
)

// beginAt is the first frame of a replay that begins at a tick. The camera begins
// as it does where the recording does.
func (v *viewer) beginAt(tick uint64) error {
	v.pass(0)
	if err := v.begin(true); err != nil {
		return err
	}
	if v.replay == nil {
		v.goTo(tick)
		return nil
	}
	if err := v.player.engine.Seek(tick); err != nil {
		return fmt.Errorf("-seek: %w", err)
	}
	v.player.engine.SetSync(renderloop.Lockstep) // waits
	v.pass(0)
	v.player.engine.SetSync(v.settings.sync)
	return nil
}

// seek goes to a tick of the replay or of the session's past, or to its nearest
// end.
func (v *viewer) seek(tick uint64) {
	if v.tape() == nil && !v.lookBack() {
		return
	}
	r := v.tape()
	tick = min(max(tick, r.First), r.Ticks)
	if err := v.player.engine.Seek(tick); err != nil {
		v.say(err.Error())
		return
	}
	v.say(fmt.Sprintf("tick %d of %d", tick, r.Ticks))
}

// skip seeks forwards, or backwards, by a number of seconds.
func (v *viewer) skip(seconds float64) {
	if v.tape() == nil && seconds > 0 {
		v.say("this is the present")
		return
	}
	by := int64(seconds * v.player.Rate().Float())
	v.seek(uint64(max(int64(v.player.Demanded())+by, 0)))
}

// goTo runs the scene to a tick before its first frame is shown.
func (v *viewer) goTo(tick uint64) {
	if last, ok := v.o.lastTick(); ok {
		tick = min(tick, last)
	}
	for v.view.Tick < tick && v.player.Failure() == nil && !v.queue.asked() {
		v.steps = int(min(tick-min(v.player.Demanded(), tick), seekSteps))
		v.pass(0)
		v.events = v.player.events(v.events[:0])
	}
}

// seekSteps is the most steps of goTo between two looks at events.
const seekSteps = 60
