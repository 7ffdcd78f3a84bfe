package scenes

import (
	"halfstep/engine"
	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "drift",
		Description: "one body at exactly 1 m/s from the origin: its displayed x is the displayed instant in seconds",
		Config: func() engine.Config {
			return engine.Config{World: world.Config{NoGravity: true}, Setup: build(drift)}
		},
		View:  View{X: 6, Height: 12},
		Track: "drift",
	})
}

func drift(b *builder) {
	b.body(world.BodyDef{
		Name: "drift", Kind: world.Dynamic, Velocity: vec{X: 1}, NoSleep: true,
		Shapes: []world.ShapeDef{world.Box(.5, .5)},
	})
}
