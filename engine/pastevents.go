package engine

import "halfstep/world"

// collect keeps what the world told. What it told for the first time is passed on; the
// rest is compared by tell.
func (p *past) collect(m *moment, first bool) {
	for ev := p.fresh.Peek(p.fresh.Count()); ev != nil; ev = p.fresh.Peek(p.fresh.Count()) {
		if first {
			p.out.Events.Append(*ev)
		}
		if !ev.IsReply() { // questions are not asked again
			m.events = append(m.events, *ev)
		}
		p.fresh.Take()
	}
}

// tell passes on how the events of the ticks that were done again differ from those
// that came of them before: first what did not happen, then what is new.
func (p *past) tell(from uint64) {
	for i := range p.was {
		p.told[p.was[i].Key()]++
	}
	p.news = p.news[:0]
	for t := from; t <= p.tick; t++ {
		events := p.at(t).events
		for i := range events {
			key := events[i].Key()
			p.news = append(p.news, p.told[key] == 0)
			if p.told[key] > 0 {
				p.told[key]--
			}
		}
	}
	for i := range p.was {
		if key := p.was[i].Key(); p.told[key] > 0 {
			p.told[key]--
			gone := p.out.Events.Next()
			*gone = p.was[i]
			gone.Kind, gone.Was = world.EventRetracted, gone.Kind
		}
	}
	k := 0
	for t := from; t <= p.tick; t++ {
		for _, ev := range p.at(t).events {
			if p.news[k] {
				p.out.Events.Append(ev)
			}
			k++
		}
	}
	clear(p.told)
	clear(p.was)
}
