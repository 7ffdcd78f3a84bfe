package world

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"halfstep/test/norace"
)

// In the second world, calm handles no body, so that look handles all of them after each
// step.
func TestAfterASoftStepCalmBodiesAreAsIfTheyHadBeenLookedAt(t *testing.T) {
	norace.Only(t)
	calm, impacts, turned := 0, 0, 0
	for seed := range uint64(40) {
		cfg := gravity()
		cfg.Stepper, cfg.Workers, cfg.NoSleep = SoftStep, 1, seed%4 == 0
		w, whole := newRig(t, cfg), newRig(t, cfg)
		of := w.World.box.Rules.Calm
		w.World.box.Rules.Calm = func(n int32) bool { calm++; return of(n) }
		whole.World.box.Rules.Calm = nil
		c := &chaos{Rand: rand.New(rand.NewPCG(seed, 17)), w: w.World}
		w.start()
		whole.start()
		for range 150 {
			var commands []Command
			for range c.IntN(4) * c.IntN(2) {
				commands = append(commands, c.command())
			}
			steps := c.IntN(8)
			w.frame(steps, commands...)
			whole.frame(steps, commands...)
			events, all := w.events(), whole.events()
			turned += len(only(events, BodySlept)) + len(only(events, BodyWoke))
			if !reflect.DeepEqual(events, all) {
				t.Fatalf("seed %d, tick %d: events %v, not %v", seed, w.tick, events, all)
			}
			for i, s := range w.places.slots {
				is := whole.places.slots[i]
				if s.impact == w.when.tick+1 {
					impacts++
				}
				if s.b, s.rec, is.b, is.rec = nil, nil, nil, nil; s != is {
					t.Fatalf("seed %d, tick %d: slot %d is %+v, not %+v", seed, w.tick, i, s, is)
				}
			}
		}
		w.Close()
		whole.Close()
	}
	if calm < 1000 || impacts < 100 || turned < 100 {
		t.Errorf("a dull run: %d calm bodies, %d impacts, %d fell asleep or woke", calm, impacts, turned)
	}
}

func TestAfterASoftStepCalmBodiesAreNotLookedAtAgain(t *testing.T) {
	norace.Only(t)
	cfg := gravity()
	cfg.Stepper, cfg.NoSleep = SoftStep, true
	w := newRig(t, cfg)
	defer w.Close()
	w.ground()
	var last Body
	for i := range 100 {
		last = w.box(float64(i%10)*2, .5+float64(i/10))
	}
	w.start()
	w.run(60)
	if n := len(w.soft.Rest()); n != 0 {
		t.Errorf("%d bodies at rest are looked at", n)
	}
	w.SetVelocity(last, Vec{Y: 5})
	w.run(1)
	if n := len(w.soft.Rest()); n != 1 {
		t.Errorf("%d bodies are looked at, where one was edited", n)
	}
}
