package netplay

import (
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"halfstep/test/attack"
)

var hostAt, guestAt = netip.MustParseAddrPort("127.0.0.1:1"), netip.MustParseAddrPort("127.0.0.1:2")

// pair is a host and a guest during a match, without engines.
type pair struct {
	now         time.Duration
	host, guest *match
	sent        [][]byte // by receiver: what was sent to the host, and to the guest
}

func newPair(tb testing.TB) *pair {
	tb.Helper()
	o := &Options{Match: "x", Players: 3, WaitFor: 2, InputSize: 2, Apply: apply}
	if err := o.validate(); err != nil {
		tb.Fatal(err)
	}
	p := &pair{host: newMatch(o, token{1}, true), guest: newMatch(o, token{1}, false)}
	p.guest.peers = []*peer{{addr: hostAt}}
	p.host.send = func(to netip.AddrPort, b []byte) { p.take(p.guest, to, hostAt, guestAt, b) }
	p.guest.send = func(to netip.AddrPort, b []byte) { p.take(p.host, to, guestAt, hostAt, b) }
	for range 200 {
		p.turn()
	}
	if !p.host.begun || p.host.confirmed() < 50 || p.guest.confirmed() < 50 {
		tb.Fatalf("the host knows all inputs before tick %d, the guest before %d", p.host.confirmed(), p.guest.confirmed())
	}
	return p
}

func (p *pair) take(m *match, to, from, its netip.AddrPort, b []byte) {
	if to == its {
		p.sent = append(p.sent, append([]byte(nil), b...))
		m.receive(p.now, from, b)
	}
}

func (p *pair) turn() {
	p.now += 16 * time.Millisecond
	if p.guest.tracks != nil {
		p.guest.ready = true
		p.guest.advance(p.now, []byte{1, 2}, 60)
		if p.guest.confirmed()+16 > p.guest.present {
			p.guest.present++
		}
		p.guest.final = min(p.guest.present, p.guest.settled())
	}
	p.host.advance(p.now, []byte{3, 4}, 60)
	if p.host.begun && p.host.confirmed()+16 > p.host.present {
		p.host.present++
	}
	p.host.final = min(p.host.present, p.host.settled())
	p.host.sending(p.now)
	p.guest.sending(p.now)
	p.sent = p.sent[max(0, len(p.sent)-16):]
}

// bounded fails the test if a match uses too much memory.
func (p *pair) bounded(tb testing.TB) {
	tb.Helper()
	for _, m := range []*match{p.host, p.guest} {
		for i := range m.tracks {
			t := &m.tracks[i]
			if m.host && t.known > m.present+mostAhead+100 || t.known > m.present+kept || len(t.data) != kept*t.size {
				tb.Fatalf("at tick %d the inputs of player %d are known before tick %d, in %d bytes", m.present, i, t.known, len(t.data))
			}
		}
		for _, o := range m.peers {
			if len(m.peers) > 2 || len(o.in.data) > mostSnapshot || len(o.hashes) > mostHashes {
				tb.Fatalf("%d peers, %d bytes, %d hashes", len(m.peers), len(o.in.data), len(o.hashes))
			}
		}
	}
}

// hostile sends the data of a fuzzer, both without a token and behind a valid token.
func (p *pair) hostile(data []byte) {
	if len(data) == 0 {
		return
	}
	from := netip.AddrPortFrom(guestAt.Addr(), uint16(2+data[0]>>6))
	b := append([]byte(nil), data[1:]...)
	m, other := p.host, p.guest
	if data[0]&1 != 0 {
		m, other, from = p.guest, p.host, hostAt
	}
	if data[0]&2 != 0 && len(other.peers) > 0 && len(b) >= len(token{}) {
		t := other.peers[0].token
		copy(b, t[:])
	}
	m.receive(p.now, from, b)
}

func FuzzDatagrams(f *testing.F) {
	p := newPair(f)
	for _, b := range p.sent {
		for _, how := range []byte{0, 1, 2, 3, 64} {
			f.Add(append([]byte{how}, b...))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p := newPair(t)
		for len(data) > 0 { // several datagrams, with their sizes before them
			n := min(len(data), 1+int(data[0])*8)
			p.hostile(data[:n])
			data = data[n:]
		}
		for range 3 {
			p.turn()
		}
		p.bounded(t)
	})
}

// mutate changes some of a datagram.
func mutate(r *rand.Rand, b []byte) []byte {
	b = append([]byte(nil), b...)
	for range 1 + r.IntN(4) {
		if len(b) == 0 {
			break
		}
		switch i := r.IntN(len(b)); r.IntN(5) {
		case 0:
			b[i] ^= 1 << r.IntN(8)
		case 1:
			b[i] = byte(r.Uint32())
		case 2: // the largest possible number
			b = append(b[:i], append(binary.AppendUvarint(nil, r.Uint64()>>r.IntN(64)), b[i:]...)...)
		case 3:
			b = b[:i]
		case 4:
			b = append(b, make([]byte, r.IntN(1300))...)
		}
	}
	return b
}

