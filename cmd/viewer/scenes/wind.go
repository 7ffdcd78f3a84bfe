package scenes

import (
	"fmt"
	"math"

	"halfstep/world"
	"halfstep/world/forces"
)

func init() {
	Register(Scene{
		Name:        "wind",
		Description: "a controller blows gusts against flags, grass and leaves, edge by edge",
		Config:      config(wind),
		View:        View{Y: 5, Width: 33, Height: 12.4},
		Track:       "flag1",
		Category:    Forces,
		Params:      []Param{windStrength},
	})
}

const (
	airDensity = .09  // in kg/m², because a plane has no depth
	meadow     = 17.0 // meadow is half the width, in m, of the area over which leaves fly (see comeBack).
)

var windStrength = Param{Name: "wind", Min: 0, Max: 3, Default: 1, Step: .1}

func wind(b *builder) {
	ground := b.static("ground", boxAt(0, -.2, meadow+3, .2, 0))
	thin := world.Filter{Category: 2} // this shape collides with nothing, because its mask is empty
	var leaves []world.Body
	// the function add makes a dynamic body of one thin shape, in m, and stores
	// leaves in a list for comeBack
	add := func(d world.BodyDef, density float64, outline []vec) world.Body {
		d.Kind = world.Dynamic
		d.Shapes = []world.ShapeDef{dense(rough(world.Polygon(outline...), .3), density)}
		d.Shapes[0].Filter = thin
		leaf := d.Name == "leaf"
		if leaf { // leaves do not touch each other
			d.Shapes[0].Filter = world.Filter{Category: 1, Mask: 1, Group: -1}
		}
		n := b.body(d)
		if leaf {
			leaves = append(leaves, n)
		}
		return n
	}

	for i, x := range [...]float64{-9, 1, 10} {
		top := 8 - float64(i%2)*1.5
		pole := boxAt(x, top/2, .08, top/2, 0)
		pole.Filter = thin
		b.shape(ground, pole)
		last, at := ground, vec{X: x, Y: top - .2}
		for k := range 8 {
			d := world.BodyDef{Name: fmt.Sprintf("flag%d", i+1), AngularDamping: .3,
				Position: vec{X: at.X, Y: at.Y - .22}, Colour: rgb([...]uint32{0xef476f, 0xffd166, 0x06d6a0}[i])}
			if k < 7 { // only the free end has the name for Track
				d.Name = "cloth"
			}
			n := add(d, .8, oblong(.05, .26))
			b.hinge(last, n, at)
			last, at = n, plus(at, 0, -.44)
		}
	}
	for i := range 14 {
		x := -15 + 2.3*float64(i) + .3*math.Sin(float64(5*i))
		h := .5 + .25*math.Sin(float64(3*i))
		n := add(world.BodyDef{Name: "grass", Position: vec{X: x, Y: h}, AngularDamping: 1, Colour: rgb(0x7bc950)}, 1.2, oblong(.04, h))
		b.at(vec{X: x}, world.JointDef{Kind: world.WeldJoint, A: ground, B: n, Frequency: 1.6, Damping: .15})
	}
	r := random(3)
	for range 40 {
		k := r.between(.16, .3)
		add(world.BodyDef{Name: "leaf", Position: vec{X: r.between(-15, 15), Y: r.between(1, 11)}, Angle: r.between(-3, 3),
			AngularDamping: .5}, .22, []vec{{X: -2 * k}, {X: 0, Y: -.6 * k}, {X: 2 * k}, {X: 0, Y: .6 * k}})
	}

	strength := b.param(windStrength, nil)
	b.w.AddController(&forces.Wind{Density: airDensity, Wakes: true, Gust: func(p vec, t float64) vec {
		air := airAt(p, t)
		return vec{X: *strength * air.X, Y: *strength * air.Y}
	}})
	b.control(func(w *world.World, _ float64) { // before each step
		for _, n := range leaves {
			comeBack(w, n)
		}
	})
}

// oblong returns the outline of a rectangle of 2*hx by 2*hy m.
func oblong(hx, hy float64) []vec {
	return []vec{{X: -hx, Y: -hy}, {X: hx, Y: -hy}, {X: hx, Y: hy}, {X: -hx, Y: hy}}
}

// comeBack moves a leaf that has left the meadow at one end, or has risen too
// high, to the other end.
func comeBack(w *world.World, n world.Body) {
	leaf, err := w.Body(n)
	p := leaf.Position
	if err != nil || math.Abs(p.X) < meadow+1 && p.Y < 15 {
		return
	}
	at := vec{X: math.Copysign(meadow, -p.X), Y: min(p.Y, 8)}
	w.Teleport(n, at, leaf.Angle)
}

// airAt returns the velocity of the air in m/s. The air has a wind that changes
// its direction every ten seconds, gusts that move with the wind, eddies, and
// warm air that rises.
func airAt(p vec, t float64) vec {
	return vec{
		X: 9*math.Sin(2*math.Pi*t/20+.6) + 4*math.Sin(2.3*t-.5*p.X)*math.Sin(.7*t),
		Y: 3*math.Sin(.5*p.X-1.1*t) + 2*math.Cos(.6*p.Y+.9*t) + 6*math.Exp(-max(p.Y, 0)/2),
	}
}
