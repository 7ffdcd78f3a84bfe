package soft

import (
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/internal/box/b2"
	"halfstep/internal/trig"
	"halfstep/test/norace"
)

// The shapes are boxes and triangles, of which several corners or sides are often equally near.
// There are also lines, as in a capsule, and shapes with NaNs.
func TestTheKernelFindsTheNearestSideOfThePlainCode(t *testing.T) {
	if !wide {
		t.Skip("there is no kernel")
	}
	defer func() { wide = true }()
	r := rand.New(rand.NewPCG(5, 6))
	polygonOf := func() *polygon {
		p := &polygon{count: 2 + r.IntN(3)}
		for i := range p.count {
			p.v[i] = vec{float32(r.IntN(5)), float32(r.IntN(5))}
			if r.IntN(2) == 0 {
				p.v[i] = vec{float32(r.NormFloat64()), float32(r.NormFloat64())}
			}
		}
		switch v := &p.v[r.IntN(p.count)]; r.IntN(30) {
		case 0:
			v.x = float32(math.NaN())
		case 1:
			v.y = float32(math.Inf(1))
		case 2:
			*v = vec{3e19, 3e19}
		case 3:
			for i := range p.v {
				p.v[i] = vec{2e38, float32(math.NaN())}
			}
		}
		p.pad(8)
		return p
	}
	for range 100_000 {
		a, b := polygonOf(), polygonOf()
		wide = true
		corner, side, ofA := nearestSide(a, b)
		wide = false
		if c, s, of := nearestSide(a, b); c != corner || s != side || of != ofA {
			t.Fatalf("corner %d of A (%v) is nearest to side %d of %v and %v, and corner %d (%v) to side %d in the plain code", corner, ofA, side, a, b, c, of, s)
		}
	}
}

// someShape returns a disc, a line, or a polygon of up to eight corners. The corners may be
// round.
func someShape(r *rand.Rand) geometry {
	g := geometry{kind: b2.PolygonShape, polygon: polygon{count: 2 + r.IntN(7), radius: float32(r.IntN(2)) * r.Float32()}}
	if r.IntN(4) == 0 {
		g.kind, g.count = b2.CircleShape, 1
	}
	turn, from := 7*r.Float64(), vec{r.Float32(), r.Float32()}
	for i := range g.count {
		sin, cos := trig.SinCos(turn + float64(i)*2*math.Pi/float64(g.count))
		g.v[i] = from.add(vec{float32(2 * cos), float32(sin)})
	}
	if g.count > 1 {
		g.setNormals()
	}
	g.pad(8)
	return g
}

// A shape that is dropped before its distance is computed must be at least as far away as the
// bound says.
func TestWhatIsBeyondAShapeIsAsFarAwayOnItsWay(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	beyond := 0
	for range 20_000 {
		a, b := someShape(r), someShape(r)
		sin, cos := trig.SinCos(7 * r.Float64())
		at := vec{float32(5 * r.NormFloat64()), float32(5 * r.NormFloat64())}
		extent, _ := b.extents()
		way, room := vec{float32(3 * r.NormFloat64()), float32(3 * r.NormFloat64())}, 2*r.Float32()
		if !a.isBeyond(at, way, extent+room) {
			continue
		}
		beyond++
		for k := float32(0); k <= 8; k++ {
			if d, _ := gap(&a, &b, rot{float32(sin), float32(cos)}, at.plus(k/8, way)); !(d > room) {
				t.Fatalf("%v comes as close as %v to %v on a way of %v, and not more than %v", b, d, a, way, room)
			}
		}
	}
	if beyond < 1000 {
		t.Errorf("only %d were beyond", beyond)
	}
}

// If a shape ends deep in another shape, conservative advancement must stop it earlier. The two
// shapes may be apart or overlap at the beginning.
func TestWhatEndsInAShapeIsStoppedBefore(t *testing.T) {
	norace.Only(t)
	r := rand.New(rand.NewPCG(9, 10))
	courseOf := func() *course {
		sin, cos := trig.SinCos(7 * r.Float64())
		d := vec{float32(r.NormFloat64()), float32(r.NormFloat64())}
		return &course{2 * r.NormFloat64(), 2 * r.NormFloat64(), rot{float32(sin), float32(cos)}, d, clamp(float32(r.NormFloat64()), -mostTurn, mostTurn)}
	}
	ends := 0
	for range 200_000 {
		other, g, own, c := someShape(r), someShape(r), courseOf(), courseOf()
		q, at := c.at(0, c.q, c.to(own), own)
		start, _ := gap(&other, &g, q, at)
		depths := [...]float32{0, -lesser(start, 0), other.radius + g.radius}
		until, depth := r.Float32(), depths[r.IntN(3)]+linearSlop*r.Float32()
		if !c.endsIn(&other, until, depth, own, &g) {
			continue
		}
		ends++
		if at, met := c.advanceTo(&other, own, &g, -depth, sameTime); !met || at > until {
			t.Fatalf("%v of %v, with a gap of %v, ends %v deep in %v of %v at %v, and is stopped (%v) at %v", g, own, start, depth, other, c, until, met, at)
		}
	}
	if ends < 1000 {
		t.Errorf("only %d ended in the other", ends)
	}
}
