package netplay

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"time"
)

// match is the protocol of a Session. It receives and sends datagrams, and uses no engine, socket
// or clock. A guest exchanges datagrams only with the host. The host has the inputs of all players
// and decides who plays.
type match struct {
	o      *Options
	digest token // digest of the options that all programs share; every hello contains it
	host   bool  // this program is the host
	me     int   // the number of this program's player; -1 in a guest until the host has assigned a number
	send   func(to netip.AddrPort, datagram []byte)

	tracks  []track // the inputs of each player; nil in a guest until the host says at which tick the inputs begin
	peers   []*peer // at the host: the guests, in any order; at a guest: the host
	leaving []*peer // at the host: guests that no longer play because their worlds differ
	all     []*peer // the result of the method everybody
	present uint64  // Engine.Demanded: the last demanded tick
	begun   bool    // at the host: true once Options.WaitFor players are ready
	ready   bool    // at a guest: true once the guest has caught up with the host

	hashes func(tick uint64) uint64 // returns the hash of a tick before final
	final  uint64                   // the first tick that is not final; all programs have the inputs of final ticks

	ended error // the reason for which the match has ended for this program; nil while the match runs

	epoch    uint64 // the number of guests that have left; part of each token, so older tokens are not valid
	chunks   bucket // limits the chunks that this program sends to all peers
	patience        // the times for which peers have delayed this program

	// Only the host uses these fields.
	secret         [32]byte // the key of tokenFor
	hellos, admits bucket   // limit the number of answers to hellos, and of guests that are admitted
	wants          bool     // true if a guest is waiting for a snapshot

	// Only a guest uses these fields.
	nonce   token         // the token of the host's answer to a hello
	helloAt time.Duration // when the last hello was sent

	input          [1 + maxInput]byte // scratch
	packet         []byte             // scratch
	sent, received uint64             // bytes since the beginning of the match
	refused        uint64             // the number of datagrams that accept has rejected
}

func newMatch(o *Options, digest token, host bool) *match {
	m := &match{o: o, digest: digest, host: host, me: -1, hashes: func(uint64) uint64 { return 0 }}
	_, _ = rand.Read(m.secret[:]) // never fails
	_, _ = rand.Read(m.nonce[:])
	if host {
		m.me, m.tracks = 0, newTracks(o.Players, o.InputSize, 0)
	}
	return m
}

// confirmed returns the first tick for which this program does not know the inputs of all players.
func (m *match) confirmed() uint64 {
	return m.tracks[m.slowest()].known
}

// slowest returns the player whose known inputs end first.
func (m *match) slowest() (player int) {
	for i := range m.tracks {
		if m.tracks[i].known < m.tracks[player].known {
			player = i
		}
	}
	return player
}

// waitsFor returns the player for whose input the world waits, or -1. The world does not run more
// than Options.Window ticks beyond the last known input of a player.
func (m *match) waitsFor() int {
	if m.tracks == nil || m.present == 0 || m.present < m.confirmed()+uint64(m.o.Window) {
		return -1
	}
	return m.slowest()
}

// settled returns the first tick whose inputs are not final. A guest's own inputs are final once
// the host has received them.
func (m *match) settled() uint64 {
	if m.host {
		return m.confirmed()
	}
	return min(m.confirmed(), m.peers[0].known[m.me])
}

// peerAt returns the peer with an address, or nil.
func (m *match) peerAt(a netip.AddrPort) *peer {
	for _, list := range [...][]*peer{m.peers, m.leaving} {
		for _, p := range list {
			if p.addr == a {
				return p
			}
		}
	}
	return nil
}

// everybody returns the peers and the guests in leaving. The list is valid until the next call of
// everybody.
func (m *match) everybody() []*peer {
	m.all = append(append(m.all[:0], m.peers...), m.leaving...)
	return m.all
}

// guest returns the guest with a player number, or nil.
func (m *match) guest(place int) *peer {
	for _, p := range m.peers {
		if p.place == place {
			return p
		}
	}
	return nil
}

