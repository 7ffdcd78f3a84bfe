package scenes

import (
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "oneway",
		Description: "crates jump through shelves that are solid from above only; belts carry them to the end and down",
		Config:      config(oneway),
		View:        View{X: 2, Y: 5, Width: 15.8, Height: 11.4},
		Track:       "crate",
		Category:    Games,
		Params:      []Param{conveyor, jumpHeight},
	})
}

const (
	shelves   = 3
	shelfStep = 2.6 // shelfStep is the distance between two shelves in m.
)

var (
	conveyor   = Param{Name: "belt speed", Unit: "m/s", Min: 0, Max: 6, Default: 1.5, Step: .25}
	jumpHeight = Param{Name: "jump height", Unit: "m", Min: .5, Max: 6, Default: 3.4, Step: .1}
)

// oneway has belts one above the other. They move in turn to the right and to the
// left, and each has a gap at its end.
func oneway(b *builder) {
	hall := b.static("hall", boxAt(-5.2, 5, .2, 5.2, 0), boxAt(9.2, 5, .2, 5.2, 0))
	var belts []world.Shape
	add := func(s world.ShapeDef) {
		s.Friction, s.SurfaceSpeed = .8, conveyor.Default*float64(1-2*(len(belts)%2))
		if b.err != nil {
			return
		}
		n, err := b.w.CreateShape(hall, s)
		b.fail(err)
		belts = append(belts, n)
	}
	add(boxAt(2, -.1, 7, .1, 0))
	for i := range shelves {
		s := coloured(boxAt(2+.8*float64(1-2*(i%2)), shelfStep*float64(i+1)-.08, 6.2, .08, 0), rgb(0xffd166))
		s.OneWay = vec{Y: 1}
		add(s)
	}
	b.param(conveyor, func(w *world.World, speed float64) {
		for i, s := range belts {
			w.SetSurfaceSpeed(s, speed*float64(1-2*(i%2)))
		}
	})

	r := random(8)
	var crates []world.Body
	for i := range 12 {
		s := world.Box(r.between(.25, .42), r.between(.25, .42))
		if i%4 == 3 {
			s = regular(6, .38)
		}
		crates = append(crates, b.dynamic("crate", vec{X: -4 + 1.05*float64(i), Y: .6}, rough(s, .5)))
	}
	height := b.param(jumpHeight, nil)
	b.every(.8, func(w *world.World, n int) {
		for i, c := range crates {
			// each body jumps every third time, but not from the highest shelf
			if (i+n)%3 == 0 && low(w, c) && stands(w, c) {
				kick(w, c, 0, math.Sqrt(2*10**height))
			}
		}
	})
}

// low reports whether a body is below the highest shelf.
func low(w *world.World, n world.Body) bool {
	b, err := w.Body(n)
	return err == nil && b.Position.Y < shelfStep*shelves
}
