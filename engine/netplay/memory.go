package netplay

import (
	"net/netip"
	"sync"
)

// Memory is a network in one process, for tests. The zero Memory is ready to use.
// [Conditions.Worsen] makes its lines as bad as real lines.
type Memory struct {
	mu    sync.Mutex
	lines map[netip.AddrPort]*memoryLine
}

type memoryLine struct {
	of      *Memory // the network to which this line belongs
	at      netip.AddrPort
	pending []datagram // datagrams that were sent to this line and not received yet
}

// Line adds a line with the given address to the network.
func (m *Memory) Line(at netip.AddrPort) Line {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.lines == nil {
		m.lines = map[netip.AddrPort]*memoryLine{}
	}
	l := &memoryLine{of: m, at: at}
	m.lines[at] = l
	return l
}

func (l *memoryLine) Send(to netip.AddrPort, b []byte) {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	if other := l.of.lines[to]; other != nil && len(other.pending) < waiting {
		other.pending = append(other.pending, newDatagram(l.at, b))
	}
}

func (l *memoryLine) Receive(into []byte) (n int, from netip.AddrPort, ok bool) {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	if len(l.pending) == 0 {
		return 0, from, false
	}
	d := &l.pending[0]
	n, from = copy(into, d.bytes()), d.at
	l.pending = l.pending[1:]
	return n, from, true
}
