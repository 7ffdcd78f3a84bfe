package netplay

import (
	"math"
	"net/netip"
	"time"
)

// peer has what a match stores about the program at the other end of a line: a guest, or the
// host.
type peer struct {
	addr      netip.AddrPort
	token     token         // the token of all datagrams to the peer and from the peer
	place     int           // the peer's player; 0 for the host
	lastHeard time.Duration // when the peer's newest report came

	seq        uint64             // number of the newest report that was sent to the peer
	sentAt     [256]time.Duration // when each report was sent, by its number modulo 256
	reportedAt time.Duration      // when the last report was sent
	peerSeq    uint64             // number of the peer's newest report
	receivedAt time.Duration      // when that one came
	roundTrip  time.Duration      // smoothed; 0 if it is unknown
	tick       uint64             // the peer's present tick, according to its newest report
	lead       float64            // the number of ticks by which this program is ahead of the peer, smoothed
	measured   time.Duration      // when lead was updated

	known   [maxPlayers]uint64 // by player: the peer has the inputs of all ticks before this one
	ackedAt time.Duration      // when known grew last, or when the peer lacked nothing
	movedAt time.Duration      // when inputs or chunks that were missing last arrived from the peer
	resent  time.Duration      // when inputs were last sent a second time
	extra   bucket             // limits the reports after the first one in each call of report
	first   uint64             // the first tick of which the guest needs inputs
	size    uint64             // size in bytes of the compressed snapshot of the tick before first; or 0
	begins  bool               // first and size are known
	entry   uint64             // 1 + the first tick for which the guest gives inputs; or 0
	ready   bool               // the peer has caught up with the present
	waits   int                // the player for whose input the peer's world waits, or -1
	final   uint64             // 1 + a final tick of the peer's world that must still be compared; or 0
	hash    uint64             // the peer's hash of that tick
	agreed  uint64             // the two programs have equal hashes of all ticks before this one
	hashes  []uint64           // the peer's hashes of the ticks from the field from on, sent because worlds differ
	from    uint64
	out     outgoing
	in      incoming
	allowed bucket      // for datagrams from it
	differ  *difference // set once the peer's world differs

	cost, before time.Duration // the time for which others have waited for the peer, and its value when the peer joined (see patience)
	late         bool          // the world is waiting for the peer's inputs
}

// bucket limits how many times an action happens.
type bucket struct {
	left float64 // the number of actions that are allowed, at the time last
	last time.Duration
}

// take reports whether the action is allowed now. It allows burst actions at once, and
// perSecond actions a second.
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

// again is the time without an answer after which a datagram counts as lost.
func (p *peer) again() time.Duration { return p.roundTrip*3/2 + 50*time.Millisecond }

// take updates the peer and its line from a report. present is this program's tick. If plays is
// false, the guest gives no inputs, and lead does not change.
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
	// Each side sees the other side's tick late, by the latency of the line. So the lead that a
	// side sees is its true lead plus the latency. Half of the difference of the two leads that are
	// seen is the true lead.
	lead := float64(int64(present-p.tick)-int64(r.tick-r.seenTick)) / 2
	lead = min(max(lead, -maxWindow), maxWindow)
	p.lead += (lead - p.lead) * (1 - math.Exp(-(now-p.measured).Seconds()*2))
	p.measured = now
}

// starts lets a guest begin with the inputs of the tick first and with a snapshot of the tick
// before. With first = 0 the guest begins with the world that Setup builds.
func (p *peer) starts(first uint64, snapshot []byte) {
	p.begins, p.first, p.agreed, p.size, p.out = true, first, first, uint64(len(snapshot)), outgoing{data: snapshot}
	for i := range p.known {
		p.known[i] = first
	}
}
