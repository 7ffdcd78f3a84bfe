package main

import (
	"halfstep/world"
	"halfstep/world/walker"
)

var start = world.Vec{Y: .1}

// player makes the figure, and a controller that puts a figure that has fallen down back
// to the start.
func (b *builder) player() {
	if b.err != nil {
		return
	}
	b.l.hero, b.err = walker.New(b.w, walker.Def{
		Name: "player", Position: start, Height: 1, Colour: red,
		Settings: walker.Settings{Jump: 7.6, AirAcceleration: 12, Mass: 11},
	})
	if b.err != nil {
		return
	}
	hero := b.l.hero
	b.w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
		if hero.Position.Y < -8 {
			_ = w.Teleport(hero.Body, start, 0)
		}
	}))
}
