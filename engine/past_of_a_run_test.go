package engine_test

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/test/norace"
	"halfstep/world"
)

// lived returns an engine after some frames. The engine keeps its past, with that
// many bytes of snapshots.
func lived(t *testing.T, memory int64, frames int) *engine.Engine {
	t.Helper()
	e, _ := boxed(t, engine.Config{}, engine.BlackBoxOptions{InMemory: true, Memory: memory})
	kicks(e, frames)
	return e
}

func past(t *testing.T, e *engine.Engine) *engine.Recording {
	t.Helper()
	r, err := e.History().Past()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestThePastOfARunIsTheSameFromEachOfItsKeyframes(t *testing.T) {
	norace.Only(t)
	engine.DenseKeyframes(t)
	for _, memory := range norace.Some([]int64{1 << 16, 0, 1 << 24}, 1) {
		e := lived(t, memory, 200)
		data, err := e.History().BlackBox()
		if err != nil {
			t.Fatal(err)
		}
		want := hashes(t, read(t, data))
		r := past(t, e)
		if r.First != 0 || int(r.Ticks) != len(want)-1 {
			t.Fatalf("from tick %d to %d, the file to %d", r.First, r.Ticks, len(want)-1)
		}
		rng := rand.New(rand.NewPCG(uint64(memory), 1))
		for range norace.Rounds(5, 2) { // each round has keyframes to which the replay has not gone yet
			p := player(t, r, engine.PlayerOptions{})
			for range 8 {
				tick := rng.Uint64N(r.Ticks + 1)
				if err := p.Seek(tick); err != nil {
					t.Fatal(err)
				}
				if got := p.World().Hash(); got != want[tick] {
					t.Fatalf("%d bytes: at tick %d: hash %x, want %x", memory, tick, got, want[tick])
				}
			}
		}
		if _, err := r.Verify(stack); err != nil {
			t.Error(err)
		}
	}
}

func TestKeyframesOfARunStayWithinTheirMemoryAndSpreadOverIt(t *testing.T) {
	norace.Only(t)
	engine.DenseKeyframes(t)
	var s world.Snapshot
	e := lived(t, 0, 1)
	world.Ask(e.Commands, func(w *world.World) error { return w.Snapshot(&s) }, func(uint64, error) {})
	kicks(e, 2)
	size := int64(s.Size())
	ticks, _ := player(t, past(t, lived(t, 12*size, 400)), engine.PlayerOptions{}).Keyframes()
	if len(ticks) < 8 || len(ticks) > 13 {
		t.Fatalf("%d keyframes in memory for 12: %v", len(ticks), ticks)
	}
	if i, _ := slices.BinarySearch(ticks, 200); i < 2 || i > len(ticks)-2 {
		t.Errorf("keyframes at %v", ticks)
	}
	few, _ := player(t, past(t, lived(t, 0, 400)), engine.PlayerOptions{}).Keyframes()
	if len(few) > 3 {
		t.Errorf("without memory for them it has keyframes at %v", few)
	}
}

func TestAReplayOfThePastKnowsFromTheRunWhatAKeyframeCosts(t *testing.T) {
	engine.CostlyKeyframes(t)
	p := player(t, past(t, lived(t, 1<<24, 100)), engine.PlayerOptions{})
	if err := p.Seek(p.Recording().Ticks); err != nil {
		t.Fatal(err)
	}
	if ticks, _ := p.Keyframes(); len(ticks) > 1 {
		t.Errorf("on its way it takes keyframes at %v", ticks)
	}
}

func TestAReplayOfThePastBeginsAtTheKeyframeBeforeTheTickThatIsAskedFor(t *testing.T) {
	engine.DenseKeyframes(t)
	r := past(t, lived(t, 1<<24, 200))
	c := r.Config(stack)
	var steps atomic.Int32
	c.Time.Simulated, c.History.ReplayFrom = true, 150
	c.OnStep = func(uint64, time.Duration) { steps.Add(1) }
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if at := e.Advance(0).Tick; at < 145 || at > 150 {
		t.Fatalf("it begins at tick %d", at)
	}
	for _, tick := range []uint64{152, 20, r.Ticks} {
		key := e.History().Keyframe(tick)
		if key > tick || key+3 < tick {
			t.Errorf("the keyframe before tick %d is at %d", tick, key)
		}
		steps.Store(0)
		if err := e.History().Seek(key); err != nil {
			t.Fatal(err)
		}
		e.Advance(0)
		// steps that were demanded earlier may be done first
		if at, n := e.View().Tick, steps.Load(); at != key || n > 3 {
			t.Errorf("at tick %d after %d steps, not at %d", at, n, key)
		}
	}
}

func TestARunThatRollsBackHasAPastThatReplays(t *testing.T) {
	engine.DenseKeyframes(t)
	e, _ := boxed(t, engine.Config{History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 20}}}, engine.BlackBoxOptions{InMemory: true, Memory: 1 << 16})
	rng := rand.New(rand.NewPCG(1, 2))
	for range norace.Rounds(30, 10) {
		kicks(e, 10)
		if err := e.History().Rollback(e.Demanded()-rng.Uint64N(10), nil); err != nil {
			t.Fatal(err)
		}
	}
	kicks(e, 3)
	r := past(t, e)
	want := hashes(t, r)
	p := player(t, r, engine.PlayerOptions{})
	for tick := r.Ticks; tick > r.First+7; tick -= 7 {
		if err := p.Seek(tick); err != nil {
			t.Fatal(err)
		}
		if got := p.World().Hash(); got != want[tick-r.First] {
			t.Errorf("tick %d: hash %x, want %x", tick, got, want[tick-r.First])
		}
	}
}
