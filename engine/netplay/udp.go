package netplay

import (
	"fmt"
	"net"
	"net/netip"
	"sync"
	"time"
)

// waiting is the greatest number of datagrams that can wait to be received. Further datagrams are
// dropped.
const waiting = 1024

// UDP is a [Line] over a UDP socket. Two goroutines use the socket, so Send and Receive never wait
// for it.
type UDP struct {
	conn    *net.UDPConn
	in, out chan datagram
	ended   chan struct{} // closed by Close
	once    sync.Once
	done    sync.WaitGroup // waits for the two goroutines
}

// ListenUDP opens a socket at an address such as ":7000", for a host, or ":0" for any free port,
// for a guest.
func ListenUDP(address string) (*UDP, error) {
	var conn *net.UDPConn
	at, err := net.ResolveUDPAddr("udp", address)
	if err == nil {
		conn, err = net.ListenUDP("udp", at)
	}
	if err != nil {
		return nil, fmt.Errorf("netplay: %w", err)
	}
	u := &UDP{conn: conn, in: make(chan datagram, waiting), out: make(chan datagram, waiting), ended: make(chan struct{})}
	u.done.Go(u.read)
	u.done.Go(u.write)
	return u, nil
}

// ResolveUDP finds the address of a host such as "example.org:7000". ResolveUDP waits for the
// network.
func ResolveUDP(host string) (netip.AddrPort, error) {
	at, err := net.ResolveUDPAddr("udp", host)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("netplay: %w", err)
	}
	if at.IP == nil { // ":7000"
		at.IP = net.IPv4(127, 0, 0, 1)
	}
	return plain(at.AddrPort()), nil
}

// plain converts an IPv4 address in IPv6 form to IPv4, so that each address has one form.
func plain(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }

// Addr returns the address of the socket.
func (u *UDP) Addr() netip.AddrPort { return plain(u.conn.LocalAddr().(*net.UDPAddr).AddrPort()) }

func (u *UDP) read() {
	larger := make([]byte, MaxPacket+1) // one more byte, to detect packets that are too large
	for {
		n, from, err := u.conn.ReadFromUDPAddrPort(larger)
		select {
		case <-u.ended:
			return
		default:
		}
		if err != nil { // for example because a peer's port is closed
			time.Sleep(time.Millisecond)
			continue
		}
		if n > MaxPacket {
			continue
		}
		select {
		case u.in <- newDatagram(plain(from), larger[:n]):
		default:
		}
	}
}

func (u *UDP) write() {
	send := func(d datagram) { _, _ = u.conn.WriteToUDPAddrPort(d.bytes(), d.at) } // a datagram that cannot be sent is lost
	for {
		select {
		case d := <-u.out:
			send(d)
		case <-u.ended:
			for range len(u.out) {
				send(<-u.out)
			}
			return
		}
	}
}

// Send implements [Line].
func (u *UDP) Send(to netip.AddrPort, b []byte) {
	select {
	case u.out <- newDatagram(to, b):
	default:
	}
}

// Receive implements [Line].
func (u *UDP) Receive(into []byte) (n int, from netip.AddrPort, ok bool) {
	select {
	case d := <-u.in:
		return copy(into, d.bytes()), d.at, true
	default:
		return 0, from, false
	}
}

// Close sends the waiting datagrams, such as the goodbyes of a session, and closes the
// socket.
func (u *UDP) Close() (err error) {
	u.once.Do(func() {
		close(u.ended)
		_ = u.conn.SetReadDeadline(time.Now())
		_ = u.conn.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)) // after this time Close no longer waits for the network
		u.done.Wait()
		err = u.conn.Close()
	})
	return err
}
