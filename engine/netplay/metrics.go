package netplay

import (
	"time"

	"halfstep/internal/latest"
)

// Metrics describe the state of a match.
type Metrics struct {
	Name   string `json:"name"`   // Config.Name of the engine
	Player int    `json:"player"` // see Session.Player

	Tick    uint64 `json:"tick"`    // the present tick
	Final   uint64 `json:"final"`   // all ticks before this tick are final: they do not change any more
	Guessed int    `json:"guessed"` // the number of ticks that ran with a guessed input
	Checked uint64 `json:"checked"` // all ticks before this tick are known to be the same in all programs

	Rollbacks   uint64        `json:"rollbacks"`       // since the beginning
	PerSecond   int           `json:"per_second"`      // number of rollbacks in the last whole second
	Depth       int           `json:"depth"`           // the number of ticks that the last rollback ran again
	Deepest     int           `json:"deepest"`         // the greatest Depth so far
	RolledBack  uint64        `json:"rolled_back"`     // the number of ticks that all rollbacks ran again
	InRollbacks time.Duration `json:"in_rollbacks_ns"` // the time that physics needed for all rollbacks

	Waited  time.Duration `json:"waited_ns"`  // the total time for which the world waited because it was Options.Window ticks ahead of the inputs
	Longest time.Duration `json:"longest_ns"` // the longest time for which the world waited without a break
	Scale   float64       `json:"scale"`      // the engine's time scale; below 1 while this program is too far ahead

	Players [8]PlayerMetrics `json:"players"` // by player

	Sent     uint64 `json:"sent_bytes"`
	Received uint64 `json:"received_bytes"`
	Refused  uint64 `json:"refused"` // number of rejected datagrams: invalid ones, wrong tokens, and more datagrams than allowed
}

// PlayerMetrics are the Metrics of one player. The host has them for every guest. In a guest,
// RoundTrip, Lead and HeldUp are set only for the host, and WaitsFor only for the host and for the
// guest's own player.
type PlayerMetrics struct {
	Here      bool          `json:"here"`          // true if the place has a player at the newest known input
	Known     uint64        `json:"known"`         // the inputs of all ticks before this tick are known
	RoundTrip time.Duration `json:"round_trip_ns"` // the time from sending a datagram to receiving its answer
	Lead      float64       `json:"lead"`          // the number of ticks by which this program is ahead of the player's program
	// HeldUp is the time for which this program has waited for the player, minus the time that
	// Options.Timeout forgives. Above Options.Timeout the player is dropped.
	HeldUp time.Duration `json:"held_up_ns"`
	// WaitsFor is the number of the player for whose input this player's world waits, or -1 if it
	// does not wait.
	WaitsFor int `json:"waits_for"`
}

// figures collects the Metrics of a session.
type figures struct {
	Metrics
	published latest.Value[Metrics]

	second    time.Duration // the time at which the current second began
	rollbacks int           // the number of rollbacks in the current second
	waiting   time.Duration // the time for which the world has been waiting now
}

func (f *figures) rolledBack(ticks int) {
	f.rollbacks++
	f.Rollbacks++
	f.RolledBack += uint64(ticks)
	f.Depth, f.Deepest = ticks, max(f.Deepest, ticks)
}

// count updates the metrics. The parameter d is the time since the last call of count.
func (s *Session) count(d time.Duration) {
	f, m := &s.figures, s.match
	f.Player, f.Scale = m.me, s.scale
	f.Sent, f.Received, f.Refused = m.sent, m.received, m.refused
	f.InRollbacks = time.Duration(s.facts.took.Load())
	if s.now-f.second >= time.Second {
		f.PerSecond, f.rollbacks, f.second = f.rollbacks, 0, s.now
	}
	if s.engine != nil && m.ended == nil {
		s.countPlayers(d)
	}
	f.published.Store(&f.Metrics)
}

// countPlayers updates the metrics of the players in a running match. The parameter d is the time
// since the last call.
func (s *Session) countPlayers(d time.Duration) {
	f, m := &s.figures, s.match
	f.Name, f.Tick, f.Final, f.Checked = s.engine.Name(), m.present, m.final, m.final
	f.Guessed = int(m.present - min(m.confirmed(), m.present))
	for i := range m.tracks {
		t := &m.tracks[i]
		f.Players[i] = PlayerMetrics{Known: t.known, Here: t.known > t.first && t.at(t.known - 1)[0] == 1, WaitsFor: -1}
	}
	for _, o := range m.peers {
		if o.entry > 0 {
			f.Checked = min(f.Checked, o.agreed)
		}
		p := &f.Players[o.place]
		p.RoundTrip, p.Lead, p.WaitsFor, p.HeldUp = o.roundTrip, o.lead, o.waits, o.cost
	}
	waits := m.waitsFor()
	f.Players[m.me].WaitsFor = waits
	if waits < 0 {
		f.waiting = 0
		return
	}
	f.Waited += d
	f.waiting += d
	f.Longest = max(f.Longest, f.waiting)
}

// Metrics returns the metrics of the last Update. Any goroutine may call Metrics.
func (s *Session) Metrics() Metrics { return s.figures.published.Load() }
