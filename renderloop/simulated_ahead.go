package renderloop

import (
	"math"
	"slices"

	"halfstep/buffer"
)

// aheadModel is the timing of physics on a simulated clock while the loop runs ahead.
// Physics is given its frames when it has done them on that clock, and may step as far
// as it has come there. A frame with commands costs as many steps as have to be
// computed again; frames that come while physics is at work are taken together.
type aheadModel struct {
	free   int64  // when physics was or will be free, ns
	due    uint64 // the last due tick that is done
	newest uint64 // published
	demand uint64 // of the frames taken
	target uint64 // Ahead of the frames taken
	since  int64  // when target was taken, ns

	queue []aheadFrame
	done  []aheadFrame // by the last work
	busy  bool
	taken int    // of queue, by the work in hand
	to    uint64 // the newest tick after the work in hand
}

type aheadFrame struct {
	buffer.Frame
	at    int64 // ns
	again bool  // it has the steps ahead computed again
}

// begin begins the next work of physics, if there is any before a time.
func (m *aheadModel) begin(until int64, cost func(tick uint64) int64) bool {
	steps := func(from, to uint64) (ns int64) {
		for tick := from + 1; tick <= to; tick++ {
			ns += max(0, cost(tick))
		}
		return ns
	}
	m.taken, m.to = 0, m.newest
	switch {
	case m.due < m.demand: // the rest of what was demanded, tick by tick
		m.to = m.newest + 1
		m.free += steps(m.newest, m.to)
	case len(m.queue) > 0 && max(m.free, m.queue[0].at) <= until:
		m.free = max(m.free, m.queue[0].at)
		again, needs, demand := false, uint64(0), uint64(0)
		for m.taken < len(m.queue) && m.queue[m.taken].at <= m.free {
			f := &m.queue[m.taken]
			again, needs, demand = again || f.again, f.Needs, f.Demand
			m.taken++
		}
		if again {
			m.to = min(m.newest, max(needs, demand+1))
			m.free += steps(m.due, m.to)
		}
	case m.newest < m.target && max(m.free, m.since) <= until:
		m.free = max(m.free, m.since)
		m.to = m.newest + 1
		m.free += steps(m.newest, m.to)
	default:
		return false
	}
	m.busy = true
	return true
}

// end ends the work in hand and returns the frames that it has taken.
func (m *aheadModel) end() []aheadFrame {
	m.busy = false
	m.done = append(m.done[:0], m.queue[:m.taken]...)
	m.queue = slices.Delete(m.queue, 0, m.taken)
	if n := len(m.done); n > 0 {
		m.demand, m.target, m.since = m.done[n-1].Demand, m.done[n-1].Ahead, m.free
	}
	m.newest = m.to
	m.due = max(m.due, min(m.demand, m.newest))
	return m.done
}

// runModel has physics do what it has done by a time.
func (l *Loop[S, E, C]) runModel(until int64) {
	m := &l.model
	for {
		if !m.busy && !m.begin(until, l.simulated.cost) || m.free > until {
			return
		}
		l.did(m.end())
	}
}

// did has physics do what it has done on the simulated clock.
func (l *Loop[S, E, C]) did(taken []aheadFrame) {
	m, d := &l.model, l.link.Demand
	d.SetLimit(m.newest)
	for i := range taken {
		d.Post(taken[i].Frame)
	}
	if m.due < m.demand {
		l.link.Await(m.due, 0)
	} else {
		l.link.Await(m.due, d.Posted())
	}
	l.link.AwaitAhead(m.newest)
}

// waitModel has physics do this frame and publish a tick, if that is done within so many
// nanoseconds. That time does not pass, see simulatedPhysics.wait.
func (l *Loop[S, E, C]) waitModel(tick uint64, most int64) (ns int64, done bool) {
	m, now := &l.model, l.simulated.now
	for {
		if len(m.queue) == 0 && m.newest >= tick && m.due == m.demand && !(m.busy && m.taken > 0) {
			break
		}
		if !m.busy && !m.begin(now+most, l.simulated.cost) || m.free > now+most {
			return most, false
		}
		ns = max(ns, m.free-now)
		l.did(m.end())
	}
	if !m.busy {
		m.free = min(m.free, now)
		m.since = min(m.since, now)
	}
	return ns, true
}

// finishModel has physics do all that is left.
func (l *Loop[S, E, C]) finishModel() {
	m := &l.model
	for m.busy || len(m.queue) > 0 || m.due < m.demand {
		if !m.busy {
			m.begin(math.MaxInt64, l.simulated.cost)
		}
		l.did(m.end())
	}
}
