package glrender

import (
	"math/rand/v2"
	"testing"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"
)

// published is a world whose states pass through an exchange.
type published struct {
	*world
	x       *buffer.Exchange[body2d.State]
	changed []int32
	ticks   uint64
}

func newPublished(w *world) *published {
	p := &published{world: w, x: buffer.NewExchange[body2d.State]()}
	p.tick()
	return p
}

// move moves the body in a slot.
func (p *published) move(slot int, by float32) {
	p.cur[slot].X += by
	p.changed = append(p.changed, int32(slot))
}

func (p *published) tick() {
	s := p.x.Next()
	s.Update(len(p.cur), p.changed, func(i int, to *body2d.State) { *to = p.cur[i] })
	s.Meta = buffer.Meta{Tick: p.ticks}
	if p.ticks++; p.ticks == 1 {
		p.x.Restart()
	} else {
		p.x.Publish()
	}
	p.changed = p.changed[:0]
}

// view returns a view of the newest pair of states, or of the pair before.
func (p *published) view(alpha float32, lag uint64) *view {
	p.x.AcquireUpTo(p.ticks - 1 - lag)
	prev, cur := p.x.Previous(), p.x.Current()
	return &view{
		Prev: prev.States, Cur: cur.States, PrevSerial: prev.Serial, CurSerial: cur.Serial,
		PrevChanges: &prev.Changes, CurChanges: &cur.Changes, Alpha: alpha, Dt: 1. / 60, Scene: p.scene,
	}
}

// whole returns the same view without its changes.
func whole(v *view) *view {
	w := *v
	w.PrevChanges, w.CurChanges = nil, nil
	return &w
}

// The uploads for moving bodies have only the bytes of these bodies, in two calls,
// wherever the bodies are in the states and however many other bodies sleep.
func TestUploadsFollowWhatChanges(t *testing.T) {
	const awake = 20
	for _, n := range []int{200, 5000} {
		r := newRenderer(t, 64, 48)
		p := newPublished(crowd(n))
		cost := func(lag uint64) Work { return frameCost(t, r, p.view(.5, lag), DefaultLayers).Core }
		for range 2 * ringSize {
			p.tick()
			cost(0)
		}
		still := cost(0)
		for _, apart := range []int{1, n / awake} {
			for tick := range 30 {
				for i := range awake {
					p.move(i*apart, 0.1)
				}
				p.tick()
				if tick < ringSize {
					cost(0)
					continue
				}
				if w := cost(0); w.Bytes-still.Bytes != awake*stateBytes || w.Calls > still.Calls+3 {
					t.Errorf("%d bodies, %d apart: %d bytes and %d calls beyond those of a frame without a new tick", n, apart, w.Bytes-still.Bytes, w.Calls-still.Calls)
				}
			}
		}
	}
}

// Partial uploads draw the same picture as complete uploads, even with skipped ticks,
// a lag, and growth.
func TestPartialUploadsAreDrawnLikeWholeOnes(t *testing.T) {
	fb := Viewport{W: 160, H: 120}
	parts := newRenderer(t, fb.W, fb.H)
	wholes, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer wholes.Close()
	r := rand.New(rand.NewPCG(6, 6))
	p := newPublished(crowd(300))
	cam := scene.Camera{Height: 20}
	for tick := range 60 {
		for range r.IntN(12) {
			p.move(r.IntN(len(p.cur)), r.Float32()-.5)
		}
		if tick%20 == 15 {
			p.body(dynamic, r.Float64()*10, r.Float64()*10, 0, box(.5, .5))
			p.tick()
			p.view(0, 0)
		}
		if p.tick(); r.IntN(3) == 0 {
			continue
		}
		v := p.view(r.Float32(), r.Uint64N(2))
		got := shot(t, parts, v, cam, fb, DefaultLayers)
		want := shot(t, wholes, whole(v), cam, fb, DefaultLayers)
		if n, _ := differing(got, want); n != 0 {
			t.Fatalf("tick %d: %d pixels differ", tick, n)
		}
	}
}
