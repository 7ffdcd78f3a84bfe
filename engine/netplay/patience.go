package netplay

import (
	"errors"
	"fmt"
	"net/netip"
	"time"
)

// While the inputs of a player are late, all other programs wait at the end of the window or slow
// down. The host adds the time that is lost to the cost of that player, and drops the player when
// the cost is above Options.Timeout. A guest who joins begins with the cost of the guests who have
// left, because one of these guests may have joined again from a new address.
const (
	// 1/forgiven of all time is subtracted from the cost of each player, so that a slightly slow
	// clock is no reason to drop a player.
	forgiven = 50
	// A running match admits a guest only if the guest's cost leaves at least 1/newcomer of
	// Timeout.
	newcomer = 20
	// mostSilent is the greatest number of ticks for which a playing guest may send no hash or
	// acknowledge no inputs.
	mostSilent = kept / 4
	// mostBarred is the greatest number of barred addresses.
	mostBarred = 256
)

// patience is the part of match that counts the cost of each peer: in a host the cost of the
// guests, in a guest the cost of the host.
type patience struct {
	chargedAt time.Duration // the time of the last call of charge
	was       uint64        // the present tick at the time chargedAt
	lost      time.Duration // time that has passed without ticks and that no peer was charged for
	slows     *peer         // the peer because of which this program slows down, or nil
	slowed    float64       // the fraction by which slows slows this program down
	waited    time.Duration // the cost of all guests who have left
	barred    []netip.AddrPort
	onDrop    func(*Drop) // Options.OnDrop, or the logger
}

// charge adds the time that was lost since the last call of charge to the cost of the peers that
// blame has marked.
func (m *match) charge(now time.Duration, perSecond float64) {
	d, ran := now-m.chargedAt, m.present-min(m.present, m.was)
	tick := time.Duration(float64(time.Second) / perSecond)
	m.chargedAt, m.was = now, m.present
	slowed := time.Duration(0)
	if m.slows != nil { // not nil only if no peer is late, see blame
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

// blame marks the peers that charge will charge: the peers for whose inputs the world waits, or, if
// the world does not wait, the peer slows, because of which this program runs slower by the given
// fraction.
func (m *match) blame(slows *peer, fraction float64) {
	m.slows, m.slowed = slows, fraction
	for _, p := range m.peers {
		if p.late = p.entry > 0 && m.tracks[p.place].known+uint64(m.o.Window) <= m.present; p.late {
			m.slows = nil // a world that waits does not slow down
		}
	}
}

// account adds the cost of a guest who leaves to m.waited.
func (m *match) account(p *peer) {
	m.waited = min(m.waited+max(0, p.cost-p.before), m.o.Timeout)
}

// tooLate returns the reason for which the host must drop a guest who is too late, or "" if the
// guest is not too late.
func (m *match) tooLate(now time.Duration, p *peer) string {
	switch {
	case now-p.lastHeard > m.o.Timeout:
		return fmt.Sprintf("it has sent no report for %v", m.o.Timeout)
	case p.cost > m.o.Timeout:
		return fmt.Sprintf("the other players have waited for it for %v", (p.cost - p.before).Round(100*time.Millisecond))
	case p.begins && p.entry == 0 && now-p.movedAt > m.o.Timeout:
		return fmt.Sprintf("it has received none of the data it needs to join for %v", m.o.Timeout)
	case p.entry > 0 && m.final > p.agreed+mostSilent:
		return fmt.Sprintf("it has sent no hash for %d ticks", mostSilent)
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

// Drop is a guest that the host has removed from the match, and the reason; see
// Options.OnDrop.
type Drop struct {
	Player int // Session.Player of the guest
	Addr   netip.AddrPort
	Reason string
	// HeldUp is the time for which the other players have waited for the guest, minus the time that
	// Options.Timeout forgives.
	HeldUp time.Duration
}

func (d *Drop) Error() string {
	return fmt.Sprintf("netplay: player %d (%v) is dropped: %s", d.Player, d.Addr, d.Reason)
}

// expel drops a guest and calls Options.OnDrop.
func (m *match) expel(p *peer, why byte, reason string) {
	m.drop(p, why)
	if m.onDrop != nil {
		m.onDrop(&Drop{Player: p.place, Addr: p.addr, Reason: reason, HeldUp: max(0, p.cost-p.before)})
	}
}

// bar makes sure that no guest can join from an address again.
func (m *match) bar(a netip.AddrPort) {
	m.barred = append(m.barred, a)
	m.barred = m.barred[max(0, len(m.barred)-mostBarred):]
}

// isBarred reports whether the address is barred, or two addresses of the same machine are.
func (m *match) isBarred(a netip.AddrPort) bool {
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

// Remove removes the guest with the given player number from the match for ever. No guest can then
// join from that address, and after Remove has removed two guests of one machine, no guest can join
// from that machine. Only the host may call Remove. Remove returns an error if no guest has the
// number.
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