// tokenFor returns the token for an address. The token is computed from the address, so the host
// stores nothing about a stranger until it receives the token from that address.
func (m *match) tokenFor(a netip.AddrPort) (t token) {
	mac := hmac.New(sha256.New, m.secret[:])
	b, _ := a.MarshalBinary() // never fails
	mac.Write(binary.LittleEndian.AppendUint64(b, m.epoch))
	copy(t[:], mac.Sum(nil))
	return t
}

// receive handles a datagram from any address.
func (m *match) receive(now time.Duration, from netip.AddrPort, b []byte) {
	m.received += uint64(len(b))
	if m.ended != nil {
		return
	}
	if len(b) < headLen || len(b) > MaxPacket || !m.accept(now, from, token(b[:len(token{})]), b[headLen-1], &reader{b: b[headLen:]}) {
		m.refused++
	}
}

// accept handles a datagram with the token t, whose contents r reads. It reports whether the
// datagram is valid. A stranger sends a hello, gets an answer with a token for its address, and is
// admitted when its first report arrives.
func (m *match) accept(now time.Duration, from netip.AddrPort, t token, kind byte, r *reader) bool {
	p := m.peerAt(from)
	switch {
	case m.host && kind == kindHello:
		nonce := r.bytes(len(token{}))
		if t != m.digest || len(r.b) < headLen || p != nil || !m.hellos.take(now, 20, 50) {
			return false
		}
		answer := m.tokenFor(from)
		m.put(from, token(nonce), kindAnswer, binary.AppendUvarint(answer[:], m.epoch))
		return true
	case !m.host && kind == kindAnswer:
		answer, epoch := r.bytes(len(token{})), r.limited(farthest)
		if r.bad || p == nil || t != m.nonce || m.tracks != nil || epoch < m.epoch {
			return false
		}
		p.token, m.epoch = token(answer), epoch
		return true
	case p != nil && p.token.is(t):
		return p.allowed.take(now, 1000, 1500) && m.take(now, p, kind, r)
	}
	if !m.host || p != nil || kind != kindReport || !m.admits.take(now, 20, 100) || !m.tokenFor(from).is(t) {
		return false
	}
	if p = m.admit(now, from, t); p == nil {
		return false
	}
	return m.take(now, p, kind, r)
}

// admit gives a guest the first free place, or sends the guest the reason why it cannot join.
func (m *match) admit(now time.Duration, from netip.AddrPort, t token) *peer {
	refuse := func(why byte) *peer {
		m.put(from, t, kindGoodbye, []byte{why})
		return nil
	}
	switch {
	case m.isBarred(from):
		return refuse(barred)
	case m.begun && m.waited > m.o.Timeout-m.o.Timeout/newcomer:
		return refuse(later)
	}
	for place := 1; place < m.o.Players; place++ {
		if m.guest(place) != nil {
			continue
		}
		p := &peer{addr: from, token: t, place: place, lastHeard: now, movedAt: now}
		if m.peers = append(m.peers, p); !m.begun {
			p.starts(0, nil) // the guest begins at tick 0 with the world that Setup builds
			return p
		}
		m.wants, p.cost, p.before = true, m.waited, m.waited // see patience about guests who have left
		return p
	}
	return refuse(full)
}

// offer begins to send a snapshot of the world to the guests that wait for a snapshot. The inputs
// of the tick have already taken effect in the snapshot. If the snapshot is nil, because the world
// cannot be saved, the host drops these guests.
func (m *match) offer(now time.Duration, tick uint64, snapshot []byte) {
	m.wants = false
	for i := len(m.peers) - 1; i >= 0; i-- { // some may go
		switch p := m.peers[i]; {
		case p.begins: // this guest has its beginning already
		case snapshot == nil:
			m.drop(p, unsent)
		default:
			p.movedAt = now
			p.starts(tick+1, snapshot)
		}
	}
}

