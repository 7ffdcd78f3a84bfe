package soft

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ByteArena/box2d"
)

// Shapes are made, changed and removed at random. Each shape keeps its own bits throughout. No
// form is stored twice, and each form has a user.
func TestEqualGeometriesStandOnce(t *testing.T) {
	p := rand.New(rand.NewPCG(1, 2))
	var kinds [200]geometry // the kinds come in equal pairs, except the first kind, so there are 101 different ones
	for i := range kinds {
		kinds[i].load(&box2d.B2CircleShape{B2Shape: box2d.B2Shape{M_radius: 1}, M_p: box2d.B2Vec2{X: float64(i / 2)}}, 0, box2d.B2Vec2{})
		if i == 1 {
			kinds[i].v[0].x = float32(math.Copysign(0, -1))
		}
	}
	const shapes = 300
	var s forms
	s.grow(shapes)
	has := map[int32]int{} // by shape: its kind
	for range 3000 {
		k := int32(p.IntN(shapes))
		if p.IntN(3) == 0 {
			s.drop(k)
			delete(has, k)
		} else {
			has[k] = p.IntN(len(kinds))
			s.put(k, &kinds[has[k]])
		}
		forms := map[int32]bool{}
		for k, kind := range has {
			forms[s.of[k]] = true
			if g := &s.all[s.of[k]]; !g.is(&kinds[kind]) {
				t.Fatalf("shape %d: %v", k, g)
			}
		}
		used := 0
		for n, users := range s.users {
			if users > 0 {
				used++
			} else if s.all[n] != (geometry{}) {
				t.Fatalf("form %d is kept for nobody", n)
			}
		}
		if used != len(forms) || used > 101 || len(s.all) > 1+101 {
			t.Fatalf("%d of %d forms are in use, of shapes with %d", used, len(s.all), len(forms))
		}
	}
}
