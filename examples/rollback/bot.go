package main

import "math/rand/v2"

// bot plays for a player who does not touch a key. It runs after the ball where
// it sees the ball, and sometimes in another direction.
type bot struct {
	random *rand.Rand
	wish   input
	left   int  // the number of frames until the bot decides again
	idle   bool // somebody plays
}

func newBot(seed uint64) *bot { return &bot{random: rand.New(rand.NewPCG(seed, 2)), wish: still} }

func (b *bot) input(p *program) input {
	e := p.Engine()
	if b.left--; b.left > 0 || e == nil {
		return b.wish
	}
	b.left = 6 + b.random.IntN(20)
	b.wish = towards(b.random.IntN(3)-1, b.random.IntN(3)-1)
	ball, ok := e.Pose(p.ball)
	if me, here := e.Pose(p.player[p.Player()]); ok && here && b.random.IntN(3) > 0 {
		b.wish = towards(sign(ball.X-me.X), sign(ball.Y-me.Y))
	}
	return b.wish
}

// sign is -1, 0 or 1. It is 0 if x is less than a third of a metre in size.
func sign(x float64) int {
	switch {
	case x > .3:
		return 1
	case x < -.3:
		return -1
	}
	return 0
}
