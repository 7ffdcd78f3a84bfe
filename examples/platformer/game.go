package main

import (
	"halfstep/engine"
	"halfstep/world"
)

// game is the part of the game that belongs to the thread that draws.
type game struct {
	engine *engine.Engine
	level  *level
	walks  float64 // the direction sent last
	coins  int
	broken int  // ropes of the bridge
	won    bool // the player has reached the goal
	camera float64
}

func newGame(c engine.Config, l *level) (*game, error) {
	c.Setup = l.setup
	e, err := engine.New(c)
	return &game{engine: e, level: l}, err
}

// input is what the player's fingers do in a frame.
type input struct {
	walk       float64 // -1 to 1
	jump, drop bool    // pressed in this frame
}

// play hands the input to physics.
func (g *game) play(in input) {
	if in.walk != g.walks {
		g.walks = in.walk
		g.engine.DoNamed(walk, in.walk)
	}
	if in.jump {
		g.engine.DoNamed(jump)
	}
	if in.drop {
		g.engine.DropThrough(g.level.player.body)
	}
}

// events handles what happened up to the moment that this frame shows.
func (g *game) events() {
	for ev := range g.engine.Events() {
		switch {
		case ev.Kind == world.BodyRemoved && ev.NameA == "coin": // the player's two shapes enter it one after the other
			g.coins++
		case ev.Kind == world.SensorBegin && ev.B == g.level.player.body && ev.A == g.level.goal:
			g.won = true
		case ev.Kind == world.JointBroke:
			g.broken++
		}
	}
}

// draw draws the level as this frame shows it.
func (g *game) draw(p *painter) {
	if at, ok := g.engine.Pose(g.level.player.body); ok {
		g.camera += .1 * (min(max(at.X, 7), 39) - g.camera)
	}
	p.camera(g.camera, 3)
	view := g.engine.View()
	for body, at := range g.engine.Poses() {
		l, known := g.level.looks[body]
		if !known { // made while the game runs
			if slot, ok := view.Scene.Slot(uint64(body)); ok && view.Scene.Bodies[slot].Name == boulder {
				l = look{.9, .9, true, rock}
			}
		}
		if l.w > 0 {
			p.add(at.X, at.Y, at.Angle, l)
		}
	}
	seconds := view.Instant * view.Dt
	g.chevrons(p, seconds)
	for i := range g.coins {
		p.add(g.camera-9.3+.7*float64(i), 8, 0, look{.25, .25, true, gold})
	}
}

// chevrons shows that the belt moves, and which way.
func (g *game) chevrons(p *painter, seconds float64) {
	const from, length, apart = 20.5, 4.0, .8
	for i := range int(length / apart) {
		x := float64(i)*apart - 2.5*seconds
		x -= length * float64(int(x/length)-1)
		for x >= length {
			x -= length
		}
		p.add(from+x, -.1, 0, look{.12, .04, false, gold})
	}
}
