package renderloop

import (
	"math"
	"slices"
	"time"

	"halfstep/buffer"
	"halfstep/internal/monotime"
)

// physics is the loop's end of the link: it posts frames and waits for steps. On a simulated
// clock a model says when each step is done, and the real physics steps exactly as far as the
// model, however long its steps take. So every run is the same.
type physics[S, E, C any] struct {
	link  *buffer.Link[S, E, C]
	model *model // physics on a simulated clock; nil on the wall clock
}

// model is the timing of physics on a simulated clock. When modelled physics is free, it takes
// all posted frames, and then does one step after the other: first the due steps, then the
// predicted ones (buffer.Frame.Ahead). While the loop runs ahead, a frame with commands costs as
// many steps as have to be computed again.
type model struct {
	cost func(tick uint64) int64 // the cost of a step, ns

	now    int64  // the sum of the frame times, ns
	free   int64  // when physics is free again, ns
	due    uint64 // the last due tick whose step is done
	newest uint64 // the newest tick published; above due while the loop runs ahead
	demand uint64 // the demand of the frames taken
	target uint64 // the tick up to which the taken frames ask to predict
	since  int64  // when target was taken, ns

	frames   uint64       // how many frames are done
	queue    []modelFrame // the frames that are not done, oldest first
	taken    int          // how many frames of queue physics has taken and not done
	unposted int          // how many frames at the end of queue have not been posted to the real physics
	ahead    bool         // while running ahead, a frame is posted to the real physics only when the model takes it

	busy   bool   // physics works until free
	taking int    // how many frames the current work takes
	to     uint64 // the newest tick when the current work is done
}

// modelFrame is a posted frame, and when it was posted.
type modelFrame struct {
	buffer.Frame
	at    int64 // ns
	again bool  // the steps ahead must be computed again
}

// begin begins the next work of physics, if it can begin by the time until.
func (m *model) begin(until int64) bool {
	m.taking, m.to = 0, m.newest
	waiting := m.queue[m.taken:]
	switch {
	case m.due < m.demand: // the remaining demanded steps, tick by tick
		m.do(m.newest, m.newest+1)
	case len(waiting) > 0 && max(m.free, waiting[0].at) <= until:
		m.free = max(m.free, waiting[0].at)
		again, needs, demand := false, uint64(0), uint64(0)
		for m.taking < len(waiting) && waiting[m.taking].at <= m.free {
			f := &waiting[m.taking]
			again, needs, demand = again || f.again, f.Needs, f.Demand
			m.taking++
		}
		if again {
			m.do(m.due, min(m.newest, max(needs, demand+1)))
		}
	case m.newest < m.target && max(m.free, m.since) <= until:
		m.free = max(m.free, m.since)
		m.do(m.newest, m.newest+1)
	default:
		return false
	}
	m.busy = true
	return true
}

// do begins the steps after one tick up to another.
func (m *model) do(from, to uint64) {
	for tick := from + 1; tick <= to; tick++ {
		m.free += max(0, m.cost(tick))
	}
	m.to = to
}

// end ends the current work.
func (m *model) end() {
	m.busy = false
	m.taken += m.taking
	if m.taking > 0 {
		f := &m.queue[m.taken-1]
		m.demand, m.target, m.since = f.Demand, f.Ahead, m.free
	}
	m.newest = m.to
	m.due = max(m.due, min(m.demand, m.newest))
}

// done reports whether a tick is published and all demanded steps are done.
func (m *model) done(tick uint64) bool {
	return m.newest >= tick && m.taken == len(m.queue) && m.due == m.demand
}

// simulate switches to a simulated clock. A nil cost is 0.
func (p *physics[S, E, C]) simulate(cost func(tick uint64) int64) {
	if cost == nil {
		cost = func(uint64) int64 { return 0 }
	}
	p.model = &model{cost: cost}
	p.link.Demand.SetLimit(0)
}

// post posts a frame. again says that the steps ahead must be computed again.
func (p *physics[S, E, C]) post(f buffer.Frame, again bool) {
	m := p.model
	if m == nil || !m.ahead {
		p.link.Demand.Post(f)
	} else {
		m.unposted++
	}
	if m != nil {
		m.queue = append(m.queue, modelFrame{f, m.now, again})
	}
}

// posted is the number of frames posted.
func (p *physics[S, E, C]) posted() uint64 {
	n := p.link.Demand.Posted()
	if p.model != nil {
		n += uint64(p.model.unposted)
	}
	return n
}

