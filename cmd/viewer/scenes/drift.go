package scenes

import "halfstep/engine"

func init() {
	Register(Scene{
		Name:        "drift",
		Description: "one body at exactly 1 m/s from the origin: its displayed x is the displayed instant in seconds",
		Config: func() engine.Config {
			return engine.Config{NoGravity: true, Setup: build(drift)}
		},
		View:  View{X: 6, Height: 12},
		Track: "drift",
	})
}

func drift(b *builder) {
	b.body(engine.BodyDef{
		Name: "drift", Kind: engine.Dynamic, Velocity: vec{X: 1}, NoSleep: true,
		Shapes: []engine.ShapeDef{engine.BoxShape(.5, .5)},
	})
}
