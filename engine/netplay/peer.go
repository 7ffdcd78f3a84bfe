package netplay

import (
	"math"
	"net/netip"
	"time"
)

// peer is the program at the other end of a line.
type peer struct {
	addr  netip.AddrPort
	token token
	place int           // player: of a guest, or 0 for the host
	heard time.Duration // the last new report

	seq        uint64             // number of the newest datagram sent
	sentAt     [256]time.Duration // by number
	reportedAt time.Duration      // the last time that one was sent
	theirs     uint64             // number of the newest that has come
	cameAt     time.Duration
	roundTrip  time.Duration // smoothed; 0 is not known
	tick       uint64        // its present one, as of then
	lead       float64       // by how many ticks this program is ahead of it, smoothed
	measured   time.Duration // when

	known   [maxPlayers]uint64 // ticks of inputs that it has
	ackedAt time.Duration      // when it said so of more of them, or had all
	movedAt time.Duration      // when anything that it lacked had come
	resent  time.Duration      // when it was sent inputs last
	extra   bucket             // datagrams that one is not enough for
	first   uint64             // tick of which a guest needs inputs
	size    uint64             // bytes of the snapshot before that tick, or 0
	begins  bool               // the beginning is known
	entry   uint64             // first tick that a guest gives inputs for, and 1; or 0
	ready   bool               // the peer has reached the present
	waits   int                // the player whose input it waits for, or -1
	final   uint64             // a final tick of its, and 1, that is to be compared; or 0
	hash    uint64
	agreed  uint64   // ticks before it are the same, as far as is known
	hashes  []uint64 // sent by it because they differ,
	from    uint64   // from this tick on
	out     outgoing
	in      incoming
	allowed bucket
	differ  *difference // or nil

	cost, before time.Duration // for how long others have waited for it, and what that began with when it came
	late         bool          // the world waits for its inputs
}

// bucket limits how often something is done.
type bucket struct {
	left float64
	last time.Duration
}

// take reports whether it may be done now: so many times at once, and so many a second.
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

// again is the time after which something that was not answered is lost.
func (p *peer) again() time.Duration { return p.roundTrip*3/2 + 50*time.Millisecond }

// take takes what a report says of the line and of the peer itself. present is this
// program's tick, and plays says that the peer gives inputs, so it matters which is ahead.
func (p *peer) take(now time.Duration, r *report, present uint64, plays bool) {
	if r.final > 0 && p.final == 0 {
		p.final, p.hash = r.final, r.hash
	}
	p.out.done(r.what, r.base, r.come)
	if r.seq <= p.theirs {
		return
	}
	p.theirs, p.cameAt, p.tick, p.heard = r.seq, now, r.tick, now
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
	// Both sides see the other one late by the way between them. What is left of the
	// difference is how far one is ahead.
	lead := float64(int64(present-p.tick)-int64(r.tick-r.saw)) / 2
	lead = min(max(lead, -maxWindow), maxWindow)
	p.lead += (lead - p.lead) * (1 - math.Exp(-(now-p.measured).Seconds()*2))
	p.measured = now
}

// starts says where a guest begins: with the inputs of a tick, and with a snapshot of the
// tick before unless it is 0.
func (p *peer) starts(first uint64, snapshot []byte) {
	p.begins, p.first, p.agreed, p.size, p.out = true, first, first, uint64(len(snapshot)), outgoing{data: snapshot}
	for i := range p.known {
		p.known[i] = first
	}
}
