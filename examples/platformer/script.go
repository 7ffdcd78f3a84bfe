package main

// move is a part of a script: what the player does until something is so, or for
// a while.
type move struct {
	input
	until func(g *game) bool // may be nil
	ticks int                // at most
}

// demo collects the coins, rides the lift, walks up the belt, crosses the bridge
// and sees it break.
var demo = []move{
	{ticks: 30},
	{input{walk: 1}, beyond(3), 200},
	{ticks: 30},
	{input{jump: true}, nil, 70},          // through the first platform from below
	{input{walk: 1, jump: true}, nil, 28}, // to the second
	{ticks: 60},
	{input{drop: true}, nil, 70}, // down through it
	{input{walk: 1}, beyond(8.4), 200},
	{until: liftAt(11, 11.9), ticks: 600},
	{input{walk: 1}, beyond(11.2), 200},
	{until: liftAt(16.2, 17), ticks: 600}, // it carries the player
	{input{walk: 1, jump: true}, nil, 24},
	{ticks: 40},
	{input{walk: 1}, beyond(36.5), 900}, // against the belt, and over the bridge
	{ticks: 240},                        // the boulder comes
	{input{walk: 1}, beyond(42), 300},
	{ticks: 30},
}

// beyond waits until the player is to the right of x, m.
func beyond(x float64) func(*game) bool {
	return func(g *game) bool {
		at, ok := g.engine.Pose(g.level.player.body)
		return ok && at.X > x
	}
}

// liftAt waits until the lift is between two places, m.
func liftAt(from, to float64) func(*game) bool {
	return func(g *game) bool {
		at, ok := g.engine.Pose(g.level.lift)
		return ok && at.X > from && at.X < to
	}
}

type script struct {
	moves []move
	at    int
	ticks int // in this move
}

func (s *script) next(g *game) (in input, ok bool) {
	for ; s.at < len(s.moves); s.at++ {
		m := &s.moves[s.at]
		if s.ticks < m.ticks && (m.until == nil || !m.until(g)) {
			in = m.input
			if s.ticks++; s.ticks > 1 { // a key is pressed once
				in.jump, in.drop = false, false
			}
			return in, true
		}
		s.ticks = 0
	}
	return input{}, false
}
