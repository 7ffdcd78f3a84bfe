package engine_test

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/engine"
	"halfstep/internal/owner"
	"halfstep/renderloop"
	"halfstep/world"
)

// threaded are the loops whose physics has a goroutine of its own, single is
// one whose steps are made in Advance.
var threaded, all = []string{"", "naive"}, []string{"", "naive", "single"}

// runInto runs frames on a goroutine of their own until physics has ended, and
// waits for that goroutine, which user code may end.
func runInto(t *testing.T, e *engine.Engine) {
	t.Helper()
	over := make(chan struct{})
	go func() {
		defer close(over)
		for n := 0; e.Failure() == nil && n < 1000; n++ {
			e.Advance(time.Second / 60)
			time.Sleep(100 * time.Microsecond) // naive on the wall clock has a timer
		}
	}()
	select {
	case <-over:
	case <-time.After(time.Minute):
		panic("a frame hangs") // with all stacks
	}
}

// everyCallback runs misuse in every callback of physics, in the loops and in every sync
// mode, and checks what physics ended with.
func everyCallback(t *testing.T, loops []string, misuse func(e *engine.Engine), check func(t *testing.T, err error)) {
	for _, loop := range loops {
		for name, in := range userCallbacks {
			if !in.physics || in.rollback && loop != "" {
				continue
			}
			for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.Auto} {
				t.Run(strings.Join([]string{loop, name, sync.String()}, "/"), func(t *testing.T) {
					var e *engine.Engine
					c := engine.Config{Setup: stack}
					in.configure(&c, func() { misuse(e) })
					c.Testing.Loop, c.Sync, c.Time.Simulated = newLoop(t, loop), sync, true
					e, err := engine.New(c)
					if err != nil {
						t.Fatal(err)
					}
					in.start(e, func() { misuse(e) })
					runInto(t, e)
					check(t, e.Failure())
					e.Close()
				})
			}
		}
	}
}

func TestGoexitInACallbackIsAFailureThatSaysSo(t *testing.T) {
	everyCallback(t, all, func(*engine.Engine) { runtime.Goexit() }, func(t *testing.T, err error) {
		var f *buffer.Failure
		if !errors.Is(err, buffer.ErrGoexit) || !errors.As(err, &f) || !strings.Contains(string(f.Stack), "TestGoexitInACallback") {
			t.Fatalf("failure %v", err)
		}
		if s := err.Error(); !strings.Contains(s, "Goexit") || strings.Contains(s, "panic") || strings.Contains(s, "\n") {
			t.Errorf("error %q", s)
		}
	})
}

func TestCloseFromACallbackIsAFailureAndNoHang(t *testing.T) {
	everyCallback(t, all, func(e *engine.Engine) { e.Close() }, func(t *testing.T, err error) {
		if err == nil || !strings.Contains(err.Error(), "Close was called in a function that physics runs") {
			t.Errorf("failure %v", err)
		}
	})
}

func TestAFrameFromACallbackIsAFailureAndNoHang(t *testing.T) {
	everyCallback(t, all, func(e *engine.Engine) { e.Advance(time.Second) }, func(t *testing.T, err error) {
		if err == nil || !strings.Contains(err.Error(), "Frame or Advance was called in a function that physics runs") {
			t.Errorf("failure %v", err)
		}
	})
}

func TestCloseFromElsewhereBesideACallbackWaitsForIt(t *testing.T) {
	for _, loop := range threaded {
		begun, goOn := make(chan struct{}), make(chan struct{})
		e := start(t, engine.Config{Testing: engine.Testing{Loop: newLoop(t, loop)}})
		e.Do(func(*world.World) { close(begun); <-goOn })
		e.SetPaused(true)
		closed := make(chan struct{})
		go e.Advance(0)
		<-begun
		go func() { e.Close(); close(closed) }()
		time.AfterFunc(time.Millisecond, func() { close(goOn) })
		<-closed
		if e.Failure() != nil {
			t.Errorf("%s: %v", loop, e.Failure())
		}
	}
}

func TestCommandsToAnEndedEngineAreDroppedAndCounted(t *testing.T) {
	for _, loop := range all {
		for name, end := range map[string]func(e *engine.Engine){
			"closed": func(e *engine.Engine) { e.Close() },
			"failed": func(e *engine.Engine) {
				e.Do(func(*world.World) { panic("user code") })
				runInto(t, e)
			},
		} {
			e := start(t, engine.Config{Testing: engine.Testing{Loop: newLoop(t, loop)}})
			frames(e, 3)
			end(e)
			if e.Metrics().DroppedCommands != 0 {
				t.Fatalf("%q, %s: %d commands dropped before", loop, name, e.Metrics().DroppedCommands)
			}
			var b world.Body
			const given = 300
			for range given / 3 {
				b = e.CreateBody(ball(0, 0))
				e.Remote().Impulse(b, world.Vec{X: 1})
				e.At(1000).DestroyBody(b)
				e.Advance(time.Second / 60)
			}
			if n := e.Metrics().DroppedCommands; n != given {
				t.Errorf("%q, %s: %d commands dropped of %d", loop, name, n, given)
			}
			if _, ok := e.Pose(b); ok {
				t.Errorf("%q, %s: a body came to be", loop, name)
			}
			if e.Room() != 0 || e.Remote().Room() != 0 {
				t.Errorf("%q, %s: there is room for %d commands, and %d remote ones", loop, name, e.Room(), e.Remote().Room())
			}
		}
	}
}

// The panic is on the goroutine that draws, while physics may be stepping.
func TestASimulatedCostThatPanicsIsAFailure(t *testing.T) {
	e := start(t, engine.Config{Testing: engine.Testing{Loop: newLoop(t, "naive"), StepCost: func(tick uint64) time.Duration {
		if tick == 20 {
			panic("user code")
		}
		return 0
	}}, OnStep: func(tick uint64, _ time.Duration) {
		if tick == 18 { // while the cost of 20 is asked for
			time.Sleep(20 * time.Millisecond)
		}
	}})
	runInto(t, e)
	if err := e.Failure(); err == nil || !strings.Contains(err.Error(), "user code") {
		t.Errorf("failure %v", err)
	}
	frames(e, 10)
}

// A single-threaded loop has no physics goroutine: whoever closes it beside
// another must not be taken for one.
func TestClosingFromTwoGoroutinesIsNoCallFromACallback(t *testing.T) {
	times := 2000
	if owner.Checked {
		times = 200
	}
	for i := range times {
		e := start(t, engine.Config{Testing: engine.Testing{Loop: newLoop(t, "single")}})
		e.Advance(time.Second / 60)
		var other sync.WaitGroup
		other.Go(func() { e.Close() })
		for range i % 32 { // the two meet at another place each time
			runtime.Gosched()
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		other.Wait()
	}
}
