package scenes

import (
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "spin",
		Description: "a disc 1 m from its body's origin, one turn per second: the centre moves straight, the origin circles it",
		Config:      weightless(spin),
		View:        View{X: 6, Width: 14, Height: 6, Paged: true},
		Track:       "spin",
		Follow:      "spin",
		Category:    Smoothness,
		Params:      []Param{spinRate},
	})
}

var spinRate = Param{Name: "turns per second", Min: -5, Max: 5, Default: 1, Step: .25}

func spin(b *builder) {
	n := b.body(world.BodyDef{
		Name: "spin", Kind: world.Dynamic, AngularVelocity: 2 * math.Pi, NoSleep: true,
		// This is the velocity of the origin: the velocity of the centre minus the part that
		// comes from the rotation.
		Velocity: vec{X: 1, Y: -2 * math.Pi},
		Shapes:   []world.ShapeDef{world.CircleAt(1, 0, .5)},
	})
	if b.err == nil { // the centre's velocity, exactly
		b.fail(b.w.SetVelocity(n, vec{X: 1}))
	}
	b.param(spinRate, func(w *world.World, rate float64) { w.SetAngularVelocity(n, 2*math.Pi*rate) })
}
