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
// model, however long the real steps take. So all runs are the same.
type physics[S, E, C any] struct {
	link  *buffer.Link[S, E, C]
	model *model // physics on a simulated clock; nil on the wall clock
}

// model is the timing of physics on a simulated clock. When the model has nothing to do, it
// takes all posted frames, and then does one step after the other: first the due steps, then the
// predicted ones (buffer.Frame.Ahead). While the loop runs ahead, a frame with commands takes
// the time of all steps that must be computed again.
type model struct {
	cost func(tick uint64) int64 // the time that a step takes, ns

	now    int64  // the sum of the frame times, ns
	free   int64  // when the model has done its present work, ns
	due    uint64 // the last due tick whose step is done
	newest uint64 // the newest published tick; greater than due while the loop runs ahead
	demand uint64 // the demand of the frames that the model has taken
	target uint64 // the tick up to which these frames ask for predictions
	since  int64  // when target was set, ns

	frames   uint64       // the number of frames that are done
	queue    []modelFrame // the frames that are not done, the oldest first
	taken    int          // the number of frames of queue that the model has taken
	unposted int          // the number of frames at the end of queue that the real physics has not got yet
	ahead    bool         // running ahead: the real physics gets a frame only when the model takes it

	busy   bool   // physics works until free
	taking int    // the number of frames in the present work
	to     uint64 // the newest tick after the present work
}

// modelFrame is a posted frame, and the time at which it was posted.
type modelFrame struct {
	buffer.Frame
	at    int64 // ns
	again bool  // the predicted steps must be computed again
}

// begin begins the next work of the model, if the work can begin by the time until.
func (m *model) begin(until int64) bool {
	m.taking, m.to = 0, m.newest
	waiting := m.queue[m.taken:]
	switch {
	case m.due < m.demand: // the demanded steps that are left, one tick after the other
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

// do begins the steps after the first tick up to the second.
func (m *model) do(from, to uint64) {
	for tick := from + 1; tick <= to; tick++ {
		m.free += max(0, m.cost(tick))
	}
	m.to = to
}

// end ends the present work.
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

// done reports whether the model has published a tick and has done all demanded steps.
func (m *model) done(tick uint64) bool {
	return m.newest >= tick && m.taken == len(m.queue) && m.due == m.demand
}

// simulate changes to a simulated clock. A nil cost means that steps take no time.
func (p *physics[S, E, C]) simulate(cost func(tick uint64) int64) {
	if cost == nil {
		cost = func(uint64) int64 { return 0 }
	}
	p.model = &model{cost: cost}
	p.link.Demand.SetLimit(0)
}

// post posts a frame. With again, the predicted steps must be computed again.
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

// posted is the number of frames that were posted.
func (p *physics[S, E, C]) posted() uint64 {
	n := p.link.Demand.Posted()
	if p.model != nil {
		n += uint64(p.model.unposted)
	}
	return n
}

// cost is the time of the step to a tick, ns. measured is 0 if the wall clock was too coarse.
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

// end ends the present work of the model. While the loop runs ahead, the real physics does that
// work at once, because the effect of a command depends on how far physics has come.
func (p *physics[S, E, C]) end() {
	if p.model.end(); p.model.ahead {
		p.catchUp()
	}
}

// catchUp makes the real physics do all steps that are done in the model, and waits for these
// steps.
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
		p.link.Await(m.due, 0) // physics may have taken several frames together, and then announces only the last one
	} else {
		p.link.Await(m.due, m.frames)
	}
	p.link.AwaitAhead(m.newest)
}

// drain makes physics, on a simulated clock, do all demanded and predicted steps, without any
// simulated time, because frame times on a simulated clock do not include waits.
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

// finish waits until physics has done the tick and all frames. It returns the time of the wait,
// ns, which is 0 on a simulated clock.
func (p *physics[S, E, C]) finish(tick uint64) (waited int64) {
	p.drain()
	start := monotime.Now()
	p.link.Await(tick, p.posted())
	if p.model == nil {
		waited = int64(monotime.Since(start))
	}
	return waited
}

// skip counts all ticks up to this one as done, in no time.
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

// settle ends running ahead. It posts the frame f, and waits until physics has done it.
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
// returns how long it has waited. On a simulated clock physics does the work that can be done in
// that time, but no time passes: see drain.
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
