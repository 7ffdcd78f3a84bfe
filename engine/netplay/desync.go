package netplay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"halfstep/world"
)

// Desync reports that a guest's world has become different from the host's, see Options.OnDesync.
// Tick is the first tick that differs. Both programs get the same Desync, except that Here and
// There are exchanged and that Player is the player at the other end. For the guest the match is
// over, and the guest cannot join again from the same address. The host continues with the other
// players.
type Desync struct {
	Tick   uint64
	Player int // Session.Player of the program at the other end
	// Body is the first body that differs, in the order of creation, and Value names the value that
	// differs: for example "x" or "velocity y". Value is "the number of bodies" if only that number
	// differs. Value is empty if all bodies are the same, so that contacts, joints or properties
	// differ, and if Unknown is not empty.
	Body  world.Body
	Name  string
	Value string
	Here  float64 // the values in the two worlds, in m, rad, m/s or rad/s
	There float64
	// Unknown says why the bodies could not be compared, or is empty if the bodies were compared.
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

const mostHashes = 128 // the greatest number of hashes in a datagram

// difference is the state of the search for the first difference between the worlds of two
// programs. Session.differ does the search.
type difference struct {
	seen uint64 // a tick at which the hashes differ
	at   uint64 // 1 + the first tick at which the hashes differ; 0 until that tick is known
	over bool   // true once the peer has sent its goodbye

	since  time.Duration          // the time at which the search began; 0 before the search
	found  chan map[uint64][]seen // physics sends the lists of bodies by tick on this channel; nil until they are requested
	lists  map[uint64][]seen      // the lists that came on the channel found; ticks that are too old have no list
	listed bool                   // true once this program sends its bodies at the first tick that differs to the peer
}

// differs records that the hashes of a tick in this program and in a peer differ. The guest then
// gives no more inputs, and cannot join again.
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

// compare compares the hash of a peer's newest final tick with the hash in this program. If the
// peer has sent hashes of several ticks, compare finds the first that differs.
func (m *match) compare(p *peer) {
	if n := p.final; n > 0 && n <= m.final {
		p.final = 0
		switch {
		case n <= p.agreed || n <= m.oldestHash(): // the hashes are known to be equal, or are too old for a comparison
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
			return // the tick is not final in this program yet; p.hashes is kept until the tick is final
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

// oldestHash returns the oldest tick whose hash can be read from witness.finalHashes. Physics may
// be overwriting older hashes.
func (m *match) oldestHash() uint64 { return m.final - min(m.final, kept/2) }

// sendDifference sends this program's hashes to a peer whose world differs. The hashes begin after
// the last tick at which the two worlds were equal.
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
