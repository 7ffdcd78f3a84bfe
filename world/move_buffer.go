package world

import "github.com/ByteArena/box2d"

// moveIndex says where in Box2D's move buffer a proxy is. When Box2D destroys a
// proxy, it searches the whole buffer, which holds every shape that was made or
// touched since the last step.
type moveIndex struct {
	last []int32 // by proxy: 1 + its last place
	read []moved // by place, as far as has been read
}

type moved struct {
	proxy int
	prev  int32 // 1 + the place before of the same proxy
}

// forget follows a search for pairs, which empties the buffer, and a restore.
func (m *moveIndex) forget() {
	for _, r := range m.read {
		if r.proxy >= 0 {
			m.last[r.proxy] = 0
		}
	}
	m.read = m.read[:0]
}

// withoutMoves destroys proxies by f. Box2D finds an empty move buffer meanwhile;
// the proxies have been taken out of it.
func (w *World) withoutMoves(proxies []int, f func()) {
	bp := &w.b2.M_contactManager.M_broadPhase
	if w.exposed || bp.M_moveCount <= fewMoves {
		f()
		w.moves.forget()
		return
	}
	w.moves.take(bp, proxies)
	count := bp.M_moveCount
	bp.M_moveCount = 0
	f()
	bp.M_moveCount = count
}

// fewMoves is how many entries of the buffer Box2D may search.
const fewMoves = 32

// take takes proxies out of the buffer, as B2BroadPhase.UnBufferMove does.
func (m *moveIndex) take(bp *box2d.B2BroadPhase, proxies []int) {
	for at := len(m.read); at < bp.M_moveCount; at++ {
		r := moved{proxy: bp.M_moveBuffer[at]}
		if r.proxy >= 0 {
			for r.proxy >= len(m.last) {
				m.last = append(m.last, 0)
			}
			r.prev = m.last[r.proxy]
			m.last[r.proxy] = int32(at) + 1
		}
		m.read = append(m.read, r)
	}
	for _, id := range proxies {
		if id < 0 || id >= len(m.last) {
			continue
		}
		for at := m.last[id]; at != 0; at = m.read[at-1].prev {
			bp.M_moveBuffer[at-1] = box2d.E_nullProxy
		}
		m.last[id] = 0
	}
}
