package b2_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

type endings struct {
	box2d.B2ContactListenerInterface
	ended int
}

func (e *endings) EndContact(box2d.B2ContactInterface) { e.ended++ }

// There are two equal worlds. In one of them the library destroys the contacts.
func TestDestroyContactLeavesWhatTheLibraryLeaves(t *testing.T) {
	var worlds [2]*box2d.B2World
	var told [2]endings
	for k := range worlds {
		w := box2d.MakeB2World(box2d.B2Vec2{})
		w.SetContactFilter(&box2d.B2ContactFilter{})
		for i := range 6 {
			bd := box2d.MakeB2BodyDef()
			bd.Type = box2d.B2BodyType.B2_dynamicBody
			bd.Position.X = 0.3 * float64(i)
			b := w.CreateBody(&bd)
			fd := box2d.MakeB2FixtureDef()
			fd.Filter = box2d.MakeB2Filter()
			fd.IsSensor = i == 1
			circle, box := box2d.MakeB2CircleShape(), box2d.MakeB2PolygonShape()
			circle.M_radius = 0.5
			box.SetAsBox(0.4, 0.4)
			if fd.Shape = &circle; i%2 == 0 {
				fd.Shape = &box
			}
			b.CreateFixtureFromDef(&fd)
		}
		w.Step(1.0/60, 1, 1)
		w.M_contactManager.M_contactListener = &told[k]
		for b := w.M_bodyList; b != nil; b = b.M_next {
			b.SetAwake(false)
		}
		worlds[k] = &w
	}
	nth := func(w *box2d.B2World, n int) box2d.B2ContactInterface {
		c := w.M_contactManager.M_contactList
		for range n {
			c = c.GetNext()
		}
		return c
	}
	// The function look returns the contents of the lists, with the indices of bodies, and
	// which bodies are awake.
	look := func(w *box2d.B2World) (seen []any) {
		place := map[*box2d.B2Body]int{}
		for b := w.M_bodyList; b != nil; b = b.M_next {
			place[b] = len(place)
		}
		number := map[box2d.B2ContactInterface]int{nil: -1}
		for c := w.M_contactManager.M_contactList; c != nil; c = c.GetNext() {
			seen = append(seen, place[c.GetFixtureA().M_body], place[c.GetFixtureB().M_body], number[c.GetPrev()])
			number[c] = len(number)
		}
		for b := w.M_bodyList; b != nil; b = b.M_next {
			seen = append(seen, b.IsAwake(), "contacts")
			var last *box2d.B2ContactEdge
			for e := b.M_contactList; e != nil; last, e = e, e.Next {
				seen = append(seen, number[e.Contact], e.Prev == last)
			}
		}
		return append(seen, w.M_contactManager.M_contactCount)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for left := worlds[0].M_contactManager.M_contactCount; left > 0; left-- {
		n := r.IntN(left)
		worlds[0].M_contactManager.Destroy(nth(worlds[0], n))
		c := nth(worlds[1], n)
		b2.DestroyContact(&worlds[1].M_contactManager, c, b2.BaseContact(c))
		if a, b := look(worlds[0]), look(worlds[1]); !reflect.DeepEqual(a, b) {
			t.Fatalf("%d contacts are left: %v, and the library leaves %v", left-1, b, a)
		}
	}
	if told[0].ended == 0 || told[1].ended != told[0].ended {
		t.Errorf("the listener is told of %d, and by the library of %d", told[1].ended, told[0].ended)
	}
}
