package play

import (
	"math"
	"testing"

	"halfstep/world"
)

func TestTheControlsGoBackToASnapshotWithTheWorld(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	set := func(speed, gravity float64, warm bool) {
		b.Params.SetParam(0, speed)
		b.Params.SetGravity(world.Vec{Y: gravity})
		b.Tune.SwitchWorld(WarmCommand, &b.Stage.Settings.Overrides.Warm, warm)
	}
	set(2, -3, false)
	b.do("snapshot")
	set(5, -9, true)
	b.do("restore")
	type state struct {
		speed, gravity float64
		warm           bool
	}
	want := state{2, -3, false}
	if got := (state{b.Params.Param(b.Stage.Scene(), 0), b.Params.Gravity().Y, !b.Stage.World.NoWarmStarting}); got != want {
		t.Errorf("the controls show %+v", got)
	}
	done := make(chan state, 1)
	world.Ask(b.Stage.Player.Commands, func(w *world.World) state {
		i, _ := w.Body(b.Sampler.Tracked[0].Body)
		return state{math.Round(i.Velocity.X), w.Gravity().Y, w.Box2D().M_warmStarting}
	}, func(_ uint64, s state) { done <- s })
	b.run(3)
	if got := <-done; got != want {
		t.Errorf("the world has %+v", got)
	}
	b.do("restart")
	if got := b.Params.Param(b.Stage.Scene(), 0); got != 2 {
		t.Errorf("the next run begins with %v m/s", got)
	}
}
