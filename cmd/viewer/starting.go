package main

import (
	"fmt"
	"halfstep/renderloop"
)

// beginAt makes the first frame of a run with -seek. The camera is set by the first tick, as without
// -seek. An interactive run shows pictures on the way to the tick; other runs wait until they are there.
func (v *viewer) beginAt(tick uint64) error {
	v.travel.pass(0)
	if err := v.begin(firstScene); err != nil {
		return err
	}
	if r := v.stage.shown.replay(); r != nil && (tick < r.First || tick > r.Ticks) {
		return fmt.Errorf("-seek: no tick %d: the recording goes from tick %d to tick %d", tick, r.First, r.Ticks)
	}
	switch {
	case v.o.interactive() && !v.stage.settings.simulated:
		v.travel.seeking.to = tick
		if v.stage.shown.replay() == nil && tick == 0 {
			break
		}
		v.travel.beginSeek()
		v.travel.sendPart()
	case v.stage.shown.replay() == nil:
		v.goTo(tick)
	default:
		if err := v.stage.player.engine.History().Seek(tick); err != nil {
			return fmt.Errorf("-seek: %w", err)
		}
		v.stage.player.engine.SetSync(renderloop.Lockstep) // so that pass waits for the seek
		v.travel.pass(0)
		v.stage.player.engine.SetSync(v.stage.settings.sync)
	}
	return nil
}

// goTo runs the scene to a tick before the run's first frame is shown.
func (v *viewer) goTo(tick uint64) {
	if last, ok := v.o.lastTick(); ok {
		tick = min(tick, last)
	}
	for v.stage.view.Tick < tick && v.stage.player.Failure() == nil && !v.queue.Asked() {
		v.travel.steps = int(min(tick-min(v.stage.player.Demanded(), tick), seekSteps))
		v.travel.pass(0)
		v.stage.takeEvents()
	}
}

// seekSteps is the most steps of goTo between two looks at events.
const seekSteps = 60
