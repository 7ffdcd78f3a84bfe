package engine

// A recording that begins in the middle of a run in which rollbacks happen begins at
// the oldest tick that is kept: none of them can go back to before that.

// recordable returns the oldest moment from which on everything can be recorded, or
// nil.
func (p *past) recordable() (oldest *moment) {
	if p == nil {
		return nil
	}
	for back := range uint64(len(p.moments)) {
		if back > p.tick || p.at(p.tick-back).holdsClosure() {
			break
		}
		if m := p.at(p.tick - back); m.snapshot != nil {
			oldest = m
		}
	}
	return oldest
}

func (m *moment) holdsClosure() bool {
	for i := range m.calls {
		if m.calls[i].command.IsClosure() {
			return true
		}
	}
	return false
}

// each calls f with all calls since a tick, without the hashes that steps led to.
func (p *past) each(since uint64, f func(recordOp)) {
	for tick := since; tick <= p.tick; tick++ {
		m := p.at(tick)
		for i := range m.calls {
			c := &m.calls[i]
			op := recordOp{Kind: c.kind, Tick: tick, Scheduled: c.scheduled, Dt: c.dt, Carry: c.frame.Carry, Whole: c.frame.Step}
			switch c.kind {
			case opApply:
				op.Command = recorded(&c.command)
			case opStep:
				op.Tick++
			case opEnd:
				if i > 0 && m.calls[i-1].kind == opStep {
					op.Tick++
				}
			}
			f(op)
		}
	}
}