// take handles a datagram of a peer that is not a hello or an answer, and reports whether the
// datagram is valid.
func (m *match) take(now time.Duration, p *peer, kind byte, r *reader) bool {
	switch kind {
	case kindReport:
		if !m.takeReport(now, p, r) {
			return false
		}
	case kindChunk:
		// The host accepts chunks only from a guest whose world differs.
		what, total, index := r.limited(theBodies), r.limited(mostSnapshot), r.uint()
		if r.bad || m.host && p.differ == nil || !p.in.take(what, total, index, r.b) {
			return false
		}
	case kindHashes:
		n, from := r.limited(mostHashes), r.limited(farthest)
		hashes := make([]uint64, 0, mostHashes)
		for range n {
			hashes = append(hashes, r.word())
		}
		if r.bad || n == 0 {
			return false
		}
		if p.hashes == nil { // compare has read the hashes that came before
			p.hashes, p.from = hashes, from
		}
	case kindGoodbye:
		why := r.limited(later)
		if r.bad {
			return false
		}
		m.goodbye(p, why)
	default:
		return false
	}
	return true
}

// takeReport handles a report and the inputs in its datagram. It returns whether both are valid.
func (m *match) takeReport(now time.Duration, p *peer, r *reader) bool {
	said := r.report(m.o.Players)
	if r.bad {
		return false
	}
	if m.tracks == nil { // this is a guest that has not begun
		if said.place == 0 || (said.first > 0) != (said.size > 0) { // the host does not know yet where the guest begins
			p.take(now, &said, m.present, false) // false, because neither program gives inputs
			return true
		}
		m.me = int(said.place)
		p.begins, p.first, p.agreed, p.size = true, said.first, said.first, said.size
		m.present = said.first - min(said.first, 1)
		m.tracks = newTracks(m.o.Players, m.o.InputSize, said.first)
	}
	for i := range m.tracks {
		n := said.known[i]
		if t := &m.tracks[i]; n > t.known {
			if m.host && i != p.place { // a guest gets these inputs only from this host, so it cannot know more of them
				return false
			}
			n = t.known
		}
		if n > p.known[i] {
			p.known[i], p.ackedAt, p.movedAt = n, now, now
		}
	}
	if !m.host && said.entry > 0 && p.entry == 0 {
		p.entry = said.entry
	}
	// The host accepts from a guest only the inputs of that guest's player. A guest accepts from
	// the host all inputs of all other players; for its own player, it accepts only inputs before
	// the tick at which it enters, peer.entry - 1.
	takes := func(player int) bool {
		if m.host {
			return player == p.place && p.entry > 0 && p.differ == nil
		}
		return player != m.me || p.entry == 0 || m.tracks[player].known < p.entry-1
	}
	limit := uint64(farthest)
	room := m.present + kept/2 // inputs of later ticks would overwrite the inputs of ticks that may run again
	if m.host {
		limit = m.present + mostAhead
	}
	for n := 0; len(r.b) > 0 && n < m.o.Players; n++ {
		r.track(m.tracks, m.input[:1+m.o.InputSize], takes, room, limit)
	}
	if r.bad || len(r.b) > 0 {
		return false
	}
	base := p.out.base
	p.take(now, &said, m.present, p.entry > 0)
	if p.out.base > base || p.out.data == nil && base > 0 { // new chunks have arrived
		p.movedAt = now
	}
	return true
}

// mostAhead is the greatest number of ticks by which a guest's inputs can be ahead of the host's
// present tick: the host's inputs are up to a delay ahead of the host, a guest runs up to a window
// beyond the host's inputs, and the guest's inputs are up to a delay ahead of the guest.
const mostAhead = 4 * maxWindow

// goodbye handles the last datagram of a peer. The host then drops the guest, and a guest ends its
// match.
func (m *match) goodbye(p *peer, why uint64) {
	switch {
	case p.differ != nil: // the peer has found the first difference between the worlds
		p.differ.over = true
	case m.host:
		m.drop(p, 0) // 0 means no goodbye, because the guest has left
	default:
		m.end(fmt.Errorf("netplay: %w: %s", ErrEnded, goodbyes[why]))
	}
}

