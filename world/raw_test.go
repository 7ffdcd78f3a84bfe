package world

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/test/norace"
	"halfstep/test/whole"
)

// playedTick is what a tick of a run shows.
type playedTick struct {
	hash     uint64
	answers  string
	snapshot string
}

// playRaw plays a world to which a controller gives commands of all kinds, and of which the
// controller asks questions. If raw returns true, the controller reads Box2D's own world before it
// asks, and asks again after that.
func playRaw(t *testing.T, seed uint64, steps int, raw func(tick int) bool) (ticks []playedTick) {
	t.Helper()
	sim := NewSimulation(Config{Gravity: Vec{Y: -10}, Stepper: SoftStep, Workers: 1, MaxContacts: 400})
	defer sim.Close()
	w := sim.World()
	r := rand.New(rand.NewPCG(seed, 4))
	c := NewChaos(r, w)
	tick, kept := 0, Snapshot{}
	var is *playedTick
	ask := func() (answers string) {
		for _, f := range []QueryFilter{{}, {Sensors: true, Disabled: true}} {
			note := func(b Body, s Shape) bool { answers += fmt.Sprint(b, s, " "); return true }
			check(t, w.Query(f).OverlapBox(Vec{X: -20, Y: -20}, Vec{X: 20, Y: 20}, note))
			check(t, w.Query(f).OverlapPoint(Vec{X: 1, Y: 1}, note))
			check(t, w.Query(f).RayCastAll(Vec{X: -30, Y: 2}, Vec{X: 30, Y: 1}, func(h RayHit) bool {
				answers += fmt.Sprint(h, " ")
				return true
			}))
		}
		return answers
	}
	w.AddController(ControllerFunc(func(w *World, _ float64) {
		if raw(tick) {
			w.Box2D()
		}
		for range r.IntN(4) {
			k := c.Command()
			w.do(&k)
		}
		is.answers = ask()
		switch n := r.IntN(8); {
		case n == 0:
			check(t, w.Snapshot(&kept))
		case n == 1 && kept.of != nil:
			check(t, w.restore(&kept, asBefore, 0))
		}
		is.hash = w.StateHash()
	}))
	for tick = range steps {
		ticks = append(ticks, playedTick{})
		is = &ticks[tick]
		sim.BeginFrame()
		sim.Step(w.Tick()+1, dt)
		sim.EndFrame()
		is.hash = 31*is.hash + w.StateHash()
		is.answers += ask()
		var s Snapshot
		check(t, w.Snapshot(&s))
		b, err := s.MarshalBinary()
		check(t, err)
		is.snapshot = string(b)
	}
	return ticks
}

// Now and then, or in each tick, a controller gets Box2D's world, and changes nothing in it.
func TestARunWithRawAccessIsOneWithout(t *testing.T) {
	norace.Only(t)
	for seed := range uint64(whole.Rounds(20, 6)) {
		const steps = 60
		want := playRaw(t, seed, steps, func(int) bool { return false })
		when := rand.New(rand.NewPCG(seed, 5))
		for name, raw := range map[string]func(int) bool{
			"now and then": func(int) bool { return when.IntN(5) == 0 }, "in each tick": func(int) bool { return true },
		} {
			for i, got := range playRaw(t, seed, steps, raw) {
				if got.hash != want[i].hash {
					t.Fatalf("seed %d, raw access %s: another hash in tick %d", seed, name, i+1)
				} else if got.answers != want[i].answers {
					t.Fatalf("seed %d, raw access %s: other answers in tick %d:\n%s\nnot\n%s", seed, name, i+1, got.answers, want[i].answers)
				} else if got.snapshot != want[i].snapshot {
					t.Fatalf("seed %d, raw access %s: another snapshot in tick %d", seed, name, i+1)
				}
			}
		}
	}
}

