package netplay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"halfstep/world"
)

// Desync reports that a guest's world has become different from the host's, see
// Options.OnDesync. Tick is the first tick that differs. Both programs get the same Desync,
// except that Here and There are exchanged. For the guest the match is over, and it cannot
// join again from the same address. The host continues with the other players.
type Desync struct {
	Tick   uint64
	Player int // the player at the other end: its Session.Player
	// Body is the first body that differs, in the order of creation, and Value names the value
	// that differs: "x", "velocity y". Value is "the number of bodies" if only that differs.
	// Value is empty if all bodies are the same, so that contacts, joints or properties differ.
	// It is also empty if the bodies could not be compared: then Unknown says why.
	Body  world.Body
	Name  string
	Value string
	Here  float64 // m, rad, m/s or rad/s
	There float64
	// Unknown says why the bodies could not be compared. It is empty if they were.
	Unknown string
	// BlackBox is the path of the file that the engine's black box has written, if the engine has
	// a black box.
	BlackBox string
}

// ErrEnded is wrapped by the error of a session that another program has ended.
var ErrEnded = errors.New("the match has ended")

func (d *Desync) Error() string {
	what := "all bodies are alike: contacts, joints, properties or what callbacks keep differ"
	switch {
	case d.Unknown != "":
		what = "what differs is not known: " + d.Unknown
	case d.Body != 0 && d.Name != "":
		what = fmt.Sprintf("%v (%q): %s is %v here and %v there", d.Body, d.Name, d.Value, d.Here, d.There)
	case d.Body != 0:
		what = fmt.Sprintf("%v: %s is %v here and %v there", d.Body, d.Value, d.Here, d.There)
	case d.Value != "":
		what = fmt.Sprintf("%s is %v here and %v there", d.Value, d.Here, d.There)
	}
	return fmt.Sprintf("netplay: desync with player %d at tick %d: %s", d.Player, d.Tick, what)
}

const mostHashes = 128 // in a datagram

// difference is the state of the search for the first difference between the worlds of two
// programs. Session.differ does the search.
type difference struct {
	seen uint64 // a tick at which the hashes differ, maybe not the first one
	at   uint64 // 1 + the first such tick; 0 until it is known
	over bool   // the peer has said goodbye

	since  time.Duration          // when the search began; 0 before that
	found  chan map[uint64][]seen // physics sends the bodies of each tick on this channel; nil before the request
	lists  map[uint64][]seen      // the lists from found; the lists of ticks that are too old are missing
	listed bool                   // this program is sending its bodies at the first tick to the peer
}

// differs records that a tick has another hash at a peer than here. From then on the guest
// does not play, and it cannot come back.
func (m *match) differs(p *peer, tick uint64) {
	if p.differ != nil {
		return
	}
	p.differ = &difference{seen: tick}
	p.in, p.out = incoming{content: theBodies}, outgoing{content: theBodies}
	if m.host {
		m.peers = slices.DeleteFunc(m.peers, func(o *peer) bool { return o == p })
		m.leaving = append(m.leaving, p)
		m.bar(p.addr)
	}
}

// compare compares the hash of a peer's newest final tick with the hash here. It searches the
// hashes that the peer has sent for the first tick that differs.
func (m *match) compare(p *peer) {
	if n := p.final; n > 0 && n <= m.final {
		p.final = 0
		switch {
		case n <= p.agreed || n <= m.oldestHash(): // known to be equal, or too old for a comparison
		case m.hashes(n-1) == p.hash:
			p.agreed = n
		default:
			m.differs(p, n-1)
		}
	}
	if p.hashes == nil {
		return
	}
	for i, hash := range p.hashes {
		tick := p.from + uint64(i)
		if tick >= m.final {
			return // the tick is not final here yet; p.hashes is kept until it is
		}
		if tick >= max(p.first, m.oldestHash()) && m.hashes(tick) != hash {
			if m.differs(p, tick); p.differ.at == 0 {
				p.differ.at = tick + 1
			}
			break
		}
	}
	if p.differ != nil && p.differ.at == 0 {
		p.differ.at = p.differ.seen + 1
	}
	p.hashes = nil
}

// oldestHash is the oldest tick whose hash can be read. Physics may be overwriting older
// hashes, because witness.finalHashes is a ring.
func (m *match) oldestHash() uint64 { return m.final - min(m.final, kept/2) }

// sendDifference sends to a peer whose world differs the hashes here since the last tick at
// which both agreed.
func (m *match) sendDifference(p *peer) {
	from := max(p.agreed, m.oldestHash())
	if p.differ == nil || from >= m.final {
		return
	}
	n := min(m.final-from, mostHashes)
	b := binary.AppendUvarint(binary.AppendUvarint(nil, n), from)
	for tick := from; tick < from+n; tick++ {
		b = binary.LittleEndian.AppendUint64(b, m.hashes(tick))
	}
	m.put(p.addr, p.token, kindHashes, b)
}
