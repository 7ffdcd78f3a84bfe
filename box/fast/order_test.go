package fast_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/box/fast"
	"halfstep/test/norace"
	"halfstep/test/whole"
	"halfstep/test/worldhash"

	"github.com/ByteArena/box2d"
)

// heap is a world of boxes that overlap each other and the ground.
func heap(seed uint64) (*box2d.B2World, []*box2d.B2Body) {
	r := rand.New(rand.NewPCG(seed, 1))
	w := box2d.MakeB2World(box2d.MakeB2Vec2(0, -10))
	add := func(kind uint8, x, y, hx, hy float64) *box2d.B2Body {
		def := box2d.MakeB2BodyDef()
		def.Type, def.Position = kind, box2d.MakeB2Vec2(x, y)
		b := w.CreateBody(&def)
		box := box2d.MakeB2PolygonShape()
		box.SetAsBox(hx, hy)
		b.CreateFixture(&box, 1)
		return b
	}
	add(0, 0, -1, 20, 1)
	var boxes []*box2d.B2Body
	for range 12 {
		boxes = append(boxes, add(2, r.Float64()*4-2, 0.5+r.Float64()*0.6, 0.5, 0.5))
	}
	return &w, boxes
}

// Once a speed is infinite, the ground is no longer inert, and becomes NaN.
// The bodies that touch the ground before that moment and after it show the
// order of the contacts.
func TestInfinitiesSpreadInTheLibrarysOrder(t *testing.T) {
	norace.Only(t)
	for name, upset := range map[string]func(b *box2d.B2Body){
		"speed": func(b *box2d.B2Body) { b.SetLinearVelocity(box2d.MakeB2Vec2(-1e200, -1e308)) },
		"mass":  func(b *box2d.B2Body) { b.M_mass, b.M_invMass = 1e-310, math.Inf(1) },
	} {
		t.Run(name, func(t *testing.T) { testInfinities(t, upset) })
	}
}

func testInfinities(t *testing.T, upset func(b *box2d.B2Body)) {
	spread := 0
	for seed := range uint64(whole.Rounds(300, 150)) {
		play := func(step func(*box2d.B2World) func(float64, int, int)) (uint64, int) {
			w, boxes := heap(seed)
			do := step(w)
			do(1.0/60, 8, 3)
			upset(boxes[seed%12])
			do(1.0/60, 1, 0)
			lost := 0
			for _, b := range boxes {
				if v := b.GetLinearVelocity(); math.IsNaN(v.X + v.Y) {
					lost++
				}
			}
			return worldhash.World(w), lost
		}
		want, lost := play(func(w *box2d.B2World) func(float64, int, int) { return w.Step })
		got, _ := play(func(w *box2d.B2World) func(float64, int, int) {
			return fast.New(w, fast.Options{Workers: 1}).Step
		})
		if got != want {
			t.Fatalf("seed %d: other bits", seed)
		}
		if lost > 0 && lost < 12 {
			spread++
		}
	}
	if spread == 0 {
		t.Error("no infinity spread to a part of a heap: the test compares nothing")
	}
}
