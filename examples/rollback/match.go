package main

import (
	"errors"
	"time"

	"halfstep/engine"
)

// match is two peers and the lines between them, in one process.
type match struct {
	peers [players]*peer
	bots  [players]*bot
	now   time.Duration
}

func newMatch(c engine.Config, seed uint64) (*match, error) {
	m := new(match)
	there, back := newLine(seed), newLine(seed+1)
	for i, lines := range [players][2]*line{{back, there}, {there, back}} {
		var err error
		if m.peers[i], err = newPeer(c, i, lines[0], lines[1]); err != nil {
			return nil, errors.Join(err, m.close())
		}
		m.bots[i] = newBot(seed + uint64(i))
	}
	return m, nil
}

// frame lets d pass for both peers. A player without a wish of its own is played by
// the computer.
func (m *match) frame(d time.Duration, wishes [players]*input) error {
	m.now += d
	for i, p := range m.peers {
		wish := wishes[i]
		if wish == nil {
			bot := m.bots[i].input(p)
			wish = &bot
		}
		p.frame(m.now, d, *wish)
		if err := errors.Join(p.problem, p.engine.Failure()); err != nil {
			return err
		}
	}
	return nil
}

func (m *match) close() (err error) {
	for _, p := range m.peers {
		if p != nil {
			err = errors.Join(err, p.engine.Close())
		}
	}
	return err
}
