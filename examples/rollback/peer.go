package main

import (
	"fmt"
	"slices"
	"time"

	"halfstep/engine"
	"halfstep/world"
)

const (
	// delay is how many ticks an input is given ahead. A frame demands no more
	// steps than that, so that none of them lacks its inputs.
	delay = 3
	// window is how many ticks a peer runs ahead of the inputs that it knows; then it
	// waits for the other peer.
	window = 16
)

// peer is one of two programs that play together. Each runs the whole world. It
// knows its own inputs, guesses those of the other peer (they stay what they were),
// and goes back when it learns that it has guessed wrong.
type peer struct {
	engine  *engine.Engine
	game    *game
	me      int
	in, out *line

	known  [players][]input  // by tick
	given  []input           // to the engine for the other player: known or guessed
	acked  uint64            // how many inputs of ours the other peer knows
	final  uint64            // ticks before it will not change any more
	hashes []uint64          // of those
	theirs map[uint64]uint64 // hashes of the other peer, by tick

	hits    [players]int // how often each player has hit the ball
	counts  counts
	problem error
	listen  func(world.Event) // or nil
}

type counts struct {
	rollbacks, deepest int // how many, and ticks
	agreed             int // hashes compared with the other peer's
	events, retracted  int
	waited             int // frames
}

// newPeer returns a peer that has not begun. c may have settings of the caller's.
func newPeer(c engine.Config, me int, in, out *line) (*peer, error) {
	p := &peer{me: me, game: new(game), in: in, out: out, theirs: map[uint64]uint64{}}
	p.given = []input{still} // inputs begin with tick 1
	for i := range p.known {
		p.known[i] = []input{still}
	}
	c.Name = fmt.Sprint("peer ", me+1)
	c.Setup = p.game.setup
	c.World.NoGravity = true
	c.World.Workers = 1
	c.Time.MaxSteps = delay
	c.Rollback.Ticks = window + delay
	var err error
	if p.engine, err = engine.New(c); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *peer) other() int { return 1 - p.me }

// guess is an input of the other player: the one that is known, or else the newest
// known one.
func (p *peer) guess(tick uint64) input {
	known := p.known[p.other()]
	switch n := uint64(len(known)); {
	case tick < n:
		return known[tick]
	case n > 0:
		return known[n-1]
	}
	return still
}

// frame lets d pass, at the time now. wanted is what the player steers.
func (p *peer) frame(now, d time.Duration, wanted input) {
	for _, packet := range p.in.receive(now) {
		p.take(packet)
	}
	p.correct()
	present := p.engine.Demanded()
	if present > uint64(len(p.known[p.other()]))+window {
		p.counts.waited++
		d = 0
	}
	for tick := uint64(len(p.given)); tick <= present+delay; tick++ {
		p.known[p.me] = append(p.known[p.me], wanted)
		p.given = append(p.given, p.guess(tick))
		for player := range players { // in the same order as the other peer
			value := wanted
			if player != p.me {
				value = p.given[tick]
			}
			give(p.engine.Commands, player, tick, value)
		}
	}
	p.settle(present)
	p.send(now)
	p.engine.Advance(d)
	p.events()
}

// give has an input take effect at a tick. Its source tells a rollback what to
// replace.
func give(c world.Commands, player int, tick uint64, i input) {
	c.From(1+player).At(tick).DoNamed(steer, float64(player), float64(i))
}

func (p *peer) take(in packet) {
	known := &p.known[p.other()]
	if n := uint64(len(*known)); in.first <= n && n < in.first+uint64(len(in.inputs)) {
		*known = append(*known, in.inputs[n-in.first:]...)
	}
	p.acked = max(p.acked, in.known)
	if in.tick > 0 {
		p.theirs[in.tick] = in.hash
	}
}

func (p *peer) correct() {
	present := p.engine.Demanded()
	known := p.known[p.other()]
	wrong := p.final
	for wrong < present && (wrong >= uint64(len(known)) || p.given[wrong] == known[wrong]) {
		wrong++
	}
	if wrong >= present {
		return
	}
	p.counts.rollbacks++
	p.counts.deepest = max(p.counts.deepest, int(present-wrong))
	p.problem = p.engine.Rollback(wrong, func(c world.Commands) {
		for tick := wrong; tick < present; tick++ {
			p.given[tick] = p.guess(tick)
			give(c, p.other(), tick, p.given[tick])
		}
	})
}

// settle asks for the hashes of the ticks that are final now, and compares them with
// those of the other peer.
func (p *peer) settle(present uint64) {
	from := p.final
	p.final = min(present, uint64(len(p.known[p.other()])))
	if to := p.final; from < to {
		world.Ask(p.engine.Commands, func(*world.World) (hashes []uint64) {
			for tick := from; tick < to; tick++ {
				hashes = append(hashes, p.game.hashes[tick%uint64(len(p.game.hashes))])
			}
			return hashes
		}, func(_ uint64, hashes []uint64) { p.hashes = append(p.hashes, hashes...) })
	}
	for tick, hash := range p.theirs {
		if tick >= uint64(len(p.hashes)) {
			continue
		}
		p.counts.agreed++
		if hash != p.hashes[tick] {
			p.problem = fmt.Errorf("tick %d: player %d has the hash %x, the other one %x", tick, p.me+1, p.hashes[tick], hash)
		}
		delete(p.theirs, tick)
	}
}

func (p *peer) send(now time.Duration) {
	mine := p.known[p.me]
	out := packet{first: p.acked, inputs: slices.Clone(mine[p.acked:]), known: uint64(len(p.known[p.other()]))}
	if n := len(p.hashes); n > 0 {
		out.tick, out.hash = uint64(n-1), p.hashes[n-1]
	}
	p.out.send(now, out)
}

// events counts hits of the ball, and those that did not happen after all back.
func (p *peer) events() {
	for ev := range p.engine.Events() {
		if p.listen != nil {
			p.listen(ev)
		}
		kind, by := ev.Kind, 1
		p.counts.events++
		if kind == world.EventRetracted {
			kind, by = ev.Was, -1
			p.counts.retracted++
		}
		if kind != world.ContactHit {
			continue
		}
		for i, b := range p.game.player {
			if ev.A == b && ev.B == p.game.ball || ev.B == b && ev.A == p.game.ball {
				p.hits[i] += by
			}
		}
	}
}
