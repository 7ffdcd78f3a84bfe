package scenes

import "halfstep/world"

func init() {
	Register(Scene{
		Name:        "drift",
		Description: "one body at exactly 1 m/s from the origin: its displayed x is the displayed instant in seconds",
		Config:      weightless(drift),
		View:        View{X: 6, Width: 14, Height: 6, Paged: true},
		Track:       "drift",
		Follow:      "drift",
		Category:    Smoothness,
		Params:      []Param{driftSpeed},
	})
}

var driftSpeed = Param{Name: "speed", Unit: "m/s", Min: -5, Max: 5, Default: 1, Step: .1}

func drift(b *builder) {
	n := b.body(world.BodyDef{
		Name: "drift", Kind: world.Dynamic, Velocity: vec{X: 1}, NoSleep: true,
		Shapes: []world.ShapeDef{world.Box(.5, .5)},
	})
	b.param(driftSpeed, func(w *world.World, speed float64) { w.SetVelocity(n, vec{X: speed}) })
}
