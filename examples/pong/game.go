package main

import (
	"halfstep/engine"
	"halfstep/world"
)

// points is the number of points that win a match.
const points = 5

// game is the part of the game that belongs to the thread that draws: the score,
// and the reactions to events.
type game struct {
	engine *engine.Engine
	court  *court
	score  [sides]int
	glow   [sides]float64 // how bright a paddle is after a hit; fades
	steers [sides]float64 // the speeds sent last
	over   bool           // the match is over, until the next point
}

func newGame(c engine.Config, court *court) (*game, error) {
	c.World.NoGravity, c.World.Stepper, c.Setup = true, world.SoftStep, court.setup
	e, err := engine.New(c)
	return &game{engine: e, court: court}, err
}

// steer moves a player's paddle at a speed, in m/s, until the next call.
func (g *game) steer(side int, speed float64) {
	if g.steers[side] != speed {
		g.steers[side] = speed
		g.engine.DoNamed(steer, float64(side), speed)
	}
}

// events handles the events up to the moment that this frame shows.
func (g *game) events() {
	for ev := range g.engine.Events() {
		for side := range sides {
			switch {
			case ev.Kind == world.ContactBegin && (ev.A == g.court.paddle[side] || ev.B == g.court.paddle[side]):
				g.glow[side] = 1
			case ev.Kind == world.SensorBegin && ev.A == g.court.goal[side]:
				g.point(1-side, ev.Tick)
			}
		}
	}
}

// point counts a point, and serves again some time later. The tick of the serve
// is counted from the tick of the event, so the game is the same at any frame
// rate.
func (g *game) point(side int, tick uint64) {
	if g.over {
		g.score, g.over = [sides]int{}, false
	}
	g.score[side]++
	pause := uint64(45)
	if g.score[side] == points {
		g.over, pause = true, 150
	}
	then := g.engine.At(tick + pause)
	then.Teleport(g.court.ball, world.Vec{}, 0)
	speed := serveSpeed // towards the player who lost the point
	if side == right {
		speed = -speed
	}
	then.SetVelocity(g.court.ball, world.Vec{X: speed, Y: 2 - 4*float64(tick%2)})
}

func (g *game) draw(p *painter) {
	for y := -halfHeight + .25; y < halfHeight; y += .5 {
		p.add(0, y, .04, .125, .3)
	}
	for side, sign := range [...]float64{-1, 1} {
		light := .75 + .25*g.glow[side]
		g.glow[side] *= .92
		if at, ok := g.engine.Pose(g.court.paddle[side]); ok {
			p.add(at.X, at.Y, paddleW, paddleH, light)
		}
		shade := .45
		if g.over && g.score[side] == points {
			shade = 1
		}
		p.digit(sign*1.6, 3.3, g.score[side], shade)
	}
	if at, ok := g.engine.Pose(g.court.ball); ok {
		p.add(at.X, at.Y, ballSize, ballSize, 1)
	}
	paused := g.engine.Paused()
	if paused {
		p.text(0, 0, .12, "PAUSED", 1)
	}
	if paused || g.engine.View().Tick < keysShown {
		const low = .6 - halfHeight
		p.text(-halfWidth/2, low, .06, "W UP  S DOWN", .6)
		p.text(halfWidth/2, low, .06, "UP  DOWN", .6)
		p.text(0, low+.5, .06, "SPACE PAUSES  ESC QUITS", .6)
	}
}

// keysShown is the time for which the keys are shown at the start, in ticks.
const keysShown = 600
