package renderloop

import (
	"math"
	"slices"
	"time"

	"halfstep/buffer"
	"halfstep/internal/monotime"
)

// physics posts frames to the physics goroutine and waits for its steps. On a simulated clock a
// model computes when each step is done, and the physics goroutine must do exactly the steps that
// are done in the model, however long they really take. So all runs are the same.
type physics[S, E, C any] struct {
	link  *buffer.Link[S, E, C]
	model *model // nil on the wall clock
}

// model is the timing of physics on a simulated clock. When the model has nothing to do, it takes
// all posted frames. Then it does one step after the other, first the due steps and then the
// predicted steps (buffer.Frame.Ahead). While the loop runs ahead, a frame with commands takes the
// time of all steps that must be computed again.
type model struct {
	cost func(tick uint64) int64 // the time of the step to a tick, in ns

	now    int64  // the sum of the frame times, in ns
	free   int64  // the time at which the present work ends, in ns
	due    uint64 // the last due tick whose step is done
	newest uint64 // the newest published tick; greater than due while the loop runs ahead
	demand uint64 // the demand of the newest frame that the model has taken
	target uint64 // the tick up to which that frame asks for predictions
	since  int64  // the time at which target was set, in ns

	frames   uint64       // the number of done frames
	queue    []modelFrame // the frames that are not done, oldest first
	taken    int          // the number of frames of queue that the model has taken
	unposted int          // the number of frames at the end of queue that were not posted to the physics goroutine yet
	ahead    bool         // true while the loop runs ahead; a frame is then posted to the physics goroutine only when the model takes it

	busy   bool   // true if the model has work, until the time free
	taking int    // the number of frames in queue that the present work completes
	to     uint64 // the newest tick after the present work
}

// modelFrame is a frame, and the time at which the loop has posted it to the model.
type modelFrame struct {
	buffer.Frame
	at    int64 // ns
	again bool  // true if the predicted steps must be computed again
}

// begin begins the next work of the model, if that work begins at the time given as until or
// earlier. It reports whether it has begun any work.
func (m *model) begin(until int64) bool {
	m.taking, m.to = 0, m.newest
	waiting := m.queue[m.taken:]
	switch {
	case m.due < m.demand: // the next demanded step
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

// do begins the steps after the tick given as from, up to the tick given as to.
func (m *model) do(from, to uint64) {
	for tick := from + 1; tick <= to; tick++ {
		m.free += max(0, m.cost(tick))
	}
	m.to = to
}

// end ends the model's present work.
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

// done reports whether the model has published the given tick and has done all demanded steps.
func (m *model) done(tick uint64) bool {
	return m.newest >= tick && m.taken == len(m.queue) && m.due == m.demand
}

// simulate sets a model, for a simulated clock. A nil cost means that steps take no time.
func (p *physics[S, E, C]) simulate(cost func(tick uint64) int64) {
	if cost == nil {
		cost = func(uint64) int64 { return 0 }
	}
	p.model = &model{cost: cost}
	p.link.Demand.SetLimit(0)
}

// post posts a frame. The parameter again is true if the predicted steps must be computed again.
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

// posted returns the number of posted frames.
func (p *physics[S, E, C]) posted() uint64 {
	n := p.link.Demand.Posted()
	if p.model != nil {
		n += uint64(p.model.unposted)
	}
	return n
}

// cost returns the time of the step to a tick, in ns: the time given as measured, or the model's
// time on a simulated clock. The result known is false if the time is not known.
func (p *physics[S, E, C]) cost(tick uint64, measured int64) (ns int64, known bool) {
	if p.model != nil {
		return p.model.cost(tick), true
	}
	return measured, measured > 0
}

// pass advances a simulated clock by ns nanoseconds. It does nothing on the wall clock.
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

// end ends the present work of the model. While the loop runs ahead, it also waits until the
// physics goroutine has done the same work, because the effect of a command depends on how far
// physics has come.
func (p *physics[S, E, C]) end() {
	if p.model.end(); p.model.ahead {
		p.catchUp()
	}
}

// catchUp makes the physics goroutine do all steps that are done in the model, and waits for these
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
		p.link.Await(m.due, 0) // not for a number of frames, because the physics goroutine may carry out several frames together
	} else {
		p.link.Await(m.due, m.frames)
	}
	p.link.AwaitAhead(m.newest)
}

// drain makes physics do all demanded and predicted steps on a simulated clock. No simulated time
// passes, because frame times on a simulated clock do not include waits.
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

// finish waits until physics has done the tick and all frames. It returns the time of the wait in
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

// skip makes the model count all ticks up to the given tick as done, without simulated time.
func (p *physics[S, E, C]) skip(tick uint64) {
	if m := p.model; m != nil {
		p.drain()
		m.due, m.newest, m.demand = tick, tick, tick
		p.link.Demand.SetLimit(tick)
	}
}

// startAhead tells the model that the loop begins to run ahead.
func (p *physics[S, E, C]) startAhead() {
	if p.model != nil {
		p.drain()
		p.model.ahead = true
	}
}

// settle ends running ahead: it posts the frame f, and waits until physics has done this frame.
func (p *physics[S, E, C]) settle(f buffer.Frame) {
	p.skip(f.Demand)
	d := p.link.Demand
	d.Post(f)
	p.link.Await(f.Demand, d.Posted())
	p.restart(f.Demand)
}

// restart sets the model to the given tick, with all posted frames done.
func (p *physics[S, E, C]) restart(tick uint64) {
	if m := p.model; m != nil {
		*m = model{
			cost: m.cost, now: m.now, free: m.now, due: tick, newest: tick, demand: tick,
			frames: p.link.Demand.Posted(), queue: m.queue[:0],
		}
		p.link.Demand.SetLimit(tick)
	}
}

// wait waits for at most budget ns until physics has published the tick and done all frames. It
// returns the time of the wait in ns, and whether physics has done both. On a simulated clock
// physics does the work that can be done in the time budget, but no simulated time passes; see
// drain.
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
