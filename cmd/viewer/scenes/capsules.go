package scenes

import (
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "capsules",
		Description: "capsules and boxes with round corners roll over steps and a chain into a heap",
		Config:      sturdy(capsules),
		View:        View{X: .5, Y: 5.5, Width: 26, Height: 17},
		Track:       "wheel",
		Category:    Stacks,
	})
}

// round returns a box with round corners. The half sizes hx and hy include the
// radius.
func round(hx, hy, radius float64) world.ShapeDef {
	s := world.Box(hx-radius, hy-radius)
	s.Radius = radius
	return s
}

func capsules(b *builder) {
	var bowl []vec
	for i := range 25 {
		x := 12.5 - float64(i)
		bowl = append(bowl, vec{X: x, Y: .03 * x * x})
	}
	b.static("bowl", rough(world.Chain(bowl...), .5))
	steps := []world.ShapeDef{rough(world.Capsule(vec{X: 5, Y: 9}, vec{X: 10, Y: 11}, .15), .2)}
	for i := range 5 {
		x := -9.5 + 1.4*float64(i)
		shape := round(.7, .25, .12)
		for k, p := range shape.Points {
			shape.Points[k] = vec{X: p.X + x, Y: p.Y + 9 - .7*float64(i)}
		}
		steps = append(steps, rough(shape, .2))
	}
	b.static("steps", steps...)
	wheel := b.dynamic("wheel", vec{X: 1.5, Y: 7.5}, world.Capsule(vec{X: -1.7}, vec{X: 1.7}, .2), world.Capsule(vec{Y: -1.7}, vec{Y: 1.7}, .2))
	b.hinge(b.static("axle"), wheel, vec{X: 1.5, Y: 7.5})

	r := random(7)
	var falling []world.Body // oldest first
	b.w.Keep(&r, &falling)
	b.every(.15, func(w *world.World, n int) {
		if len(falling) >= 120 {
			if first := falling[0]; isHeld(w, first) {
				falling = append(falling, first)
			} else {
				w.DestroyBody(first)
			}
			falling = falling[1:]
		}
		name, shape := "capsule", world.Capsule(vec{X: -r.between(.15, .5)}, vec{X: r.between(.15, .5)}, r.between(.15, .3))
		if n%3 == 2 {
			name, shape = "round box", round(r.between(.35, .6), r.between(.25, .5), r.between(.08, .2))
		}
		made, err := w.CreateBody(world.BodyDef{
			Name: name, Kind: world.Dynamic, Angle: r.between(-math.Pi, math.Pi), AngularVelocity: r.between(-3, 3),
			Position: vec{X: r.between(-8.5, -5) + 14.5*float64(n%2), Y: 14}, Shapes: []world.ShapeDef{rough(shape, .4)},
		})
		if err == nil {
			falling = append(falling, made)
		}
	})
}