// end ends the match for this program if err is not nil, and says goodbye to its peers. Only the
// first error counts.
func (m *match) end(err error) {
	if m.ended != nil || err == nil {
		return
	}
	m.ended = err
	for _, p := range m.everybody() {
		m.part(p, left)
	}
}

// part sends a goodbye to a peer.
func (m *match) part(p *peer, why byte) {
	for range 3 { // three times, because datagrams may be lost
		if p.token != (token{}) {
			m.put(p.addr, p.token, kindGoodbye, []byte{why})
		}
	}
}

// drop removes a guest from the match. If why is not 0, it sends a goodbye with this reason. The
// guest's place is empty from the first tick for which the guest's input is not known.
func (m *match) drop(p *peer, why byte) {
	if why != 0 {
		m.part(p, why)
	}
	is := func(o *peer) bool { return o == p }
	m.peers, m.leaving = slices.DeleteFunc(m.peers, is), slices.DeleteFunc(m.leaving, is)
	m.epoch++
	m.account(p)
}

// enter lets a guest play that has caught up, from the first tick for which the guest's inputs can
// reach the host in time.
func (m *match) enter(p *peer, perSecond float64) {
	t := &m.tracks[p.place]
	if m.begun {
		way := min(uint64(p.roundTrip.Seconds()*perSecond), maxWindow) + 2 // in ticks: the round trip to the guest, and two more
		t.addAbsent(m.present + uint64(m.o.Delay) + 1 + way)
	}
	p.entry = t.known + 1
}

// advance does the work of one frame, after present was set. The parameter input is the present
// input of this program's player, and perSecond is the number of ticks per second.
func (m *match) advance(now time.Duration, input []byte, perSecond float64) {
	m.charge(now, perSecond)
	if m.host {
		m.rule(now, perSecond)
	}
	if m.me >= 0 && (m.host && m.begun || !m.host && m.plays()) {
		mine := m.input[:1+copy(m.input[1:], input)]
		mine[0] = 1 // 1 means that the place has a player, see track
		for t := &m.tracks[m.me]; t.known <= m.present+uint64(m.o.Delay); {
			t.add(mine)
		}
	}
	for _, p := range m.everybody() { // a copy, because compare may move a peer to leaving
		m.compare(p)
	}
}

// plays reports whether this program has entered the match and gives inputs.
func (m *match) plays() bool {
	return m.tracks != nil && len(m.peers) > 0 && m.peers[0].entry > 0 && m.tracks[m.me].known >= m.peers[0].entry-1
}

// rule decides at the host who plays. It drops guests that are too late, admits guests that are
// ready, and adds inputs for empty places.
func (m *match) rule(now time.Duration, perSecond float64) {
	ready := 1                               // 1 is the host itself
	for i := len(m.peers) - 1; i >= 0; i-- { // some may go
		p := m.peers[i]
		if why := m.tooLate(now, p); why != "" {
			m.expel(p, behind, why)
			continue
		}
		if p.ready && p.entry == 0 && p.out.over() { // the guest has its snapshot
			m.enter(p, perSecond)
		}
		if p.ready {
			ready++
		}
	}
	if m.begun = m.begun || ready >= m.o.WaitFor; !m.begun {
		return
	}
	for place := 1; place < m.o.Players; place++ {
		if p := m.guest(place); p == nil || p.entry == 0 {
			m.tracks[place].addAbsent(m.present + uint64(m.o.Delay) + 1)
		}
	}
}

