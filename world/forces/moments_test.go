package forces

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/world"
)

func same(a, b moments, eps float64) bool {
	return math.Abs(a.area-b.area) <= eps && math.Abs(a.x-b.x) <= eps && math.Abs(a.y-b.y) <= eps
}

// fixture returns the fixture of a shape on a body with a random place and
// angle.
func fixture(t *testing.T, r *rand.Rand, s world.ShapeDef) *box2d.B2Fixture {
	t.Helper()
	w := world.NewSimulation(world.Config{NoGravity: true}).World()
	b, err := w.CreateBody(world.BodyDef{Position: world.Vec{X: r.NormFloat64(), Y: r.NormFloat64()}, Angle: 6 * r.Float64(), Shapes: []world.ShapeDef{s}})
	if err != nil {
		t.Fatal(err)
	}
	return w.BodyPointer(b).M_fixtureList
}

func someShape(r *rand.Rand) world.ShapeDef {
	if r.IntN(2) == 0 {
		return world.CircleAt(.3*r.NormFloat64(), .3*r.NormFloat64(), .2+r.Float64())
	}
	return world.Polygon(star(r, 3+r.IntN(6), .5, .5)...) // its hull
}

// star is a star-shaped outline about the origin, counter-clockwise.
func star(r *rand.Rand, n int, least, spread float64) (outline []world.Vec) {
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i) + .5*r.Float64()) / float64(n))
		k := least + spread*r.Float64()
		outline = append(outline, world.Vec{X: k * cos, Y: k * sin})
	}
	return outline
}

func in(t *testing.T, f *box2d.B2Fixture, level float64, outline ...world.Vec) moments {
	t.Helper()
	var c clipper
	if !c.set(level, outline) {
		t.Fatalf("refused: %v", outline)
	}
	return c.part(f)
}

// The part of a shape in an outline is the sum of its parts in the triangles
// of the outline, whether the outline runs clockwise or counter-clockwise.
func TestThePartInAnOutlineIsTheSumOfItsPartsInTriangles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	wet := 0
	for range 3000 {
		f := fixture(t, r, someShape(r))
		outline := star(r, 4+r.IntN(7), .2, 2)
		sum := moments{}
		for i := range outline {
			sum.add(in(t, f, 0, world.Vec{}, outline[i], outline[(i+1)%len(outline)]))
		}
		whole := in(t, f, 0, outline...)
		if !same(whole, sum, 1e-11) {
			t.Fatalf("whole %v, parts %v", whole, sum)
		}
		reversed := make([]world.Vec, len(outline))
		for i, p := range outline {
			reversed[len(outline)-1-i] = p
		}
		if got := in(t, f, 0, reversed...); !same(got, whole, 1e-11) {
			t.Fatalf("clockwise %v, counter-clockwise %v", got, whole)
		}
		if all := areaOf(f); whole.area < -1e-12 || whole.area > all+1e-11 {
			t.Fatalf("area %v of %v", whole.area, all)
		} else if whole.area > .01*all && whole.area < .99*all {
			wet++
		}
	}
	if wet < 1000 {
		t.Errorf("only %d shapes are partly in", wet)
	}
}

// A fluid below a level has the same moments as a huge outline with that level
// as its top.
func TestALevelIsTheTopOfAHugeOutline(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 2000 {
		f, y := fixture(t, r, someShape(r)), r.NormFloat64()
		a := in(t, f, y)
		b := in(t, f, 0, world.Vec{X: -50, Y: -50}, world.Vec{X: 50, Y: -50}, world.Vec{X: 50, Y: y}, world.Vec{X: -50, Y: y})
		if !same(a, b, 1e-10) {
			t.Fatalf("level %v: %v, outline %v", y, a, b)
		}
	}
}

func TestACircleAndAHalfPlaneHaveTheSegmentInCommon(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, h := range []float64{.1, .5, 1, 1.3, 1.999} { // the depth in the fluid of a circle with a radius of 1 m
		f := fixture(t, r, world.Circle(1))
		middle := f.M_body.M_xf.P
		got := in(t, f, middle.Y-1+h)
		area := math.Acos(1-h) - (1-h)*math.Sqrt(2*h-h*h)
		down := math.Pow(2*h-h*h, 1.5) * 2 / 3 // first moment of the segment, downwards, m³
		want := moments{area, area * middle.X, area*middle.Y - down}
		if !same(got, want, 1e-12) {
			t.Errorf("%v m deep: %v, want %v", h, got, want)
		}
	}
}

// Sums over a grid find errors that are common to the two other tests.
func TestMomentsAgreeWithAGrid(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 12 {
		f := fixture(t, r, someShape(r))
		tri := []world.Vec{{X: -1, Y: -1}, {X: 1.5, Y: -.5}, {X: .2, Y: 1.4}}
		got, want := in(t, f, 0, tri...), moments{}
		const n, reach = 500, 3.0
		cell := 2 * reach / n
		for i := range n {
			for k := range n {
				p := box2d.B2Vec2{X: -reach + (float64(i)+.5)*cell, Y: -reach + (float64(k)+.5)*cell}
				inside := true
				for e := range tri {
					a, b := tri[e], tri[(e+1)%3]
					inside = inside && (b.X-a.X)*(p.Y-a.Y)-(b.Y-a.Y)*(p.X-a.X) > 0
				}
				if inside && f.M_shape.TestPoint(f.M_body.M_xf, p) {
					want.add(moments{cell * cell, cell * cell * p.X, cell * cell * p.Y})
				}
			}
		}
		if !same(got, want, .02) {
			t.Errorf("%v, by the grid %v", got, want)
		}
	}
}
