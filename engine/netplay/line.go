package netplay

import "net/netip"

// MaxPacket is the size of the largest datagram, in bytes. Any network passes it without
// fragmentation.
const MaxPacket = 1200

// Line carries datagrams between programs: [UDP] over a network, [Memory] within a
// process, or your own over QUIC or WebRTC. Datagrams may be lost, late, doubled or
// reordered. A session calls both methods on the goroutine that draws, so they must not
// wait.
type Line interface {
	// Send sends a datagram of at most MaxPacket bytes; the caller reuses its memory
	// afterwards. A datagram that cannot be sent at once is dropped.
	Send(to netip.AddrPort, datagram []byte)
	// Receive takes the next datagram that has come; ok is false if there is none. A
	// line without addresses invents one for each program at its other end.
	Receive(into []byte) (n int, from netip.AddrPort, ok bool)
}

// datagram is a datagram in transit.
type datagram struct {
	at   netip.AddrPort // where it goes to, or comes from
	size int
	data [MaxPacket]byte
}

func newDatagram(at netip.AddrPort, b []byte) (d datagram) {
	d.at, d.size = at, copy(d.data[:], b)
	return d
}

func (d *datagram) bytes() []byte { return d.data[:d.size] }
