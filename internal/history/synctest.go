package history

import (
	"fmt"

	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
)

// A sync test is a rollback that corrects nothing, after every step: what the ticks
// come to the second time is compared with what they came to at first.

// syncTest goes back some ticks from a tick that is new, and forward again. Nobody is
// told: neither the recordings, nor who takes events. It returns what can be seen
// then: bodies that were made again count as others.
func (p *Past) syncTest(dst []body2d.State) []body2d.State {
	r, now := p.rollback, p.tick
	if r.tested == now {
		return dst
	}
	r.tested = now
	writer, watched, box := p.writer, p.watched, p.o.Box
	p.writer, p.watched, p.o.Box = nil, nil, nil
	defer func() { p.writer, p.watched, p.o.Box = writer, watched, box }() // also if it panics
	from := now - min(uint64(r.SyncTest), now-r.first)
	must(inside.Rerun(p.Simulation, r.at(from).Start.snapshot))
	for p.tick = from; p.tick < now; {
		m := r.at(p.tick)
		for i := range m.Entries {
			p.do(&m.Entries[i])
		}
		r.spare = p.Simulation.Capture(r.spare)
		m = r.at(p.tick)
		inside.SkipHandles(p.Simulation, m.made) // where a rollback went back to, more had been made
		must(inside.Snapshot(p.World(), &r.second))
		if d := m.Start.snapshot.Difference(&r.second); d != "" {
			panic(fmt.Errorf("sync test: tick %d differs when it runs again: %s (code that keeps variables must give them to World.Keep)", p.tick, d))
		}
		r.fresh.DropOldest(r.fresh.Count(), 0)
	}
	p.o.Lane.Enter(phase.Capture)
	return p.Simulation.Capture(dst[:0])
}
