package engine

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
func (p *past) syncTest(dst []body2d.State) []body2d.State {
	now := p.tick
	if p.tested == now {
		return dst
	}
	p.tested = now
	to := p.to
	p.to = &recorder{Simulation: p.Simulation, rate: to.rate}
	from := now - min(p.back, now)
	if err := p.Rerun(p.at(from).snapshot); err != nil {
		panic(err)
	}
	for p.tick = from; p.tick < now; {
		m := p.at(p.tick)
		for i := range m.calls {
			p.do(&m.calls[i])
		}
		p.spare = p.to.Capture(p.spare)
		p.SkipHandles(p.at(p.tick).made) // where a rollback went back to, more had been made
		if err := p.World().Snapshot(&p.second); err != nil {
			panic(err)
		}
		if d := p.at(p.tick).snapshot.Difference(&p.second); d != "" {
			panic(fmt.Errorf("sync test: tick %d differs when it runs again: %s (code that keeps variables must give them to World.Keep)", p.tick, d))
		}
		p.fresh.DropOldest(p.fresh.Count(), 0)
	}
	p.to = to
	p.lane.Enter(phase.Capture)
	return p.to.Capture(dst[:0])
}
