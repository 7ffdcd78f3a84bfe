package engine_test

import (
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/attack"
	"halfstep/world"
)

// There are rollbacks of any length, in any mode. The run must end like a run that
// had the same commands in time, and must have delivered the same events.
func TestAttackRollbacks(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		c := engine.Config{
			Time: engine.Time{Sync: renderloop.Sync(r.IntN(2)), Simulated: true, EventsAtOnce: r.IntN(2) == 0},
			World: world.Config{
				Workers: 1 + r.IntN(3), Stepper: world.Stepper(r.IntN(2)), NoSleep: r.IntN(2) == 0, NoContinuous: r.IntN(4) == 0,
			},
			History: engine.HistoryOptions{Rollback: engine.RollbackOptions{
				Blend: [...]time.Duration{0, -1, 1, 3e8}[r.IntN(4)], Every: max(0, r.IntN(22)-9),
			}},
		}
		seed, ticks, late := r.Uint64(), uint64(60+r.IntN(200)), uint64(1+r.IntN(12))
		checkRollbacks(a.T, c, seed, ticks, late)
		a.Count("ticks", 2*ticks)
	}
}