// cost is the cost of the step to a tick, in ns; measured is 0 where the wall clock was too coarse.
func (p *physics[S, E, C]) cost(tick uint64, measured int64) (ns int64, known bool) {
	if p.model != nil {
		return p.model.cost(tick), true
	}
	return measured, measured > 0
}

// pass lets ns nanoseconds pass on a simulated clock. It does nothing on the wall clock.
func (p *physics[S, E, C]) pass(ns int64) {
	m := p.model
	if m == nil {
		return
	}
	m.now += ns
	for (m.busy || m.begin(m.now)) && m.free <= m.now {
		p.end()
	}
	p.catchUp()
}

// end ends the current work. While the loop runs ahead, the real physics does that work at
// once, because the effect of a command depends on how far physics has come.
func (p *physics[S, E, C]) end() {
	if p.model.end(); p.model.ahead {
		p.catchUp()
	}
}

// catchUp makes the real physics do all steps that are done in the model, and waits for it.
func (p *physics[S, E, C]) catchUp() {
	m, d := p.model, p.link.Demand
	d.SetLimit(m.newest)
	for ; len(m.queue)-m.unposted < m.taken; m.unposted-- {
		d.Post(m.queue[len(m.queue)-m.unposted].Frame)
	}
	n := 0
	for n < m.taken && m.queue[n].Demand <= m.due {
		n++
	}
	m.queue = slices.Delete(m.queue, 0, n)
	m.taken, m.frames = m.taken-n, m.frames+uint64(n)
	if m.ahead && m.due < m.demand {
		p.link.Await(m.due, 0) // physics may have taken several frames together, and announces only the last
	} else {
		p.link.Await(m.due, m.frames)
	}
	p.link.AwaitAhead(m.newest)
}

// drain makes physics, on a simulated clock, do all demanded and predicted steps in no
// time, because frame times on a simulated clock do not include waits.
func (p *physics[S, E, C]) drain() {
	m := p.model
	if m == nil {
		return
	}
	for m.busy || !m.done(0) {
		if !m.busy {
			m.begin(math.MaxInt64)
		}
		p.end()
	}
	p.catchUp()
	m.free = min(m.free, m.now)
}

// finish waits until physics has done the tick and all frames. It returns how long that took
// in ns, 0 on a simulated clock.
func (p *physics[S, E, C]) finish(tick uint64) (waited int64) {
	p.drain()
	start := monotime.Now()
	p.link.Await(tick, p.posted())
	if p.model == nil {
		waited = int64(monotime.Since(start))
	}
	return waited
}

// skip counts all ticks up to this one as done, at no cost.
func (p *physics[S, E, C]) skip(tick uint64) {
	if m := p.model; m != nil {
		p.drain()
		m.due, m.newest, m.demand = tick, tick, tick
		p.link.Demand.SetLimit(tick)
	}
}

// startAhead begins to run ahead.
func (p *physics[S, E, C]) startAhead() {
	if p.model != nil {
		p.drain()
		p.model.ahead = true
	}
}

// settle ends running ahead: it posts the frame f and waits until physics has done it.
func (p *physics[S, E, C]) settle(f buffer.Frame) {
	p.skip(f.Demand)
	d := p.link.Demand
	d.Post(f)
	p.link.Await(f.Demand, d.Posted())
	p.restart(f.Demand)
}

// restart sets the model to a tick at which all posted frames are done.
func (p *physics[S, E, C]) restart(tick uint64) {
	if m := p.model; m != nil {
		*m = model{
			cost: m.cost, now: m.now, free: m.now, due: tick, newest: tick, demand: tick,
			frames: p.link.Demand.Posted(), queue: m.queue[:0],
		}
		p.link.Demand.SetLimit(tick)
	}
}

// wait waits for at most budget ns until physics has published a tick and done all frames. It
// returns how long it waited. On a simulated clock physics does the work for which that time
// suffices, but the time does not pass: see drain.
func (p *physics[S, E, C]) wait(tick uint64, budget int64) (ns int64, done bool) {
	m := p.model
	if m == nil {
		start := monotime.Now()
		done = p.link.AwaitFor(tick, p.posted(), time.Duration(budget))
		return int64(monotime.Since(start)), done
	}
	for !m.done(tick) {
		if !m.busy && !m.begin(m.now+budget) || m.free > m.now+budget {
			p.catchUp()
			return budget, false
		}
		ns = max(ns, m.free-m.now)
		p.end()
	}
	p.catchUp()
	if !m.busy {
		m.free, m.since = min(m.free, m.now), min(m.since, m.now)
	}
	return ns, true
}
