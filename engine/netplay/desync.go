package netplay

import (
	"encoding/binary"
	"errors"
	"fmt"

	"halfstep/world"
)

// Desync says that a guest has come to another world than the host, see
// Options.OnDesync. Tick is the first one that differs. Both programs are told the same,
// with Here and There swapped. For the guest the match is over: it may join again, with
// a snapshot of the host's world. The host goes on with the other players.
type Desync struct {
	Tick   uint64
	Player int // at the other end
	// Body is the first body that differs, in the order in which they were made, and
	// Value says what of it: "x", "velocity y". Value is "the number of bodies" where
	// nothing else differs, and empty where all bodies are alike (contacts, joints or
	// properties differ), or where the tick is too far back to look at.
	Body  world.Body
	Name  string
	Value string
	Here  float64 // m, rad, m/s or rad/s
	There float64
	// BlackBox is the file that the engine's black box has written, if it has one.
	BlackBox string
}

// ErrEnded is wrapped by the error of a session that has ended because others have.
var ErrEnded = errors.New("the match has ended")

func (d *Desync) Error() string {
	what := "bodies are alike or the tick is too old: contacts, joints, properties or what callbacks keep may differ"
	switch {
	case d.Body != 0 && d.Name != "":
		what = fmt.Sprintf("%v (%q): %s is %v here and %v there", d.Body, d.Name, d.Value, d.Here, d.There)
	case d.Body != 0:
		what = fmt.Sprintf("%v: %s is %v here and %v there", d.Body, d.Value, d.Here, d.There)
	case d.Value != "":
		what = fmt.Sprintf("%s is %v here and %v there", d.Value, d.Here, d.There)
	}
	return fmt.Sprintf("netplay: desync with player %d at tick %d: %s", d.Player+1, d.Tick, what)
}

const mostHashes = 128

// differs says that a tick of a peer is another one.
func (m *match) differs(p *peer, tick uint64) {
	if m.differ == nil {
		m.differ, m.seen = p, tick
		p.in = incoming{what: theBodies}
	}
}

// compare compares a final tick of a peer with the same one here, and what it has sent
// because they differ.
func (m *match) compare(p *peer) {
	if n := p.final; n > 0 && n <= m.final {
		p.final = 0
		switch {
		case n <= p.agreed || m.final-n >= kept:
		case m.hashes(n-1) == p.hash:
			p.agreed = n
		default:
			m.differs(p, n-1)
		}
	}
	for i, hash := range p.hashes {
		tick := p.from + uint64(i)
		if tick >= m.final {
			return // later
		}
		if tick >= p.begun() && m.final-tick < kept && m.hashes(tick) != hash {
			if m.differs(p, tick); m.differ == p && m.at == 0 {
				m.at = tick + 1
			}
			break
		}
	}
	if p.hashes != nil && m.differ == p && m.at == 0 {
		m.at = m.seen + 1
	}
	p.hashes = nil
}

// sendDifference tells a peer the hashes of the ticks that differ.
func (m *match) sendDifference(p *peer) {
	if m.differ != p || p.agreed >= m.final {
		return
	}
	n := min(m.final-p.agreed, mostHashes)
	b := binary.AppendUvarint(binary.AppendUvarint(nil, n), p.agreed)
	for tick := p.agreed; tick < p.agreed+n; tick++ {
		b = binary.LittleEndian.AppendUint64(b, m.hashes(tick))
	}
	m.put(p.addr, p.token, kindHashes, b)
}
