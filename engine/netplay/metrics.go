package netplay

import "time"

// Metrics say how a match goes, for people.
type Metrics struct {
	Tick    uint64 // the present one
	Final   uint64 // ticks before it change no more
	Guessed int    // ticks that ran with a guess of somebody's input
	Checked uint64 // ticks before it are the same everywhere

	Rollbacks   uint64        // since the beginning
	PerSecond   int           // rollbacks in the last second
	Depth       int           // ticks that the last one went back
	Deepest     int           // that any has
	RolledBack  uint64        // ticks that ran again
	InRollbacks time.Duration // physics' time for them

	// WaitsFor is the player for whose input the world waits at the end of the
	// window, or -1. Waited is how long it has, in all; Longest is the longest time
	// without a tick.
	WaitsFor        int
	Waited, Longest time.Duration
	Scale           float64 // of time: below 1 another program catches up

	Players []PlayerMetrics // by player

	Sent, Received uint64 // bytes
	Refused        uint64 // datagrams that made no sense, had a wrong token or came too fast
}

// PlayerMetrics are those of a player. RoundTrip and Lead are known of the host, and to
// the host of all.
type PlayerMetrics struct {
	Here      bool          // somebody plays there, as of the newest known input
	Known     uint64        // inputs before this tick are known
	RoundTrip time.Duration // of a datagram
	Lead      float64       // by how many ticks this program is ahead
}

// recent counts the rollbacks of the last second.
type recent struct {
	at      [128]time.Duration
	n       int
	waiting time.Duration
}

func (r *recent) rolledBack(now time.Duration, ticks int, f *Metrics) {
	r.at[r.n%len(r.at)] = now
	r.n++
	f.Rollbacks++
	f.RolledBack += uint64(ticks)
	f.Depth, f.Deepest = ticks, max(f.Deepest, ticks)
}

// count brings the metrics up to date; d has passed.
func (s *Session) count(d time.Duration) {
	f, m := &s.metrics, s.match
	f.Sent, f.Received, f.Refused = m.sent, m.received, m.refused
	f.WaitsFor, f.Scale = -1, s.scale
	f.InRollbacks = time.Duration(s.facts.took.Load())
	if m.tracks == nil || s.engine == nil {
		return
	}
	confirmed := m.confirmed()
	f.Tick, f.Final, f.Checked = m.present, m.final, m.final
	f.Guessed = int(m.present - min(confirmed, m.present))
	f.PerSecond = 0
	for _, at := range s.recent.at[:min(s.recent.n, len(s.recent.at))] {
		if s.now-at < time.Second {
			f.PerSecond++
		}
	}
	if m.present > 0 && m.present >= confirmed+uint64(s.o.Window) {
		for i := range m.tracks {
			if m.tracks[i].known == confirmed {
				f.WaitsFor = i
			}
		}
		f.Waited += d
		s.recent.waiting += d
		f.Longest = max(f.Longest, s.recent.waiting)
	} else {
		s.recent.waiting = 0
	}
	f.Players = f.Players[:0]
	for i := range m.tracks {
		t, p := &m.tracks[i], PlayerMetrics{}
		p.Known, p.Here = t.known, t.known > t.first && t.at(t.known - 1)[0] == 1
		for _, o := range m.peers {
			if o.entry > 0 {
				f.Checked = min(f.Checked, o.agreed)
			}
			if o.place == i && i != m.me {
				p.RoundTrip, p.Lead = o.roundTrip, o.lead
			}
		}
		f.Players = append(f.Players, p)
	}
}

// Metrics returns how the match goes, as of the last Update. The list of players is valid
// until the next one.
func (s *Session) Metrics() Metrics { return s.metrics }
