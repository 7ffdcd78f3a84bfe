package fast

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/test/norace"
)

// With positions and angles on a grid, several edges have the same separation.
// The hints must not decide which edge wins.
func TestPolygonsCollideAsInTheLibraryWhateverTheHints(t *testing.T) {
	norace.Only(t)
	r := rand.New(rand.NewPCG(3, 4))
	shapes := make([]*box2d.B2PolygonShape, 6)
	for i := range shapes {
		p := box2d.MakeB2PolygonShape()
		if i < 4 {
			p.SetAsBox(0.5*float64(1+i%2), 0.5)
		} else {
			vs := make([]box2d.B2Vec2, 3+i)
			for k := range vs {
				a := 2 * math.Pi * float64(k) / float64(len(vs))
				vs[k] = box2d.MakeB2Vec2(math.Cos(a), math.Sin(a))
			}
			p.Set(vs, len(vs))
		}
		shapes[i] = &p
	}
	place := func() box2d.B2Transform {
		xf := box2d.MakeB2Transform()
		angle := float64(r.IntN(8)) * math.Pi / 4
		if r.IntN(3) == 0 {
			angle = r.Float64()
		}
		xf.Set(box2d.MakeB2Vec2(0.25*float64(r.IntN(6)), 0.25*float64(r.IntN(6))), angle)
		return xf
	}
	touching := 0
	for range 200_000 {
		pA, pB := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
		a, b := &box2d.B2Body{M_xf: place()}, &box2d.B2Body{M_xf: place()}
		ref := contactRef{bA: a, bB: b, hintA: uint8(r.IntN(8)), hintB: uint8(r.IntN(8))}
		if r.IntN(2) == 0 {
			ref.separatingEdge = uint8(1 + 128*r.IntN(2) + r.IntN(4))
		}
		before := box2d.B2Manifold{PointCount: 1, Type: 2, LocalPoint: box2d.MakeB2Vec2(7, 8)}
		want, got := before, before
		box2d.B2CollidePolygons(&want, pA, a.M_xf, pB, b.M_xf)
		collidePolygons(&ref, &got, pA, pB)
		if want != got {
			t.Fatalf("%v against %v: %+v, the library's %+v", a.M_xf, b.M_xf, got, want)
		}
		if want.PointCount > 0 {
			touching++
		}
	}
	if touching < 1000 {
		t.Errorf("only %d of the pairs touch", touching)
	}
}
