package scenes

import (
	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "blocks",
		Description: "boxes falling on a thin floor; with -loop variable -fps 10 it shows what a fixed step prevents",
		Config:      config(blocks),
		View:        View{Y: 8, Width: 30, Height: 18},
		Category:    Stacks,
		Params:      []Param{blockFriction},
	})
}

var blockFriction = Param{Name: "friction", Max: 1.5, Default: .5, Step: .05}

// blocks drops boxes, as examples in articles on fixed time steps do. With a
// step as long as a slow frame, the boxes sink into each other and into the
// floor.
func blocks(b *builder) {
	b.static("floor",
		boxAt(0, -.1, 14, .1, 0),
		boxAt(-14, 1, .1, 1.1, 0),
		boxAt(14, 1, .1, 1.1, 0))
	b.frictionOfAll(blockFriction)
	r := random(2011)
	for row := range 9 {
		for column := range 11 {
			h := r.between(.3, .55)
			b.body(world.BodyDef{
				Kind:     world.Dynamic,
				Position: vec{X: float64(column-5)*2.1 + r.between(-.4, .4), Y: 3 + 2.2*float64(row)},
				Angle:    r.between(-.6, .6),
				Shapes:   []world.ShapeDef{bouncy(rough(world.Box(h, r.between(.3, .55)), .5), .1)},
			})
		}
	}
}
