package world

import (
	"math/rand/v2"
	"testing"

	"github.com/ByteArena/box2d"
)

// bar is a body of n boxes side by side.
func (r *rig) bar(n int, kind BodyKind) (Body, []Shape) {
	def := BodyDef{Kind: kind}
	for i := range n {
		def.Shapes = append(def.Shapes, boxAt(float64(i-n/2), 0))
	}
	b := r.body(def)
	shapes, err := r.Shapes(b)
	check(r.t, err)
	return b, shapes
}

func boxAt(x, y float64) ShapeDef {
	return Polygon(Vec{X: x - .5, Y: y - .5}, Vec{X: x + .5, Y: y - .5}, Vec{X: x + .5, Y: y + .5}, Vec{X: x - .5, Y: y + .5})
}

// The world stores the masses of a body's shapes, and adds them up like Box2D:
// the sum has the bits of a world in which Box2D adds them up.
func TestTheMassOfManyShapesHasBox2DsBits(t *testing.T) {
	play := func(kept bool) (trace []box2d.B2Body, refused int) {
		g := newRig(t, gravity())
		rnd := rand.New(rand.NewPCG(3, 4))
		b, shapes := g.bar(40, Dynamic)
		raw := g.registry.bodies[b].b
		raw.M_angularVelocity = 1.25
		random := func() ShapeDef {
			d := boxAt(rnd.Float64()*9-4, rnd.Float64())
			switch rnd.IntN(12) {
			case 0:
				d = Edge(Vec{X: 0, Y: 0}, Vec{X: 1, Y: rnd.Float64()})
			case 1:
				d = CircleAt(rnd.Float64()*1e5, 0, .01)
			case 2:
				d = Circle(1e-8)
			}
			d.Density = float64(rnd.IntN(4)) * rnd.Float64()
			return d
		}
		for range 600 {
			if !kept {
				g.World.box.Expose()
			}
			i := rnd.IntN(len(shapes))
			var err error
			switch rnd.IntN(4) {
			case 0:
				err = g.SetDensity(shapes[i], float64(rnd.IntN(3))*rnd.Float64())
			case 1:
				err = g.ReplaceShape(shapes[i], random())
			case 2:
				var s Shape
				if s, err = g.CreateShape(b, random()); err == nil {
					shapes = append(shapes, s)
				}
			case 3:
				if err = g.DestroyShape(shapes[i]); err == nil {
					shapes = append(shapes[:i], shapes[i+1:]...)
				}
			}
			if err != nil {
				refused++
			}
			look := *raw
			trace = append(trace, box2d.B2Body{M_mass: look.M_mass, M_invMass: look.M_invMass, M_I: look.M_I, M_invI: look.M_invI,
				M_sweep: look.M_sweep, M_linearVelocity: look.M_linearVelocity, M_fixtureCount: look.M_fixtureCount})
		}
		return trace, refused
	}
	want, refused := play(false)
	got, again := play(true)
	for i := range want {
		if want[i] != got[i] {
			t.Fatalf("change %d: %+v, of Box2D %+v", i, got[i], want[i])
		}
	}
	if refused != again || refused == 0 {
		t.Errorf("%d changes were refused, of Box2D %d", again, refused)
	}
}

// Whenever one shape changes, Box2D computes the masses of all shapes, and
// allocates memory for each. So the number of allocations measures the work.
func TestAChangeOfOneShapeWeighsNoOther(t *testing.T) {
	for name, change := range map[string]func(g *rig, b Body, shapes []Shape, i int){
		"SetDensity": func(g *rig, b Body, shapes []Shape, i int) { check(t, g.SetDensity(shapes[i], 2+float64(i))) },
		"CreateShape": func(g *rig, b Body, shapes []Shape, i int) {
			_, err := g.CreateShape(b, boxAt(float64(i), 5))
			check(t, err)
		},
		"DestroyShape": func(g *rig, b Body, shapes []Shape, i int) { check(t, g.DestroyShape(shapes[len(shapes)-1-i])) },
		"ReplaceShape": func(g *rig, b Body, shapes []Shape, i int) {
			check(t, g.ReplaceShape(shapes[i], boxAt(float64(i), 5)))
		},
	} {
		allocations := func(n int) float64 {
			g := newRig(t, gravity())
			b, shapes := g.bar(n, Dynamic)
			i := 0
			return testing.AllocsPerRun(100, func() { change(g, b, shapes, i); i++ })
		}
		if few, many := allocations(200), allocations(1600); many > few+20 {
			t.Errorf("%s: %v allocations for one of 200 shapes, %v for one of 1,600", name, few, many)
		}
	}
	allocations := func(n int) float64 {
		return testing.AllocsPerRun(1, func() { newRig(t, gravity()).bar(n, Dynamic) }) / float64(n)
	}
	if few, many := allocations(100), allocations(1600); many > 2*few {
		t.Errorf("CreateBody: %v allocations a shape for 100, %v for 1,600", few, many)
	}
}
