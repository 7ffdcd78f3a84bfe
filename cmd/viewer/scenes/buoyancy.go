package scenes

import (
	"fmt"
	"math"

	"halfstep/world"
	"halfstep/world/forces"
)

func init() {
	Register(Scene{
		Name:        "buoyancy",
		Description: "a controller makes bodies float in a swell: it lifts the submerged part of each",
		Config:      config(buoyancy),
		View:        View{Y: .2, Width: 28, Height: 14},
		Track:       "boat",
		Category:    Forces,
		Params:      []Param{waterDensity, waterDrag},
	})
}

const (
	swellHeight = .35 // m
	swellPeriod = 5.0 // s
)

var (
	waterDensity = Param{Name: "density of the water", Unit: "kg/m²", Min: .2, Max: 4, Default: 1, Step: .1}
	waterDrag    = Param{Name: "drag", Unit: "1/s", Min: 0, Max: 8, Default: 1.6, Step: .2} // the drag acts on the submerged part of a body
)

func buoyancy(b *builder) {
	b.static("basin",
		boxAt(0, -6.2, 13.4, .2, 0),
		boxAt(-13.2, -1.5, .2, 4.5, 0),
		boxAt(13.2, -1.5, .2, 4.5, 0))
	// The water is a sensor. It is only drawn, and does not push bodies.
	water := b.body(world.BodyDef{Name: "water", Kind: world.Kinematic, Colour: rgb(0x3d9be9),
		Shapes: []world.ShapeDef{sensor(boxAt(0, -3.2, 13, 3.2, 0))}})
	fluid := &forces.Fluid{Density: waterDensity.Default, Drag: waterDrag.Default}
	density, drag := b.param(waterDensity, nil), b.param(waterDrag, nil)

	add := func(name string, at vec, density float64, outline []vec) {
		b.dynamic(name, at, dense(world.Polygon(outline...), density))
	}
	add("boat", vec{X: -6, Y: 1}, .35,
		[]vec{{X: -1.6, Y: -.6}, {X: 1.5, Y: -.6}, {X: 2.3, Y: .45}, {X: -2, Y: .45}})
	add("buoy", vec{X: 9.5, Y: 2}, .3, ring(8, .8))
	r := random(7)
	for i := range 14 {
		density := .25 + .1*float64(i%8)
		outline := ring(3+i%5, r.between(.5, .9))
		if i%4 == 1 {
			h := r.between(.3, .5)
			outline = []vec{{X: -2.5 * h, Y: -h}, {X: 2.5 * h, Y: -h}, {X: 2.5 * h, Y: h}, {X: -2.5 * h, Y: h}}
		}
		at := vec{X: -3 + 2.6*float64(i%5), Y: 3 + 2.2*float64(i/5)}
		add(fmt.Sprintf("float%d", i+1), at, density, outline)
	}
	add("stone", vec{X: -10, Y: 4}, 2.5, ring(6, .6))

	t := 0.0
	b.w.Keep(&t)
	b.w.AddState(fluid)
	b.control(func(w *world.World, dt float64) {
		t += dt
		fluid.Density, fluid.Drag = *density, *drag
		// The water has a velocity, so that its motion is smoothed between steps.
		phase := 2 * math.Pi / swellPeriod
		w.SetVelocity(water, vec{Y: swellHeight * phase * math.Cos(phase*t)})
		if at, err := w.Body(water); err == nil {
			fluid.Level = at.Position.Y
			fluid.BeforeStep(w, dt)
		}
	})
}
