package main

import "halfstep/world/walker"

// move is a part of a script: an input of the player that lasts until a
// condition is true, or for a number of frames.
type move struct {
	walker.Input
	until func(g *game) bool // may be nil
	ticks int                // ticks is the greatest number of ticks.
}

// demo plays the level: the player collects the coins, rides on the lift, walks
// up the belt, and crosses the bridge, which breaks.
var demo = []move{
	{ticks: 30},
	{walker.Input{Walk: 1}, beyond(3.6), 200},
	{ticks: 30},
	{walker.Input{Jump: true}, nil, 85},          // through the first platform from below
	{walker.Input{Walk: 1, Jump: true}, nil, 34}, // to the second
	{ticks: 60},
	{walker.Input{Drop: true}, nil, 70}, // down through it
	{walker.Input{Walk: 1}, beyond(8.4), 200},
	{until: liftAt(11, 11.9), ticks: 600},
	{walker.Input{Walk: 1}, beyond(11.2), 200},
	{until: liftAt(16.2, 17), ticks: 600}, // the lift carries the player
	{walker.Input{Walk: 1, Jump: true}, nil, 24},
	{ticks: 40},
	{walker.Input{Walk: 1}, beyond(36.5), 900}, // against the belt, and over the bridge
	{ticks: 240}, // the boulder comes
	{walker.Input{Walk: 1}, beyond(42), 300},
	{ticks: 30},
}

// beyond returns the condition that the player is to the right of x, in m.
func beyond(x float64) func(*game) bool {
	return func(g *game) bool {
		at, ok := g.engine.Pose(g.level.hero.Body)
		return ok && at.X > x
	}
}

// liftAt returns the condition that the lift is between two heights, in m.
func liftAt(from, to float64) func(*game) bool {
	return func(g *game) bool {
		at, ok := g.engine.Pose(g.level.lift)
		return ok && at.X > from && at.X < to
	}
}

type script struct {
	moves []move
	at    int
	ticks int // ticks is the number of ticks in this move.
}

func (s *script) next(g *game) (in walker.Input, ok bool) {
	for ; s.at < len(s.moves); s.at++ {
		m := &s.moves[s.at]
		if s.ticks < m.ticks && (m.until == nil || !m.until(g)) {
			in = m.Input
			if s.ticks++; s.ticks > 1 { // each press of a key is sent once
				in.Jump, in.Drop = false, false
			}
			return in, true
		}
		s.ticks = 0
	}
	return walker.Input{}, false
}
