package netplay

import "net/netip"

// MaxPacket is the size of the largest datagram, in bytes. Nearly all networks carry a datagram of
// this size without fragmentation.
const MaxPacket = 1200

// Line carries datagrams between programs: [UDP] over a network, [Memory] in one process, or a type
// of the program, for example over QUIC or WebRTC. Datagrams may be lost, delayed, doubled or
// reordered. A session calls both methods on the goroutine that draws, so both must return at once.
type Line interface {
	// Send sends a datagram of at most MaxPacket bytes. Send must not keep the slice. A datagram
	// that cannot be sent at once is dropped.
	Send(to netip.AddrPort, datagram []byte)
	// Receive copies the next datagram that has arrived to the slice given as into. The result ok
	// is false if no datagram has arrived. A line without addresses invents an address for each
	// program that it connects to.
	Receive(into []byte) (n int, from netip.AddrPort, ok bool)
}

// datagram is a datagram that was sent and not received yet.
type datagram struct {
	at   netip.AddrPort // the address to which it goes, or from which it comes
	size int
	data [MaxPacket]byte
}

func newDatagram(at netip.AddrPort, b []byte) (d datagram) {
	d.at, d.size = at, copy(d.data[:], b)
	return d
}

func (d *datagram) bytes() []byte { return d.data[:d.size] }