func TestBox2DHasATreeWithSoftStepDuringRawAccessAlone(t *testing.T) {
	norace.Only(t)
	r := newRig(t, Config{Stepper: SoftStep})
	a := r.box(0, 0)
	r.box(3, 0)
	r.start()
	bp := &r.b2.M_contactManager.M_broadPhase
	leaves := func() (n int) {
		r.b2.QueryAABB(func(*box2d.B2Fixture) bool { n++; return true }, box2d.B2AABB{LowerBound: box2d.B2Vec2{X: -9, Y: -9}, UpperBound: box2d.B2Vec2{X: 9, Y: 9}})
		return n
	}
	asked := 0
	r.AddController(ControllerFunc(func(w *World, _ float64) {
		if asked = leaves(); asked != 0 || bp.M_proxyCount != 0 {
			t.Errorf("tick %d: Box2D's tree has %d shapes before it is asked for", w.Tick(), asked)
		}
		w.Box2D()
		if asked = leaves(); asked != bp.M_proxyCount || asked < 2 {
			t.Errorf("tick %d: Box2D's tree has %d shapes, of %d", w.Tick(), asked, bp.M_proxyCount)
		}
		bp.M_tree.Validate()
		if _, err := w.CreateBody(BodyDef{Kind: Dynamic, Position: Vec{X: float64(w.Tick()) - 5}, Shapes: []ShapeDef{Box(.1, .1)}}); err != nil {
			t.Error(err)
		}
		if n := leaves(); n != asked+1 {
			t.Errorf("tick %d: Box2D's tree has %d shapes after one was made, and had %d", w.Tick(), n, asked)
		}
		if w.Tick() == 2 {
			check(t, w.DestroyBody(a))
		}
	}))
	r.run(4)
	for b := r.b2.M_bodyList; b != nil; b = b.M_next {
		if f := b.M_fixtureList; f.M_proxies != nil || f.M_proxyCount >= 0 {
			t.Errorf("a shape still has %d proxies", f.M_proxyCount)
		}
	}
	if bp.M_tree.M_nodeCount != 0 {
		t.Errorf("Box2D's tree still has %d nodes", bp.M_tree.M_nodeCount)
	}
	r.validate()
}

// Box2D's own functions move a body, disable and enable it, or give it a shape. A query then finds the body
// at once at its new place, even before the next step.
func TestAQueryFindsWhatRawAccessHasChanged(t *testing.T) {
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		r := newRig(t, Config{NoGravity: true, Stepper: stepper})
		a, b, c, off := r.box(0, 0), r.box(10, 0), r.box(20, 0), r.box(30, 0)
		r.start()
		check(t, r.SetEnabled(off, false))
		r.run(2)
		found := func(where string, at Vec, want Body) {
			t.Helper()
			got := Body(0)
			check(t, r.Query(QueryFilter{}).OverlapPoint(at, func(b Body, _ Shape) bool { got = b; return true }))
			if got != want {
				t.Errorf("%v, %s: body %d is at %v, not %d", stepper, where, got, at, want)
			}
		}
		look := func(where string) {
			t.Helper()
			found(where, Vec{X: 40}, a)
			found(where, Vec{}, 0)
			found(where, Vec{X: 10}, b)
			found(where, Vec{X: 20}, 0)
			found(where, Vec{X: 30}, off)
		}
		r.BodyPointer(a).SetTransform(box2d.B2Vec2{X: 40}, 0)
		r.BodyPointer(b).SetActive(false)
		r.BodyPointer(b).SetActive(true)
		r.BodyPointer(c).SetActive(false)
		r.BodyPointer(off).SetActive(true)
		look("at once")
		r.takeBack()
		look("when it has ended")
		r.run(1)
		look("after a step")
		r.validate()
	}
}

func TestBox2DsGlobalsAreReadyBeforeAnyWorldSteps(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			w := newDriven(Config{Gravity: Vec{X: 0, Y: -10}, NoContinuous: true})
			w.CreateBody(BodyDef{Shapes: []ShapeDef{Edge(Vec{X: -9, Y: 0}, Vec{X: 9, Y: 0})}})
			w.CreateBody(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: .6}, Shapes: []ShapeDef{Box(.5, .5)}})
			for i := range 60 {
				w.Step(uint64(i+1), dt)
			}
		})
	}
	wg.Wait()
}

func TestRawAccessNamesBodies(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	b := r.box(1, 2)
	raw := r.BodyPointer(b)
	if raw == nil || r.HandleOf(raw) != b {
		t.Errorf("pointer %v, name %v", raw, r.HandleOf(raw))
	}
	def := box2d.MakeB2BodyDef()
	if n := r.HandleOf(r.Box2D().CreateBody(&def)); n != 0 {
		t.Errorf("a body of somebody else's is called %v", n)
	}
	check(t, r.DestroyBody(b))
	if r.BodyPointer(b) != nil || r.HandleOf(raw) != 0 {
		t.Error("a dead body has a pointer or a name")
	}
}