// sending sends the datagrams that are due to all peers. A guest without tracks first repeats its
// hello to the host.
func (m *match) sending(now time.Duration) {
	if !m.host && m.tracks == nil && now-m.helloAt >= 100*time.Millisecond {
		m.helloAt = now
		// The padding makes the hello as long as the answer, because the host rejects a shorter
		// hello; see kindHello.
		m.put(m.peers[0].addr, m.digest, kindHello, append(m.nonce[:], make([]byte, headLen)...))
	}
	for _, p := range m.everybody() {
		if p.token == (token{}) || p.seq > 0 && now-p.reportedAt < 10*time.Millisecond {
			continue
		}
		p.reportedAt = now
		m.sendDifference(p)
		again := max(p.again(), (now-p.movedAt)/4) // the longer nothing new arrives, the longer is the time until a datagram is sent again
		p.out.due(now, again, func(i int, chunk []byte) bool {
			if !m.chunks.take(now, chunksAtOnce, chunksPerSecond) {
				return false
			}
			b := binary.AppendUvarint([]byte{byte(p.out.content)}, uint64(len(p.out.data)))
			m.put(p.addr, p.token, kindChunk, append(binary.AppendUvarint(b, uint64(i)), chunk...))
			return true
		})
		m.report(now, p)
	}
}

const (
	// mostReports is the greatest number of datagrams that one call of report sends.
	mostReports = 8
	// In addition to the first datagram of each call of report, a peer gets at most extraReports
	// datagrams a second, and at most extraAtOnce at once.
	extraReports, extraAtOnce = 300, 64
)

// report sends to a peer the state of this program and all inputs that the peer lacks.
func (m *match) report(now time.Duration, p *peer) {
	r := report{
		tick: m.present, seenTick: p.tick, waits: uint64(m.waitsFor() + 1), content: p.in.content, base: uint64(p.in.base), arrived: p.in.arrived,
	}
	if p.peerSeq > 0 {
		r.echo, r.held = p.peerSeq, uint64((now - p.receivedAt).Microseconds())
	}
	if m.ready {
		r.ready = 1
	}
	if m.host && p.begins {
		r.place, r.first, r.size, r.entry = uint64(p.place), p.first, p.size, p.entry
	}
	for i := range m.tracks {
		r.known[i] = m.tracks[i].known
	}
	if m.final > p.first {
		r.final, r.hash = m.final, m.hashes(m.final-1)
	}
	next, end, lacks := p.known, [maxPlayers]uint64{}, false
	for i := range m.tracks {
		t := &m.tracks[i]
		switch {
		case p.differ != nil: // the peer's world differs, so the peer gets no more inputs
		case m.host && p.begins && i == p.place && p.entry > 0:
			end[i] = min(t.known, p.entry-1)
		case m.host && p.begins, !m.host && i == m.me && m.plays():
			end[i] = t.known
		}
		if !m.host && i == m.me && p.entry > 0 {
			next[i] = max(next[i], p.entry-1)
		}
		lacks = lacks || next[i] < end[i]
	}
	// While a peer acknowledges nothing, the time until it gets the same inputs again becomes
	// longer.
	switch silent := now - p.ackedAt; {
	case !lacks:
		p.ackedAt = now
	case silent > p.again() && now-p.resent < silent/4:
		end = next
	default:
		p.resent = now
	}
	for range mostReports {
		p.seq++
		r.seq = p.seq
		p.sentAt[p.seq%uint64(len(p.sentAt))] = now
		b := appendReport(m.head(p.token, kindReport), &r, m.o.Players)
		more := false
		for i := range m.tracks {
			if next[i] < end[i] {
				b, next[i] = appendTrack(b, i, &m.tracks[i], next[i], end[i], MaxPacket-len(b))
				more = more || next[i] < end[i]
			}
		}
		m.post(p.addr, b)
		if !more || !p.extra.take(now, extraAtOnce, extraReports) {
			return
		}
	}
}

// head makes the beginning of a datagram, put makes and sends a whole datagram, and post sends a
// datagram that is complete.
func (m *match) head(t token, kind byte) []byte { return append(append(m.packet[:0], t[:]...), kind) }

func (m *match) put(to netip.AddrPort, t token, kind byte, b []byte) {
	m.post(to, append(m.head(t, kind), b...))
}

func (m *match) post(to netip.AddrPort, b []byte) {
	m.packet = b
	m.sent += uint64(len(b))
	m.send(to, b)
}
