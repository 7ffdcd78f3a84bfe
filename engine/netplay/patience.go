package netplay

import (
	"errors"
	"fmt"
	"net/netip"
	"time"
)

// A player whose inputs are late holds up all others: they wait at the end of the window,
// or slow down because it is behind. The host books that time to the player, whatever the
// reason, and drops it when the sum is above Options.Timeout. Who joins later begins with
// what those who have gone have cost, because it may be one of them with another address.
const (
	// forgiven is the part of all time that is taken off what a player has cost, as one
	// in so many: a clock that is slow by less costs nobody his place.
	forgiven = 50
	// newcomer is the part of Timeout, as one in so many, that must be left for whoever
	// joins a match that runs.
	newcomer = 20
	// mostSilent is for how many ticks a guest who plays may tell no hash and acknowledge
	// no inputs.
	mostSilent = kept / 4
	// mostBarred is how many addresses are remembered.
	mostBarred = 256
)

// patience is how a match deals with players who hold it up. A guest has an account of
// its host.
type patience struct {
	chargedAt time.Duration
	was       uint64        // the present tick at chargedAt
	lost      time.Duration // by how much time is ahead of the ticks, as far as nobody was charged with it
	slows     *peer         // for whom this program runs slower, or nil,
	slowed    float64       // by this part
	gone      time.Duration // the cost of the players who have gone
	barred    []netip.AddrPort
	tell      func(*Drop)
}

// charge books the time that has been lost since the last call to those who were to blame.
func (m *match) charge(now time.Duration, second float64) {
	d, ran := now-m.chargedAt, m.present-min(m.present, m.was)
	tick := time.Duration(float64(time.Second) / second)
	m.chargedAt, m.was = now, m.present
	slowed := time.Duration(0)
	if m.slows != nil { // and nobody was late
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
	m.gone = max(0, m.gone-back)
	if !m.host && m.peers[0].cost > m.o.Timeout {
		m.end(fmt.Errorf("netplay: %w: the host has given no inputs for %v", ErrEnded, m.o.Timeout))
	}
}

// blame notes for whom time is lost until the next call of charge: those for whose inputs
// the world waits, or the one for whom it is slowed down by a part.
func (m *match) blame(slows *peer, part float64) {
	m.slows, m.slowed = slows, part
	for _, p := range m.peers {
		if p.late = p.entry > 0 && m.tracks[p.place].known+uint64(m.o.Window) <= m.present; p.late {
			m.slows = nil // a world that waits is not slow
		}
	}
}

// account adds what a guest has cost, which goes now, to the cost of those who have gone.
func (m *match) account(p *peer) {
	m.gone = min(m.gone+max(0, p.cost-p.before), m.o.Timeout)
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
	Player int
	Addr   netip.AddrPort
	Reason string
	// HeldUp is for how long the others have waited for it, as far as that is not
	// forgiven.
	HeldUp time.Duration
}

func (d *Drop) Error() string {
	return fmt.Sprintf("netplay: player %d (%v) is dropped: %s", d.Player+1, d.Addr, d.Reason)
}

// expel drops a guest and tells whom.
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

// bars reports whether nobody may join from an address: because of it, or because of two
// other ports of the same machine.
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
		return fmt.Errorf("netplay: no guest is player %d", player+1)
	}
	m.bar(p.addr)
	m.expel(p, removed, "the host has removed it")
	return nil
}
