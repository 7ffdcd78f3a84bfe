package soft

import (
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/internal/box/b2"
	"halfstep/internal/trig"
)

// The polygons have two to eight sides. Some coordinates are NaN or infinite.
func TestTheKernelFindsTheSeparationsOfThePlainCode(t *testing.T) {
	if !wide {
		t.Skip("there is no kernel")
	}
	r := rand.New(rand.NewPCG(3, 4))
	polygonOf := func() *geometry {
		g := &geometry{kind: b2.PolygonShape}
		g.count = 2 + r.IntN(7)
		turn := 7 * r.Float64()
		for i := range g.count {
			sin, cos := trig.SinCos(turn + float64(i)*2*math.Pi/float64(g.count))
			g.v[i] = vec{float32(2 * cos), float32(sin)}
		}
		g.setNormals()
		g.pad(8)
		return g
	}
	same := func(a, b float32) bool { return a == b || a != a && b != b }
	for range 20_000 {
		a, b := polygonOf(), polygonOf()
		sin, cos := trig.SinCos(7 * r.Float64())
		q, at := rot{float32(sin), float32(cos)}, vec{float32(3 * r.NormFloat64()), float32(3 * r.NormFloat64())}
		switch r.IntN(20) {
		case 0:
			at.x = float32(math.NaN())
		case 1:
			at.y = float32(math.Inf(1))
		case 2:
			b.v[r.IntN(b.count)].x = float32(math.NaN())
			b.pad(8)
		case 3:
			a.v[r.IntN(a.count)].y = float32(math.Inf(-1))
			a.pad(8)
		}
		var got, want polygon
		edgeA, sepA, edgeB, sepB := separateWide(&a.polygon, &b.polygon, &got, q, at)
		want.load(&b.polygon, q, at)
		for i := range want.count {
			if !same(got.v[i].x, want.v[i].x) || !same(got.v[i].y, want.v[i].y) || !same(got.n[i].x, want.n[i].x) || !same(got.n[i].y, want.n[i].y) {
				t.Fatalf("%v at %v %v is %v, and %v in the plain code", b.polygon, q, at, got, want)
			}
		}
		for k, p := range [2][2]*polygon{{&a.polygon, &want}, {&want, &a.polygon}} {
			edge, most := [...]int{edgeA, edgeB}[k], [...]float32{sepA, sepB}[k]
			if wantEdge, wantMost := separationOf(p[0], p[1]); edge != wantEdge || !same(most, wantMost) || got.count != want.count || got.radius != want.radius {
				t.Fatalf("side %d of %v and %v at %v %v is %v apart, and side %d %v in the plain code", edge, a.polygon, b.polygon, q, at, most, wantEdge, wantMost)
			}
		}
	}
}
