package scenes

import (
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "far",
		Description: "100 km from the origin physics goes on as ever; the picture counts in float32, there in steps of 8 mm",
		Config:      config(far),
		View:        View{X: 1e3 * farAway.Default, Y: 3.9, Width: 19, Height: 9.6},
		Track:       "pendulum",
		Follow:      "base",
		Category:    Sizes,
		Params:      []Param{farAway},
	})
}

var farAway = Param{Name: "distance", Unit: "km", Max: 1000, Default: 100, Step: 10}

// far has a drum with stones, a pendulum and a stack. A parameter moves the
// whole scene, and the camera follows the base.
func far(b *builder) {
	from := 1e3 * farAway.Default
	base := b.body(world.BodyDef{Name: "base", Position: vec{X: from, Y: 4}, Shapes: []world.ShapeDef{
		rough(boxAt(0, -4.2, 9, .2, 0), .6), boxAt(2.9, 4.1, 1.2, .1, 0)}})
	drum := vec{X: from - 4, Y: 3.7}
	b.body(world.BodyDef{Name: "drum", Kind: world.Kinematic, Position: drum, AngularVelocity: .7, Colour: rgb(0x64748b),
		Shapes: []world.ShapeDef{boxAt(0, -2.4, 2.5, .1, 0), boxAt(0, 2.4, 2.5, .1, 0), boxAt(-2.4, 0, .1, 2.5, 0), boxAt(2.4, 0, .1, 2.5, 0)}})
	for i := range 25 {
		s := regular(3+i%5, .34)
		b.dynamic("stone", plus(drum, -1.5+.75*float64(i%5), -1.5+.75*float64(i/5)), rough(s, .5))
	}
	for i := range 5 {
		b.dynamic("box", vec{X: from + 7, Y: .5 + float64(i)}, rough(world.Box(.5, .5), .6))
	}
	top := vec{X: from + 2.9, Y: 8}
	bob := b.body(world.BodyDef{Name: "pendulum", Kind: world.Dynamic, Position: plus(top, -2.6, -4.5033), Angle: -math.Pi / 6, NoSleep: true,
		Shapes: []world.ShapeDef{world.Circle(.5), boxAt(0, 2.8, .04, 2.3, 0)}})
	b.hinge(base, bob, top)

	b.param(farAway, func(w *world.World, distance float64) {
		is, err := w.Body(base)
		if err != nil {
			return
		}
		by := 1e3*distance - is.Position.X
		for n := range w.Bodies() {
			if i, err := w.Body(n); err == nil {
				w.Teleport(n, plus(i.Position, by, 0), i.Angle)
			}
		}
	})
}
