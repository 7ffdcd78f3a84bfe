package main

import "fmt"

// seekSteps is the most steps of a seek between two looks at events.
const seekSteps = 60

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
	for v.view.Tick < tick && e.Failure() == nil {
		v.owner.beginWait()
		view := e.Step(int(min(tick-min(e.Demanded(), tick), seekSteps)))
		v.owner.endWait()
		v.view = view
		for range e.Events() {
		}
	}
	v.say(fmt.Sprintf("tick %d of %d", v.view.Tick, r.Ticks))
	return nil
}

// skip seeks forwards, or backwards, by a number of seconds.
func (v *viewer) skip(seconds float64) error {
	by := int64(seconds * v.engine.Rate().Float())
	return v.seek(uint64(max(int64(v.view.Tick)+by, 0)))
}
