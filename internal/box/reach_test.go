package box

import (
	"slices"
	"testing"

	"github.com/ByteArena/box2d"
)

// A restore can list a contact between two sleeping bodies. Reach must follow
// such contacts, in whatever order they are listed.
func TestBodiesAreReachedOverContactsThatWereListedBefore(t *testing.T) {
	const n = 5
	for _, newestFirst := range []bool{false, true} {
		w := box2d.MakeB2World(box2d.B2Vec2{})
		s := New(&w, true)
		circle := box2d.MakeB2CircleShape()
		circle.SetRadius(.5)
		for i := range n {
			def := box2d.MakeB2BodyDef()
			def.Type, def.Position.X = box2d.B2BodyType.B2_dynamicBody, .99*float64(i)
			w.CreateBody(&def).CreateFixture(&circle, 1)
		}
		w.Step(1./60, 1, 1)
		if !s.Begin() || len(s.Contacts.Active) != n-1 {
			t.Fatalf("%d contacts", len(s.Contacts.Active))
		}
		first := s.Bodies.Number(w.M_bodyList)
		for b := w.M_bodyList; b != nil; b = b.M_next {
			s.Bodies.All[s.Bodies.Number(b)].Listed = s.Bodies.Number(b) == first
		}
		s.Bodies.Active = append(s.Bodies.Active[:0], first)
		contacts := slices.Clone(s.Contacts.Active)
		if newestFirst {
			slices.Reverse(contacts)
		}
		s.Reach(contacts, len(s.Contacts.Active))
		if len(s.Bodies.Active) != n {
			t.Errorf("newest first %v: %d of %d bodies are reached", newestFirst, len(s.Bodies.Active), n)
		}
	}
}
