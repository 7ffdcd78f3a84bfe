package world

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/test/norace"
)

func TestHashIsFNV1aOfTheBodies(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	for i := range 9 {
		r.box(float64(i)*.8, 1+float64(i))
	}
	r.start()
	r.run(50)
	h := fnv.New64a()
	for n := range r.Bodies() {
		b := r.BodyPointer(n)
		for _, x := range []float64{b.GetPosition().X, b.GetPosition().Y, b.GetAngle(),
			b.GetLinearVelocity().X, b.GetLinearVelocity().Y, b.GetAngularVelocity()} {
			u := math.Float64bits(x)
			h.Write([]byte{byte(u), byte(u >> 8), byte(u >> 16), byte(u >> 24), byte(u >> 32), byte(u >> 40), byte(u >> 48), byte(u >> 56)})
		}
	}
	if h.Sum64() != r.Hash() {
		t.Errorf("%x, want %x", r.Hash(), h.Sum64())
	}
}

// playthrough plays the same commands at the same ticks, with extra calls in between.
func playthrough(t *testing.T, extra func(r *rig)) uint64 {
	r := newRig(t, gravity())
	r.ground()
	var bodies []Body
	for i := range 40 {
		bodies = append(bodies, r.box(float64(i%8)*1.1, 1+float64(i/8)*1.1))
	}
	r.AddContactHook(func(w *World, contacts []Event) {
		for _, c := range contacts {
			if c.Impulse > 4 {
				w.Impulse(c.B, Vec{X: c.Impulse / 9, Y: 1})
			}
		}
	})
	r.start()
	random := rand.New(rand.NewPCG(1, 2))
	for tick := range uint64(300) {
		b := bodies[random.IntN(len(bodies))]
		switch random.IntN(5) {
		case 0:
			r.apply(Command{Op: opImpulse, Body: b, V: Vec{X: random.Float64() * 3, Y: 5}})
		case 1:
			r.apply(Command{Op: opTeleport, Body: b, P: Vec{X: random.Float64() * 9, Y: 9}})
		case 2:
			r.apply(Command{Op: opDestroyBody, Body: b},
				Command{Op: opCreateBody, Body: Body(tick + 1), Shape: Shape(tick + 1), BodyDef: &BodyDef{Kind: Dynamic, Position: Vec{X: 4, Y: 12}, Shapes: []ShapeDef{Circle(.4)}}})
		}
		extra(r)
		r.tick++
		r.Step(r.tick, dt)
	}
	return r.Hash()
}

func TestCapturingAndReadingDoNotChangeTheRun(t *testing.T) {
	norace.Only(t)
	want := playthrough(t, func(*rig) {})
	for name, extra := range map[string]func(*rig){
		"again":          func(*rig) {},
		"captured":       func(r *rig) { r.capture() },
		"captured twice": func(r *rig) { r.capture(); debugOf(r); r.capture() },
		"now and then": func(r *rig) {
			if r.tick%7 == 0 {
				r.capture()
			}
		},
		"in frames": func(r *rig) { r.EndFrame(); r.BeginFrame() },
		"queried": func(r *rig) {
			r.Query(QueryFilter{Sensors: true}).OverlapBox(Vec{X: -9, Y: -9}, Vec{X: 9, Y: 9}, func(Body, Shape) bool { return true })
			r.Query(QueryFilter{}).RayCast(Vec{X: -9, Y: 1}, Vec{X: 9, Y: 1})
		},
	} {
		if got := playthrough(t, extra); got != want {
			t.Errorf("%s: %x, want %x", name, got, want)
		}
	}
}
