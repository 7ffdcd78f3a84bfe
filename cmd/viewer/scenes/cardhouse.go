package scenes

import (
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "cardhouse",
		Description: "nothing but friction holds a house of cards: with less of it, the house slides apart",
		Config:      sturdy(cardhouse),
		View:        View{Y: 4.7, Width: 16, Height: 10.8},
		Track:       "card",
		Category:    Stacks,
		Params:      []Param{cardFriction},
	})
}

var cardFriction = Param{Name: "friction", Max: 1, Default: .7, Step: .05}

func cardhouse(b *builder) {
	const (
		storeys = 5
		length  = 1.0   // length is half the length of a card in m.
		thick   = .03   // m, half
		lean    = .4    // rad
		gap     = .0075 // gap is half of the gap between shapes in m.
		pitch   = 2*length + .04
	)
	sin, cos := math.Sincos(lean)
	foot := length*sin + thick*cos + gap // the horizontal distance between the middle of a card and the middle of its tent
	rise := length*cos + thick*sin + gap // the height of the tent's top above the middle of a card
	card := func(x, y, angle float64) {
		b.body(world.BodyDef{Name: "card", Kind: world.Dynamic, Position: vec{X: x, Y: y}, Angle: angle,
			Shapes: []world.ShapeDef{rough(world.Box(thick, length), cardFriction.Default)}})
	}
	b.static("table", rough(boxAt(0, -.2, 9, .2, 0), .7))
	b.frictionOfAll(cardFriction)
	y := 0.0
	for storey := range storeys {
		tents := storeys - storey
		left := -pitch * float64(tents-1) / 2
		for i := range tents {
			x := left + pitch*float64(i)
			card(x-foot, y+rise, -lean)
			card(x+foot, y+rise, lean)
		}
		y += 2 * rise
		for i := range tents - 1 {
			card(left+pitch*(float64(i)+.5), y+thick+gap, math.Pi/2)
		}
		y += 2 * (thick + gap)
	}
}
