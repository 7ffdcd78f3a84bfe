package fast

import (
	"fmt"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

func TestContactsAreMadeAsByTheLibrary(t *testing.T) {
	circle, polygon := box2d.MakeB2CircleShape(), box2d.MakeB2PolygonShape()
	edge, chain := box2d.MakeB2EdgeShape(), box2d.MakeB2ChainShape()
	polygon.SetAsBox(1, 1)
	fixtures := make([]*box2d.B2Fixture, 0, 8)
	for i, shape := range []box2d.B2ShapeInterface{&circle, &polygon, &edge, &chain, &circle, &polygon, &edge, &chain} {
		f := box2d.NewB2Fixture()
		f.M_shape = shape
		f.M_friction, f.M_restitution = 0.1*float64(i+1), 0.9-0.1*float64(i)
		fixtures = append(fixtures, f)
	}
	index := func(f *box2d.B2Fixture) int {
		for i, g := range fixtures {
			if f == g {
				return i
			}
		}
		return -1
	}
	text := func(c box2d.B2ContactInterface) string {
		if c == nil {
			return "none"
		}
		return fmt.Sprintf("%T %d %d/%d %d/%d %x %x %v %v", c, c.GetFlags(), index(c.GetFixtureA()), c.GetChildIndexA(),
			index(c.GetFixtureB()), c.GetChildIndexB(), c.GetFriction(), c.GetRestitution(), c.GetTangentSpeed(), *c.GetManifold())
	}
	made := 0
	for _, a := range fixtures {
		for _, b := range fixtures {
			childA, childB := 0, 0 // only a chain has other children
			if a.M_shape == &chain {
				childA = 3
			}
			if b.M_shape == &chain {
				childB = 5
			}
			want := text(box2d.B2ContactFactory(a, childA, b, childB))
			if got := text(b2.NewContact(a, childA, b, childB)); got != want {
				t.Errorf("%d with %d: %s, the library's %s", index(a), index(b), got, want)
			}
			if want != "none" {
				made++
			}
		}
	}
	if made != 48 {
		t.Errorf("%d pairs have contacts, want 48", made)
	}
}
