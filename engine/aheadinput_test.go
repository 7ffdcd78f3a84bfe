package engine_test

import (
	"math"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/world"
)

// RunAhead shows instants that are later than the tick of a command. Still, an input
// counts until the shown states contain its command. If steps are too slow for a
// correction in the same frame, this happens in a later frame.
func TestInputOfARunAheadCountsUntilItsCorrectionIsSeen(t *testing.T) {
	norace.Only(t)
	for cost, frames := range map[time.Duration]float64{0: 1, 4 * time.Millisecond: 2} {
		var ball world.Body
		e := start(t, engine.Config{
			Setup: court(&ball), Time: engine.Time{Sync: renderloop.RunAhead, Simulated: true},
			Testing: engine.Testing{StepCost: func(uint64) time.Duration { return cost }},
		})
		const frame = time.Second / 75
		for n := range 300 {
			if n%10 == 0 {
				e.Display().Input(time.Duration(n) * frame)
				e.SetVelocity(ball, world.Vec{X: float64(n % 3)})
			}
			e.Advance(frame)
		}
		want := (frames + 1) * frame.Seconds() * 1e3 // the input is as old as the frame is long
		if got := e.Display().Motion().Input; math.Abs(got-want) > .1 {
			t.Errorf("steps of %v: input %.1f ms, want %.1f", cost, got, want)
		}
	}
}
