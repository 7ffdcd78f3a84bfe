package soft_test

import (
	"slices"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/soft"
)

// orderly records the positions of the contacts that begin.
type orderly struct {
	library
	at *[]float64
}

func (o orderly) BeginContact(c box.Contact, _ float64) {
	_, b := c.Shapes()
	*o.at = append(*o.at, b.M_body.GetPosition().X)
}

// Contacts that were filtered again and other contacts begin in one step. They are in one
// block or in many blocks.
func TestContactsBeginInOneOrderForAnyNumberOfWorkers(t *testing.T) {
	play := func(workers int) (at []float64) {
		w := box2d.MakeB2World(box2d.B2Vec2{})
		add := func(kind uint8, x, y, hx, hy float64) *box2d.B2Body {
			def := box2d.MakeB2BodyDef()
			def.Type, def.Position = kind, box2d.B2Vec2{X: x, Y: y}
			b := w.CreateBody(&def)
			shape := box2d.MakeB2PolygonShape()
			shape.SetAsBox(hx, hy)
			b.CreateFixture(&shape, 1)
			return b
		}
		add(box2d.B2BodyType.B2_staticBody, 0, -1, 50, 1)
		s := soft.New(&w, soft.Options{Workers: workers, Listener: orderly{at: &at}})
		defer s.Close()
		s.ForceParallel()
		var boxes []*box2d.B2Body
		for i := range 12 {
			boxes = append(boxes, add(box2d.B2BodyType.B2_dynamicBody, float64(2*i), .51, .5, .5))
		}
		s.Step(1./60, 0, 0)
		for i, b := range boxes {
			b.SetLinearVelocity(box2d.B2Vec2{Y: -1})
			if i%2 == 1 {
				b.M_fixtureList.Refilter()
			}
		}
		s.Step(1./60, 0, 0)
		return at
	}
	want := play(1)
	if len(want) != 12 {
		t.Fatalf("%d of 12 boxes have landed", len(want))
	}
	for _, workers := range []int{2, 3} {
		if got := play(workers); !slices.Equal(got, want) {
			t.Errorf("%d workers: contacts begin at %v; with one at %v", workers, got, want)
		}
	}
}
