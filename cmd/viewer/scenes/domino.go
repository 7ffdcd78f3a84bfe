package scenes

import (
	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "domino",
		Description: "each domino is a fifth taller than the one before: the nudge that fells the first ends in felling the last",
		Config:      sturdy(domino),
		View:        View{X: 4.8, Y: 2, Width: 22, Height: 6},
		Category:    Stacks,
		Params:      []Param{dominoGrowth},
	})
}

const (
	dominoes     = 15
	smallest     = .28 // m
	dominoPeriod = 12.0
)

var dominoGrowth = Param{Name: "growth from one to the next", Unit: "%", Max: 60, Default: 20, Step: 5}

func domino(b *builder) {
	b.static("table", rough(boxAt(5, -.2, 16, .2, 0), .6))
	growth := b.param(dominoGrowth, nil)
	b.every(dominoPeriod, func(w *world.World, n int) {
		destroy(w, "domino")
		c := &builder{w: w}
		x, tall := -4.5, smallest
		for i := range dominoes {
			d := c.dynamic("domino", vec{X: x, Y: tall/2 + .005}, rough(dense(world.Box(.09*tall, tall/2), 1), .4))
			if i == 0 {
				w.SetVelocity(d, vec{X: .5})
				w.SetAngularVelocity(d, -5)
			}
			x += .3 * tall * (1 + *growth/100)
			tall *= 1 + *growth/100
			x += .3 * tall
		}
	})
}
