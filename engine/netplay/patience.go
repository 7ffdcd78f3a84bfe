package netplay

import (
	"errors"
	"fmt"
	"net/netip"
	"time"
)

// A player whose inputs are late holds up all others: they wait at the end of the window,
// or slow down because it is behind. The host books that time to the player as its cost,
// whatever the reason, and drops it when the sum is above Options.Timeout. A guest who joins
// later begins with the cost of those who have gone, because it may be one of them with
// another address.
const (
	// A player is forgiven 1/forgiven of all time: a clock that is slow by less costs
	// nobody his place.
	forgiven = 50
	// A running match admits a guest only while 1/newcomer of Timeout would be left to it.
	newcomer = 20
	// mostSilent is for how many ticks a guest who plays may tell no hash and acknowledge
	// no inputs.
	mostSilent = kept / 4
	// mostBarred is how many addresses are remembered.
	mostBarred = 256
)

// patience is the part of match that deals with players who hold it up. A guest keeps the cost
// of its host.
type patience struct {
	chargedAt time.Duration // the last call of charge
	was       uint64        // the present tick at chargedAt
	lost      time.Duration // time that passed without ticks and was charged to nobody yet
	slows     *peer         // the peer for which this program runs slower, or nil
	slowed    float64       // by which fraction
	waited    time.Duration // for how long those who have gone were waited for, less what is forgiven
	barred    []netip.AddrPort
	tell      func(*Drop) // Options.OnDrop, or the logger
}

// charge books the time lost since the last call to the peers that blame has noted.
func (m *match) charge(now time.Duration, perSecond float64) {
	d, ran := now-m.chargedAt, m.present-min(m.present, m.was)
	tick := time.Duration(float64(time.Second) / perSecond)
	m.chargedAt, m.was = now, m.present
	slowed := time.Duration(0)
	if m.slows != nil { // blame sets it only if nobody was late
		slowed = time.Duration(float64(d) * m.slowed)
		if m.host {
			m.slows.cost += slowed
		}
	}
	m.lost = max(m.lost+d-slowed-time.Duration(ran)*tick, -tick)
	lost := max(0, m.lost-tick*3/2) // a frame may be longer or shorter than a tick
	m.lost -= lost
	back := d / forgiven
	for _, p := range m.peers {
		if p.late {
			p.cost += lost
		}
		p.cost = max(0, p.cost-back)
	}
	m.waited = max(0, m.waited-back)
	if !m.host && m.peers[0].cost > m.o.Timeout {
		m.end(fmt.Errorf("netplay: %w: the host has given no inputs for %v", ErrEnded, m.o.Timeout))
	}
}

// blame notes which peers cost time until the next call of charge: those for whose inputs
// the world waits, or else the one for which it runs slower, by a fraction.
func (m *match) blame(slows *peer, fraction float64) {
	m.slows, m.slowed = slows, fraction
	for _, p := range m.peers {
		if p.late = p.entry > 0 && m.tracks[p.place].known+uint64(m.o.Window) <= m.present; p.late {
			m.slows = nil // a world that waits is not slow
		}
	}
}

// account adds the cost of a guest that goes to that of those who have gone.
func (m *match) account(p *peer) {
	m.waited = min(m.waited+max(0, p.cost-p.before), m.o.Timeout)
}

// tooLate is why the host does not wait for a guest any longer, or empty.
func (m *match) tooLate(now time.Duration, p *peer) string {
	switch {
	case now-p.heard > m.o.Timeout:
		return fmt.Sprintf("nothing was heard of it for %v", m.o.Timeout)
	case p.cost > m.o.Timeout:
		return fmt.Sprintf("the others have waited for it for %v", (p.cost - p.before).Round(100*time.Millisecond))
	case p.begins && p.entry == 0 && now-p.movedAt > m.o.Timeout:
		return fmt.Sprintf("it has taken nothing of what it needs to join for %v", m.o.Timeout)
	case p.entry > 0 && m.final > p.agreed+mostSilent:
		return fmt.Sprintf("it has told no hash for %d ticks", mostSilent)
	}
	most := uint64(kept)
	if p.entry > 0 {
		most = mostSilent
	}
	for i := range m.tracks {
		if p.begins && p.known[i]+most < m.tracks[i].known {
			return fmt.Sprintf("it is more than %d ticks behind", most)
		}
	}
	return ""
}

// Drop says that the host has taken a guest out of the match, and why; see
// Options.OnDrop.
type Drop struct {
	Player int // its Session.Player
	Addr   netip.AddrPort
	Reason string
	// HeldUp is for how long the others have waited for it, less what was forgiven.
	HeldUp time.Duration
}

func (d *Drop) Error() string {
	return fmt.Sprintf("netplay: player %d (%v) is dropped: %s", d.Player, d.Addr, d.Reason)
}

// expel drops a guest and reports it to Options.OnDrop.
func (m *match) expel(p *peer, why byte, reason string) {
	m.drop(p, why)
	if m.tell != nil {
		m.tell(&Drop{Player: p.place, Addr: p.addr, Reason: reason, HeldUp: max(0, p.cost-p.before)})
	}
}

// bar keeps an address out of the match from now on.
func (m *match) bar(a netip.AddrPort) {
	m.barred = append(m.barred, a)
	m.barred = m.barred[max(0, len(m.barred)-mostBarred):]
}

// bars reports whether nobody may join from an address: it is barred itself, or two other
// ports of the same machine are.
func (m *match) bars(a netip.AddrPort) bool {
	machine := 0
	for _, b := range m.barred {
		if b == a {
			return true
		}
		if b.Addr() == a.Addr() {
			machine++
		}
	}
	return machine > 1
}

// Remove takes a guest out of the match for good: it may not join again from its address,
// and after two such guests nobody may from their machine. It is for the host, and
// fails where no guest has that number.
func (s *Session) Remove(player int) error {
	m := s.match
	if !m.host {
		return errors.New("netplay: only the host removes players")
	}
	p := m.guest(player)
	if p == nil {
		return fmt.Errorf("netplay: no guest is player %d", player)
	}
	m.bar(p.addr)
	m.expel(p, removed, "the host has removed it")
	return nil
}
