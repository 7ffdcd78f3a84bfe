package netplay

import (
	"errors"
	"fmt"
	"net/netip"
	"time"
)

// A player whose inputs are late delays all others: they wait at the end of the window, or
// slow down. The host adds that time to the cost of the player, whatever the reason is, and
// drops the player when the cost is above Options.Timeout. A guest who joins later begins
// with the cost of the guests who have left, because the guest may be one of them with
// another address.
const (
	// Every player is forgiven 1/forgiven of all time, so that nobody is dropped because of a
	// slightly slow clock.
	forgiven = 50
	// A running match admits a guest only if 1/newcomer of Timeout is left for the guest.
	newcomer = 20
	// mostSilent is the number of ticks for which a guest who plays may send no hash and
	// acknowledge no inputs.
	mostSilent = kept / 4
	// mostBarred is the greatest number of barred addresses.
	mostBarred = 256
)

// patience is the part of match about players who delay the match. A guest counts the cost
// of its host.
type patience struct {
	chargedAt time.Duration // when charge was called last
	was       uint64        // the present tick at that time
	lost      time.Duration // time that has passed without ticks and that was not charged yet
	slows     *peer         // the peer because of which this program slows down, or nil
	slowed    float64       // by which fraction
	waited    time.Duration // the time for which the match has waited for guests who have left, minus the time that is forgiven
	barred    []netip.AddrPort
	onDrop    func(*Drop) // Options.OnDrop, or the logger
}

// charge adds the time that was lost since the last call to the cost of the peers that
// blame has marked.
func (m *match) charge(now time.Duration, perSecond float64) {
	d, ran := now-m.chargedAt, m.present-min(m.present, m.was)
	tick := time.Duration(float64(time.Second) / perSecond)
	m.chargedAt, m.was = now, m.present
	slowed := time.Duration(0)
	if m.slows != nil { // blame sets it only if no peer was late
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

// blame marks the peers that cost time until the next call of charge. These are the peers
// for whose inputs the world waits. If there are none, it is the peer because of which this
// program slows down, and fraction is the part of the time that it costs.
func (m *match) blame(slows *peer, fraction float64) {
	m.slows, m.slowed = slows, fraction
	for _, p := range m.peers {
		if p.late = p.entry > 0 && m.tracks[p.place].known+uint64(m.o.Window) <= m.present; p.late {
			m.slows = nil // a world that waits does not slow down
		}
	}
}

// account adds the cost of a guest that leaves to the cost of all guests who have left.
func (m *match) account(p *peer) {
	m.waited = min(m.waited+max(0, p.cost-p.before), m.o.Timeout)
}

// tooLate returns the reason why the host does not wait for a guest any longer, or "".
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
	Player int // its Session.Player
	Addr   netip.AddrPort
	Reason string
	// HeldUp is the time for which the others have waited for the guest, minus the time that
	// was forgiven.
	HeldUp time.Duration
}

func (d *Drop) Error() string {
	return fmt.Sprintf("netplay: player %d (%v) is dropped: %s", d.Player, d.Addr, d.Reason)
}

// expel drops a guest and reports it to Options.OnDrop.
func (m *match) expel(p *peer, why byte, reason string) {
	m.drop(p, why)
	if m.onDrop != nil {
		m.onDrop(&Drop{Player: p.place, Addr: p.addr, Reason: reason, HeldUp: max(0, p.cost-p.before)})
	}
}

// bar keeps an address out of the match from then on.
func (m *match) bar(a netip.AddrPort) {
	m.barred = append(m.barred, a)
	m.barred = m.barred[max(0, len(m.barred)-mostBarred):]
}

// isBarred reports whether no guest may join from an address, because the address is barred or
// two other ports of the same machine are.
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

// Remove removes a guest from the match for ever. The guest may not join again from its
// address, and after two removed guests of one machine no guest may join from that machine.
// Only the host may call Remove. It returns an error if no guest has that number.
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
