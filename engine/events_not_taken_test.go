package engine_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/test/whole"
	"halfstep/world"
)

// numbered sends n events, which are numbered from *next on, by creating and destroying
// bodies.
func numbered(e *engine.Engine, next *int, n int) {
	e.Do(func(w *world.World) {
		for range n {
			if b, err := w.CreateBody(world.BodyDef{User: *next}); err == nil {
				_ = w.DestroyBody(b)
			}
			*next++
		}
	})
}

func TestWhoTakesNoEventsKeepsABoundedNumberAndCountsTheRest(t *testing.T) {
	norace.Only(t)
	const rounds, each = 30, 5000
	e := start(t, engine.Config{})
	sent := 0
	for range rounds {
		numbered(e, &sent, each)
		e.Advance(time.Second / 60)
	}
	for range 5 {
		e.Advance(time.Second / 60)
	}
	left, first := 0, -1
	for ev := range e.Events() {
		if first < 0 {
			first = ev.User.(int)
		}
		if ev.User != first+left {
			t.Fatalf("event %v came where %d was due", ev.User, first+left)
		}
		left++
	}
	dropped := e.Metrics().DroppedEvents
	if left != renderloop.MaxPendingEvents || first+left != rounds*each || dropped != uint64(first) {
		t.Errorf("%d events from %d on are left and %d dropped, of %d", left, first, dropped, rounds*each)
	}
	if e.Advance(time.Second / 60); e.Metrics().DroppedEvents != dropped {
		t.Errorf("the metrics say %d dropped", e.Metrics().DroppedEvents)
	}
}

// A program that takes all events in every frame loses none, even with more events in a
// tick than are ever kept, and with stalls, pauses and other modes.
func TestWhoTakesAllEventsInEveryFrameLosesNone(t *testing.T) {
	for seed := range uint64(norace.Rounds(whole.Rounds(4, 2), 1)) {
		r := rand.New(rand.NewPCG(seed, 1))
		e := start(t, engine.Config{
			Time:    engine.Time{EventsAtOnce: seed%2 == 0},
			Testing: engine.Testing{StepCost: func(tick uint64) time.Duration { return time.Duration(tick*7%40) * time.Millisecond }},
		})
		sent, got := 0, 0
		frame := func(d time.Duration) {
			e.Advance(d)
			for ev := range e.Events() {
				if ev.User != got {
					t.Fatalf("seed %d: event %v came where %d was due", seed, ev.User, got)
				}
				got++
			}
		}
		for range norace.Rounds(150, 50) {
			switch r.IntN(16) {
			case 0:
				numbered(e, &sent, r.IntN(3*renderloop.MaxPendingEvents))
			case 1:
				e.SetPaused(!e.Paused())
			case 2:
				e.SetSync(renderloop.Sync(r.IntN(2)))
			case 3:
				frame(3 * time.Second) // a stall
			default:
				numbered(e, &sent, r.IntN(30))
			}
			frame(time.Duration(r.IntN(40)) * time.Millisecond)
		}
		e.SetPaused(false)
		for range 60 {
			frame(time.Second / 60)
		}
		if got != sent || e.Metrics().DroppedEvents != 0 {
			t.Errorf("seed %d: %d of %d events came, %d were dropped", seed, got, sent, e.Metrics().DroppedEvents)
		}
	}
}

func TestAFrameThatDropsEventsAllocatesNothing(t *testing.T) {
	norace.Only(t)
	e := start(t, engine.Config{World: world.Config{NoGravity: true}, Testing: engine.Testing{NoPhases: true}, Setup: func(w *world.World) error {
		bodies := make([]world.Body, 600)
		for i := range bodies {
			bodies[i], _ = w.CreateBody(world.BodyDef{Kind: world.Dynamic})
		}
		w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
			for _, b := range bodies {
				_ = w.SetAwake(b, w.Tick()%2 == 0) // an event each
			}
		}))
		return nil
	}})
	frame := func() { e.Advance(time.Second / 60) }
	for e.Metrics().DroppedEvents == 0 {
		frame()
	}
	if n := testing.AllocsPerRun(200, frame); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}
