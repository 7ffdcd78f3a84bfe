package soft

import (
	"math/rand/v2"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/test/norace"
)

// While the steps run, bodies are pushed and moved.
func TestABodyTouchesAnotherIfAContactThatWasSolvedSaysSo(t *testing.T) {
	norace.Only(t)
	for _, scene := range []string{"tumbler", "fall1000"} {
		w, bodies := SceneWorld(t, scene)
		s := New(w, Options{Workers: 1})
		defer s.Close()
		r := rand.New(rand.NewPCG(9, 10))
		seen := map[bool]int{}
		for step := range 150 {
			if b := bodies[r.IntN(len(bodies))]; b.M_type == box2d.B2BodyType.B2_dynamicBody {
				p := b.GetPosition()
				b.SetTransform(box2d.B2Vec2{X: p.X + r.NormFloat64(), Y: p.Y + r.NormFloat64()}, b.GetAngle())
				b.SetLinearVelocity(box2d.B2Vec2{X: r.NormFloat64(), Y: 20 * r.NormFloat64()})
			}
			s.Step(1.0/60, 0, 0)
			for _, b := range bodies {
				want := false
				for of := range s.set.ContactsOf(b) {
					c := &s.contacts.all[of.Number()]
					want = want || c.isSolid() && c.flags&touching != 0 && (s.bodies.poses[c.bodyA].flags|s.bodies.poses[c.bodyB].flags)&poseDynamic != 0
				}
				if got := s.Touches(s.set.Bodies.Number(b)); got != want {
					t.Fatalf("%s, step %d: a body touches another: %v, not %v", scene, step, got, want)
				}
				seen[want]++
			}
		}
		if seen[false] < 1000 || seen[true] < 1000 {
			t.Errorf("%s: touches counts %v", scene, seen)
		}
	}
}
