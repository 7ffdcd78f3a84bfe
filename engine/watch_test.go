package engine_test

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/world"
)

// watched is an engine that others watch: the stack, with kicks and new bodies.
func watched(t *testing.T, c engine.Config) *engine.Engine {
	t.Helper()
	c.Setup, c.Time.Simulated = stack, true
	c.Watch = engine.WatchOptions{Scene: "stack", Data: []byte("bricks")}
	return start(t, c)
}

// act is a frame in which something may happen.
func act(e *engine.Engine) {
	switch tick := e.View().Tick; {
	case tick%7 == 0:
		e.DoNamed("test kick", float64(tick%5)-2, 3)
	case tick%11 == 0:
		e.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(tick % 3), Y: 20}, Shapes: []world.ShapeDef{world.Circle(.4)}})
	}
	e.Advance(time.Second / 60)
}

// stream streams an engine to a pipe, and returns its other end and what Stream returns.
func stream(t *testing.T, e *engine.Engine) (*io.PipeReader, chan error) {
	t.Helper()
	from, to := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	t.Cleanup(func() { from.Close() })
	over := make(chan error, 1)
	go func() {
		err := e.Stream(ctx, to)
		to.CloseWithError(err)
		over <- err
	}()
	return from, over
}

// runUntil makes frames until something is the case.
func runUntil(t *testing.T, e *engine.Engine, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
		act(e)
	}
}

// follower follows a stream with an engine of its own.
func follower(t *testing.T, from io.Reader) (*engine.Recording, *engine.Engine) {
	t.Helper()
	r, err := engine.FollowRecording(from)
	if err != nil {
		t.Fatal(err)
	}
	c := r.Config(stack)
	c.Time.Simulated = true
	return r, start(t, c)
}

func hashOf(t *testing.T, e *engine.Engine) (hash uint64) {
	t.Helper()
	e.Inspect(func(w *world.World) { hash = w.StateHash() })
	e.Step(0)
	return hash
}

func TestAWatcherComputesTheSameWorldTickByTick(t *testing.T) {
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep, world.StockStep} {
		e := watched(t, engine.Config{World: world.Config{Stepper: stepper}})
		for range 50 {
			act(e)
		}
		from, over := stream(t, e)
		var f *engine.Engine
		var r *engine.Recording
		ready := make(chan struct{})
		go func() {
			defer close(ready)
			r, f = follower(t, from)
		}()
		runUntil(t, e, "a watcher", func() bool {
			select {
			case <-ready:
				return true
			default:
				return false
			}
		})
		if r.Scene != "stack" || string(r.Data) != "bricks" || r.First < 50 || !r.Live {
			t.Fatalf("%v: %+v", stepper, r)
		}
		// Each step of the follower is compared with the hash that came with it.
		for range 300 {
			act(e)
		}
		want, tick := hashOf(t, e), e.View().Tick
		runUntil2(t, f, tick)
		if got := hashOf(t, f); got != want || f.Failure() != nil {
			t.Errorf("%v: tick %d has hash %x, watched %x: %v", stepper, tick, got, want, f.Failure())
		}
		if err := errors.Join(e.Close(), <-over); err != nil {
			t.Error(err)
		}
		for r.Live {
			f.Advance(0)
		}
		if r.Cut || r.Err() != nil || r.Ticks != tick {
			t.Errorf("%v: at the end: %+v, %v", stepper, r, r.Err())
		}
	}
}

// runUntil2 steps a follower to a tick, as its recording grows.
func runUntil2(t *testing.T, f *engine.Engine, tick uint64) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); f.View().Tick < tick && f.Failure() == nil; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it has come to tick %d of %d", f.View().Tick, tick)
		}
		f.Step(int(tick - f.View().Tick))
	}
}

var _ = sync.Mutex{}
