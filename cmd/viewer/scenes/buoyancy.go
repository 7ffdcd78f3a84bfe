package scenes

import (
	"fmt"
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "buoyancy",
		Description: "a controller makes bodies float in a swell: it lifts the submerged part of each",
		Config:      config(buoyancy),
		View:        View{Y: 1, Height: 17},
		Track:       "boat",
		Category:    Forces,
	})
}

const (
	waterDensity = 1.0 // kg/m²
	waterDrag    = 1.6 // 1/s, of the submerged part
	swellHeight  = .35 // m
	swellPeriod  = 5.0 // s
)

func buoyancy(b *builder) {
	b.static("basin",
		boxAt(0, -6.2, 13.4, .2, 0),
		boxAt(-13.2, -1.5, .2, 4.5, 0),
		boxAt(13.2, -1.5, .2, 4.5, 0))
	// The water is a sensor, only to be seen. It pushes nothing itself.
	water := b.body(world.BodyDef{Name: "water", Kind: world.Kinematic, Colour: rgb(0x3d9be9),
		Shapes: []world.ShapeDef{sensor(boxAt(0, -3.2, 13, 3.2, 0))}})
	pool := &pool{water: water}

	pool.add(b, "boat", vec{X: -6, Y: 1}, .35,
		[]vec{{X: -1.6, Y: -.6}, {X: 1.5, Y: -.6}, {X: 2.3, Y: .45}, {X: -2, Y: .45}})
	pool.add(b, "buoy", vec{X: 9.5, Y: 2}, .3, ring(8, .8))
	r := random(7)
	for i := range 14 {
		density := .25 + .1*float64(i%8)
		outline := ring(3+i%5, r.between(.5, .9))
		if i%4 == 1 {
			h := r.between(.3, .5)
			outline = []vec{{X: -2.5 * h, Y: -h}, {X: 2.5 * h, Y: -h}, {X: 2.5 * h, Y: h}, {X: -2.5 * h, Y: h}}
		}
		at := vec{X: -3 + 2.6*float64(i%5), Y: 3 + 2.2*float64(i/5)}
		pool.add(b, fmt.Sprintf("float%d", i+1), at, density, outline)
	}
	pool.add(b, "stone", vec{X: -10, Y: 4}, 2.5, ring(6, .6))
	b.w.AddController(pool)
}

// pool is the water and the bodies that may float in it.
type pool struct {
	water  world.Body
	floats []float
	t      float64
	wet    []vec // scratch
}

type float struct {
	body    world.Body
	outline []vec   // counter-clockwise, in the body's frame, m
	area    float64 // m²
}

func (p *pool) add(b *builder, name string, at vec, density float64, outline []vec) {
	n := b.dynamic(name, at, dense(world.Polygon(outline...), density))
	area, _ := areaOf(outline)
	p.floats = append(p.floats, float{n, outline, area})
}

// BeforeStep lifts each body by the weight of the water that it displaces, at the
// centroid of its submerged part, and slows that part down.
func (p *pool) BeforeStep(w *world.World, dt float64) {
	p.t += dt
	// The water moves by its velocity, so that it is smoothed between steps.
	phase := 2 * math.Pi / swellPeriod
	w.SetVelocity(p.water, vec{Y: swellHeight * phase * math.Cos(phase*p.t)})
	water, err := w.Body(p.water)
	if err != nil {
		return
	}
	g := -w.Gravity().Y
	for _, f := range p.floats {
		b, err := w.Body(f.body)
		if err != nil {
			continue
		}
		p.wet = below(p.wet[:0], f.outline, b.Position, b.Angle, water.Position.Y)
		area, middle := areaOf(p.wet)
		if area < 1e-6 {
			continue
		}
		c, omega := b.Centre, b.AngularVelocity
		v := vec{X: b.Velocity.X - omega*(middle.Y-c.Y), Y: b.Velocity.Y + omega*(middle.X-c.X)}
		// Limited to half of what stops the body, so that light ones stay stable.
		slow := min(waterDrag*dt*waterDensity*area, .5*b.Mass)
		w.ImpulseAt(f.body, vec{X: -slow * v.X, Y: waterDensity*area*g*dt - slow*v.Y}, middle)
		w.AngularImpulse(f.body, -b.Inertia*omega*waterDrag*dt*area/f.area)
	}
}

// below appends the part of an outline, placed in the world, that is below y
// (Sutherland and Hodgman's clipping, against one line).
func below(to, outline []vec, at vec, angle, y float64) []vec {
	sin, cos := math.Sincos(angle)
	place := func(p vec) vec { return vec{X: at.X + cos*p.X - sin*p.Y, Y: at.Y + sin*p.X + cos*p.Y} }
	last := place(outline[len(outline)-1])
	for _, p := range outline {
		p := place(p)
		if (p.Y < y) != (last.Y < y) {
			k := (y - last.Y) / (p.Y - last.Y)
			to = append(to, vec{X: last.X + k*(p.X-last.X), Y: y})
		}
		if p.Y < y {
			to = append(to, p)
		}
		last = p
	}
	return to
}

// areaOf returns the area of a counter-clockwise outline and its centroid.
func areaOf(outline []vec) (area float64, centroid vec) {
	if len(outline) < 3 {
		return 0, vec{}
	}
	o := outline[0]
	var sum vec
	for i := 1; i+1 < len(outline); i++ {
		a, b := outline[i], outline[i+1]
		half := ((a.X-o.X)*(b.Y-o.Y) - (a.Y-o.Y)*(b.X-o.X)) / 2
		area += half
		sum.X += half * (o.X + a.X + b.X) / 3
		sum.Y += half * (o.Y + a.Y + b.Y) / 3
	}
	if area <= 0 {
		return 0, vec{}
	}
	return area, vec{X: sum.X / area, Y: sum.Y / area}
}
