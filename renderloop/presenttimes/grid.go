package presenttimes

import (
	"time"

	"halfstep/renderloop/present"
)

// grid is a Source for window systems that report refreshes, but not which of them
// shows a frame. grid infers that. It assumes that the compositor draws once in
// each refresh: it chooses the newest frame at one refresh and shows it at the
// next.
type grid struct {
	answers
	name string
	// refresh returns the time of a refresh, and the time between two refreshes.
	refresh func() (at time.Time, period time.Duration, ok bool)
	now     func() time.Time

	swaps    [64]gridSwap
	first, n int // index of the oldest swap, and number of swaps
}

type gridSwap struct {
	frame   uint64
	swapped time.Time
	at      time.Time // when the swap has returned; zero before that
}

func (g *grid) swap(i int) *gridSwap { return &g.swaps[(g.first+i)%len(g.swaps)] }

func (g *grid) Swapping(frame uint64) {
	g.asked.Add(1)
	now := g.now()
	g.returned(now)
	if g.n == len(g.swaps) {
		g.pop() // nobody calls Next
	}
	*g.swap(g.n) = gridSwap{frame: frame, swapped: now}
	g.n++
}

// returned records the time at which the last swap has returned.
func (g *grid) returned(now time.Time) {
	if g.n > 0 {
		if s := g.swap(g.n - 1); s.at.IsZero() {
			s.at = now
		}
	}
}

func (g *grid) pop() {
	g.first = (g.first + 1) % len(g.swaps)
	g.n--
}

// Next must be called right after the swap, because it uses the time of the call as
// the time at which the swap has returned.
func (g *grid) Next(t *Time) bool {
	now := g.now()
	g.returned(now)
	if g.n == 0 {
		return false
	}
	at, period, ok := g.refresh()
	if !ok || period <= 0 {
		return false
	}
	s := g.swap(0)
	taken := at.Add(s.at.Sub(at).Truncate(period))
	if taken.Before(s.at) {
		taken = taken.Add(period)
	}
	*t = Time{Frame: s.frame, Swapped: s.swapped, Refresh: period, Quality: present.Grid}
	switch {
	case g.n > 1 && !g.swap(1).at.After(taken): // replaced before it was shown: Seen stays zero
	case now.Before(taken):
		return false // another frame may still replace this one
	default:
		t.Seen = taken.Add(period)
	}
	g.pop()
	g.count(*t)
	return true
}

func (g *grid) State() string { return g.state(g.name) }

func (g *grid) Close() {}
