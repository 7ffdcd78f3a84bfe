package soft

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/test/norace"
)

// While the steps run, bodies are pushed, moved, and given other shapes.
func TestFatBoxesHoldWhatIsAwake(t *testing.T) {
	norace.Only(t)
	for _, scene := range []string{"tumbler", "fall1000", "pyramid"} {
		w, bodies := SceneWorld(t, scene)
		s := New(w, Options{Workers: 1})
		defer s.Close()
		r := rand.New(rand.NewPCG(7, 8))
		looked := 0
		for step := range 150 {
			for range 5 {
				b := bodies[r.IntN(len(bodies))]
				if b.M_type != box2d.B2BodyType.B2_dynamicBody {
					continue
				}
				p := b.GetPosition()
				switch r.IntN(4) {
				case 0:
					b.SetTransform(box2d.B2Vec2{X: p.X + 0.05*r.NormFloat64(), Y: p.Y + 0.05*r.NormFloat64()}, b.GetAngle()+r.NormFloat64())
				case 1:
					b.SetAngularVelocity(3 * r.NormFloat64())
				case 2:
					b.SetLinearVelocity(box2d.B2Vec2{X: 0.3 * r.NormFloat64(), Y: 0.3 * r.NormFloat64()})
				case 3:
					if b.M_fixtureCount < 3 {
						circle := box2d.MakeB2CircleShape()
						circle.M_p.Set(0.2*r.NormFloat64(), 0.2*r.NormFloat64())
						circle.M_radius = 0.1
						b.CreateFixture(&circle, 1)
					}
				}
			}
			s.Step(1.0/60, 0, 0)
			for i := range s.bodies.poses {
				p := &s.bodies.poses[i]
				if p.flags&poseAwake == 0 {
					continue
				}
				for k := s.bodies.all[i].first; k >= 0; k = s.shapes.all[k].next {
					tight := s.shapes.geometry(k).bounds(p.x, p.y, p.q, speculative)
					if !s.shapes.fatBoxes[k].contains(&tight) {
						t.Fatalf("%s, step %d: shape %d has left its fat box", scene, step, k)
					}
					fat := &s.shapes.fatBoxes[k]
					room := min(tight.lx-fat.lx, tight.ly-fat.ly, fat.ux-tight.ux, fat.uy-tight.uy)
					if math.IsNaN(float64(s.shapes.room[k])) || float64(s.shapes.room[k]) > room {
						t.Fatalf("%s, step %d: shape %d has %v m of room, and not %v", scene, step, k, room, s.shapes.room[k])
					}
					looked++
				}
			}
		}
		if looked < 10_000 {
			t.Errorf("%s: %d shapes were awake", scene, looked)
		}
	}
}
