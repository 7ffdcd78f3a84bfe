package netplay

import (
	"math"
	"net/netip"
	"time"
)

// peer is the data of a match about the program at the other end of a line: a guest, or the host.
type peer struct {
	addr      netip.AddrPort
	token     token         // the token of all datagrams to the peer and from the peer
	place     int           // the peer's player; the host's player is 0
	lastHeard time.Duration // the time at which the newest report of the peer came, or at which the guest was admitted

	seq        uint64             // the number of the newest report that was sent to the peer
	sentAt     [256]time.Duration // the times at which reports were sent, by the number of the report modulo 256
	reportedAt time.Duration      // the time at which the last report was sent
	peerSeq    uint64             // the number of the peer's newest report
	receivedAt time.Duration      // the time at which the report peerSeq came
	roundTrip  time.Duration      // the time from a report to its answer, smoothed; 0 if unknown
	tick       uint64             // the peer's present tick, according to its newest report
	lead       float64            // the number of ticks by which this program is ahead of the peer, smoothed
	measured   time.Duration      // the time at which lead was updated

	known   [maxPlayers]uint64 // for each player, the peer has the inputs of all ticks before this tick
	ackedAt time.Duration      // the last time at which known grew or the peer lacked no inputs
	movedAt time.Duration      // the last time at which a report showed that inputs or chunks had arrived at the peer
	resent  time.Duration      // the last time at which inputs were sent again
	extra   bucket             // limits the datagrams after the first datagram in each call of report
	first   uint64             // the first tick for which the guest needs inputs
	size    uint64             // the size of the compressed snapshot with which the guest begins, in bytes; 0 if it begins with the world of Setup
	begins  bool               // true once first and size are known
	entry   uint64             // 1 + the first tick for which the guest gives inputs; 0 if that tick is not known
	ready   bool               // true once the peer has caught up with the present tick
	waits   int                // the player for whose input the peer's world waits, or -1 if it does not wait
	final   uint64             // 1 + a final tick whose hash must still be compared; 0 if there is none
	hash    uint64             // the peer's hash of the tick final - 1
	agreed  uint64             // the two programs have equal hashes of all ticks before this tick
	hashes  []uint64           // the peer's hashes of successive ticks after a difference; the first is that of the tick from
	from    uint64
	out     outgoing
	in      incoming
	allowed bucket      // limits the datagrams that this program accepts from the peer
	differ  *difference // the search for the first difference; nil while the worlds are equal

	cost, before time.Duration // the cost of the peer (see patience), and the cost with which it joined
	late         bool          // true while the world waits for the peer's inputs
}

// bucket limits how often an action happens.
type bucket struct {
	left float64 // the number of actions that were allowed at the time last
	last time.Duration
}

// take reports whether one more action is allowed now. At most burst actions are allowed at once,
// and perSecond actions a second.
func (b *bucket) take(now time.Duration, burst, perSecond float64) bool {
	b.left = min(burst, b.left+(now-b.last).Seconds()*perSecond)
	if b.last == 0 {
		b.left = burst
	}
	if b.last = max(now, 1); b.left < 1 {
		return false
	}
	b.left--
	return true
}

// again returns the time after which a datagram without an answer counts as lost.
func (p *peer) again() time.Duration { return p.roundTrip*3/2 + 50*time.Millisecond }

// take updates the peer from a report of the peer. The parameter present is this program's tick. If
// plays is false, the guest gives no inputs, and lead does not change.
func (p *peer) take(now time.Duration, r *report, present uint64, plays bool) {
	if r.final > 0 && p.final == 0 {
		p.final, p.hash = r.final, r.hash
	}
	p.out.done(r.content, r.base, r.arrived)
	if r.seq <= p.peerSeq {
		return
	}
	p.peerSeq, p.receivedAt, p.tick, p.lastHeard = r.seq, now, r.tick, now
	p.ready, p.waits = p.ready || r.ready == 1, int(r.waits)-1
	if n := p.seq - r.echo; r.echo > 0 && r.echo <= p.seq && n < uint64(len(p.sentAt)) {
		trip := now - p.sentAt[r.echo%uint64(len(p.sentAt))] - time.Duration(r.held)*time.Microsecond
		trip = min(max(trip, 0), 10*time.Second)
		if p.roundTrip == 0 {
			p.roundTrip = max(trip, 1)
		}
		p.roundTrip += (trip - p.roundTrip) / 8
	}
	if !plays {
		return
	}
	// Both programs see each other's tick late, by the latency of the line, so each program sees
	// its true lead plus the latency. The true lead is half of the difference of these two leads.
	lead := float64(int64(present-p.tick)-int64(r.tick-r.seenTick)) / 2
	lead = min(max(lead, -maxWindow), maxWindow)
	p.lead += (lead - p.lead) * (1 - math.Exp(-(now-p.measured).Seconds()*2))
	p.measured = now
}

// starts lets a guest begin at the tick first: with a snapshot of the tick before, or, if first is
// 0, with the world that Setup builds.
func (p *peer) starts(first uint64, snapshot []byte) {
	p.begins, p.first, p.agreed, p.size, p.out = true, first, first, uint64(len(snapshot)), outgoing{data: snapshot}
	for i := range p.known {
		p.known[i] = first
	}
}
