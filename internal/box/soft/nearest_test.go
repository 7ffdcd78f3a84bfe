package soft

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Boxes and triangles that often have a corner, or a whole side, as near as another one; lines,
// as a capsule has; and such without numbers.
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
