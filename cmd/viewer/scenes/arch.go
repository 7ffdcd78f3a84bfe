package scenes

import (
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "arch",
		Description: "an arch of wedges without mortar: their pressure on each other carries the load, until it is too heavy",
		Config:      sturdy(arch),
		View:        View{Y: 3.7, Width: 22, Height: 9},
		Track:       "keystone",
		Category:    Stacks,
		Params:      []Param{archLoad, archFriction},
	})
}

var (
	archLoad     = Param{Name: "load", Unit: "kg", Min: 1, Max: 60, Default: 10, Step: 1}
	archFriction = Param{Name: "friction", Max: 1, Default: .6, Step: .05}
)

func arch(b *builder) {
	const (
		wedges = 15 // odd
		inner  = 4.4
		outer  = 5.8
	)
	b.static("ground", rough(boxAt(0, -.2, 12, .2, 0), .9))
	b.frictionOfAll(archFriction)
	for i := range wedges {
		from, to := math.Pi*float64(i)/wedges, math.Pi*float64(i+1)/wedges
		on := func(r, angle float64) vec { return vec{X: r * math.Cos(angle), Y: r * math.Sin(angle)} }
		middle := on((inner+outer)/2, (from+to)/2)
		var p []vec
		for _, q := range [...]vec{on(inner, from), on(outer, from), on(outer, to), on(inner, to)} {
			// Make the shape a little smaller, because shapes keep a gap.
			p = append(p, vec{X: .995 * (q.X - middle.X), Y: .995 * (q.Y - middle.Y)})
		}
		name := "wedge"
		if i == wedges/2 {
			name = "keystone"
		}
		b.dynamic(name, middle, rough(dense(world.Polygon(p...), 2), archFriction.Default))
	}
	load := b.dynamic("load", vec{Y: outer + .75}, rough(dense(world.Box(.9, .7), archLoad.Default/(1.8*1.4)), archFriction.Default))
	b.param(archLoad, func(w *world.World, mass float64) {
		shapes, _ := w.Shapes(load)
		for _, s := range shapes {
			w.SetDensity(s, mass/(1.8*1.4))
		}
		w.SetAwake(load, true)
	})
}
