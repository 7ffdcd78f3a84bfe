package engine_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/test/whole"
)

// A replay does not run ahead, because it does not respond to input. Whatever the modes
// are before, during and after a seek, the seek reaches its target, and the picture does
// not move backwards in between.
func TestAReplaySeeksFromAndToEveryMode(t *testing.T) {
	engine.DenseKeyframes(t)
	modes := []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead}
	data, _ := session(t, 2, 150)
	r := read(t, data)
	for seed := range uint64(norace.Rounds(whole.Rounds(20, 5), 2)) {
		rng := rand.New(rand.NewPCG(seed, 5))
		e := start(t, r.Config(stack))
		for range norace.Rounds(60, 20) {
			e.SetSync(modes[rng.IntN(len(modes))])
			tick := r.First + rng.Uint64N(r.Ticks-r.First+1)
			if err := e.History().Seek(tick); err != nil {
				t.Fatal(err)
			}
			epoch := e.View().Epoch
			e.SetSync(modes[rng.IntN(len(modes))])
			e.Advance(time.Second / 60)
			if v := e.View(); v.Tick != tick || v.Epoch != epoch+1 {
				t.Fatalf("seed %d: at tick %d, epoch %d; asked for %d, epoch %d (%v)", seed, v.Tick, v.Epoch, tick, epoch+1, e.Failure())
			}
			for range rng.IntN(8) {
				if rng.IntN(3) == 0 {
					e.SetSync(modes[rng.IntN(len(modes))])
				}
				before := e.View().Instant
				if e.Advance(time.Second / time.Duration(30+rng.IntN(200))); e.View().Instant < before {
					t.Fatalf("seed %d: from %v back to %v", seed, before, e.View().Instant)
				}
			}
		}
		if f := e.Failure(); f != nil {
			t.Fatal(f)
		}
		if n := e.Metrics().BackwardFrames; n != 0 {
			t.Errorf("seed %d: %d frames went back", seed, n)
		}
	}
}
