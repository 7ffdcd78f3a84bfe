package history

import (
	"cmp"
	"fmt"

	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
)

// A sync test is a rollback after every step without other commands. It compares the states of the second run of the
// ticks with those of the first run.

// syncTest goes back SyncTest ticks from a new tick, and forward again, without the sinks and the render side. It
// returns the states of the second run. A body that a callback has created gets another handle in the second run.
func (r *RollbackLog) syncTest(dst []body2d.State) []body2d.State {
	now := r.tick
	r.tested = now
	r.keepShifts()
	sinks := r.sinks
	r.sinks = nil
	defer func() { r.sinks = sinks }() // the call must also happen after a panic
	from := now - min(uint64(r.ticks.SyncTest), now-r.ticks.first)
	must(r.rerun(r.ticks.keptAt(from).Start.saved))
	for r.reach(from, r.dt); r.tick < now; {
		m := r.ticks.keptAt(r.tick)
		for i := range m.Entries {
			r.do(&m.Entries[i])
		}
		private.Skip(r.Simulation)
		m = r.ticks.keptAt(r.tick)
		private.SkipHandles(r.Simulation, m.made) // a rollback may have used more handles in the first run
		must(r.take(&r.second))
		was := &m.Start.saved
		if d := cmp.Or(was.Snapshot.Difference(r.second.Snapshot), was.Kept.difference(r.second.Kept)); d != "" {
			panic(fmt.Errorf("sync test: tick %d differs when it runs again: %s (code that keeps variables must give them to World.Keep)", r.tick, d))
		}
		r.events.drop()
	}
	r.dropShifts()
	r.o.Phases.Enter(phase.Capture)
	return r.Simulation.Capture(dst[:0])
}