// A match of two players continues with one hash during a flood. There are random and
// mutated datagrams, without a token or with an old token, from the addresses of the
// players. An invited third player also sends nonsense with a valid token.
func TestAttackMatches(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		g := newRig(t, r.Uint64())
		g.line = Conditions{Delay: time.Duration(r.IntN(80)) * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: .05}
		g.options.Players, g.options.WaitFor, g.options.OnDesync = 4, 2, func(*Desync) {}
		host, guest := g.add(60), g.add(60)
		g.run(time.Second)
		bad := g.add(60)
		g.run(2 * time.Second)
		strangers := make([]*memoryLine, 30)
		for i := range strangers {
			strangers[i] = &memoryLine{of: &g.network, at: netip.AddrPortFrom(host.at.Addr(), uint16(1+i))}
		}
		var heard [][]byte
		send := bad.match.send
		bad.match.send = func(to netip.AddrPort, b []byte) {
			if heard = append(heard, append([]byte(nil), b...)); len(heard) > 50 {
				heard = heard[1:]
			}
			if r.IntN(3) == 0 {
				send(to, b)
			}
		}
		before := host.Metrics()
		for range 60 {
			g.run(16 * time.Millisecond)
			for range r.IntN(300) {
				to, b := []*program{host, guest}[r.IntN(2)], []byte(nil)
				if len(heard) > 0 && r.IntN(4) > 0 {
					b = mutate(r, heard[r.IntN(len(heard))])
				} else {
					b = make([]byte, r.IntN(MaxPacket))
					for i := range b {
						b[i] = byte(r.Uint32())
					}
				}
				if len(b) > headLen && r.IntN(3) == 0 { // not a stranger
					copy(b, bad.match.peers[0].token[:])
					send(host.at, b[:min(len(b), MaxPacket)])
				} else {
					strangers[r.IntN(len(strangers))].Send(to.at, b[:min(len(b), MaxPacket)])
				}
				a.Count("datagrams", 1)
			}
		}
		g.leave(bad)
		g.run(5 * time.Second)
		bad.err = nil
		bad.hashes = nil // the hashes of the bad player do not matter
		g.check()
		f := host.Metrics()
		if f.Tick < before.Tick+100 || f.Checked+60 < f.Tick {
			t.Errorf("seed %d: the match goes from tick %d to %d, and is compared up to %d", g.seed, before.Tick, f.Tick, f.Checked)
		}
		g.close()
		if t.Failed() {
			return
		}
	}
}

// Every datagram of a stranger is refused. It has no token, or the token of another
// address, or comes from an address that is not that of its token.
func TestADatagramWithoutTheRightTokenChangesNothing(t *testing.T) {
	p := newPair(t)
	third := netip.MustParseAddrPort("127.0.0.1:3")
	for _, b := range append([][]byte(nil), p.sent...) {
		for _, m := range []*match{p.host, p.guest} {
			for _, from := range []netip.AddrPort{hostAt, guestAt, third} {
				flipped := append([]byte(nil), b...)
				flipped[len(token{})/2]++
				before, peers, heard := m.refused, len(m.peers), m.peers[0].lastHeard
				m.receive(p.now+time.Second, from, flipped)
				if from == third {
					m.receive(p.now+time.Second, from, b)
					before++
				}
				if m.refused != before+1 || len(m.peers) != peers || m.peers[0].lastHeard != heard {
					t.Errorf("host %v takes one of kind %d from %v", m.host, b[headLen-1], from)
				}
			}
		}
	}
}

// A guest claims that it has given inputs for the far future, or that it has inputs
// that it never got. Both claims are ignored.
func TestInputsForAbsurdTicksAreRefused(t *testing.T) {
	for name, lie := range map[string]func(p *pair, g *peer) []byte{
		"far inputs": func(p *pair, g *peer) []byte {
			far := newTracks(1, 2, p.host.tracks[g.place].known)[0]
			far.addAbsent(far.first + mostAhead + 100)
			b := appendReport(p.guest.head(g.token, kindReport), &report{seq: 1 << 30, tick: p.host.present}, 3)
			b, _ = appendTrack(b, g.place, &far, far.first, far.known, 500)
			return b
		},
		"inputs known that are not": func(p *pair, g *peer) []byte {
			r := report{seq: 1 << 30}
			r.known[0] = p.host.tracks[0].known + 1
			return appendReport(p.guest.head(g.token, kindReport), &r, 3)
		},
		"a number too large": func(p *pair, g *peer) []byte {
			return appendReport(p.guest.head(g.token, kindReport), &report{seq: 1 << 60}, 3)
		},
	} {
		p := newPair(t)
		g := p.host.peers[0]
		refused, known := p.host.refused, p.host.tracks[g.place].known
		p.host.receive(p.now, guestAt, append([]byte(nil), lie(p, g)...))
		if p.host.refused != refused+1 || g.peerSeq >= 1<<30 {
			t.Errorf("%s: taken", name)
		}
		if p.host.tracks[g.place].known > known+mostAhead {
			t.Errorf("%s: inputs before tick %d are known", name, p.host.tracks[g.place].known)
		}
		for range 100 {
			p.turn()
		}
		if name != "far inputs" && p.host.confirmed() < known+50 {
			t.Errorf("%s: the match stays at tick %d", name, p.host.confirmed())
		}
	}
}
