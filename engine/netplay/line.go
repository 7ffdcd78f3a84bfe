package netplay

import "net/netip"

// MaxPacket is the size of the largest datagram, in bytes. All networks carry a datagram
// of this size without fragmentation.
const MaxPacket = 1200

// Line carries datagrams between programs: [UDP] over a network, [Memory] in one
// process, or a type of your own over QUIC or WebRTC. Datagrams may be lost, late,
// doubled or reordered. A session calls both methods on the goroutine that draws, so
// they must not wait.
type Line interface {
	// Send sends a datagram of at most MaxPacket bytes. After the call, the caller may use
	// the memory of the datagram again. A datagram that cannot be sent at once is dropped.
	Send(to netip.AddrPort, datagram []byte)
	// Receive copies the next datagram that has arrived to the slice into. ok is false if
	// there is none. A line without addresses invents an address for each program at its
	// other end.
	Receive(into []byte) (n int, from netip.AddrPort, ok bool)
}

// datagram is a datagram on its way.
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
