package engine_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/world"
)

// runInto runs frames on another goroutine until physics has ended. It then waits
// for that goroutine, which a callback may end.
func runInto(t *testing.T, e *engine.Engine) {
	t.Helper()
	over := make(chan struct{})
	go func() {
		defer close(over)
		for n := 0; e.Failure() == nil && n < 1000; n++ {
			e.Advance(time.Second / 60)
		}
	}()
	select {
	case <-over:
	case <-time.After(time.Minute):
		panic("a frame hangs") // with all stacks
	}
}

// everyCallback runs misuse in every callback of physics, in every sync mode, and
// checks the Failure.
func everyCallback(t *testing.T, misuse func(e *engine.Engine), check func(t *testing.T, err error)) {
	for name, in := range userCallbacks {
		if !in.physics {
			continue
		}
		for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
			t.Run(name+"/"+sync.String(), func(t *testing.T) {
				var e *engine.Engine
				c := engine.Config{Setup: stack}
				in.configure(&c, func() { misuse(e) })
				c.Time.Sync, c.Time.Simulated = sync, true
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

func TestGoexitInACallbackIsAFailureThatSaysSo(t *testing.T) {
	everyCallback(t, func(*engine.Engine) { runtime.Goexit() }, func(t *testing.T, err error) {
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
	everyCallback(t, func(e *engine.Engine) { e.Close() }, func(t *testing.T, err error) {
		if err == nil || !strings.Contains(err.Error(), "Close was called in a function that physics runs") {
			t.Errorf("failure %v", err)
		}
	})
}

func TestAFrameFromACallbackIsAFailureAndNoHang(t *testing.T) {
	everyCallback(t, func(e *engine.Engine) { e.Advance(time.Second) }, func(t *testing.T, err error) {
		if err == nil || !strings.Contains(err.Error(), "Frame or Advance was called in a function that physics runs") {
			t.Errorf("failure %v", err)
		}
	})
}

func TestCloseFromElsewhereBesideACallbackWaitsForIt(t *testing.T) {
	begun, goOn := make(chan struct{}), make(chan struct{})
	e := start(t, engine.Config{})
	e.Do(func(*world.World) { close(begun); <-goOn })
	e.SetPaused(true)
	closed := make(chan struct{})
	go e.Advance(0)
	<-begun
	go func() { e.Close(); close(closed) }()
	time.AfterFunc(time.Millisecond, func() { close(goOn) })
	<-closed
	if e.Failure() != nil {
		t.Error(e.Failure())
	}
}

func TestCommandsToAnEndedEngineAreDroppedAndCounted(t *testing.T) {
	for name, end := range map[string]func(e *engine.Engine){
		"closed": func(e *engine.Engine) { e.Close() },
		"failed": func(e *engine.Engine) {
			e.Do(func(*world.World) { panic("user code") })
			runInto(t, e)
		},
	} {
		e := start(t, engine.Config{})
		frames(e, 3)
		end(e)
		if e.Metrics().DroppedCommands != 0 {
			t.Fatalf("%s: %d commands dropped before", name, e.Metrics().DroppedCommands)
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
			t.Errorf("%s: %d commands dropped of %d", name, n, given)
		}
		if _, ok := e.Pose(b); ok {
			t.Errorf("%s: a body came to be", name)
		}
		if e.Room() != 0 || e.Remote().Room() != 0 {
			t.Errorf("%s: there is room for %d commands, and %d remote ones", name, e.Room(), e.Remote().Room())
		}
	}
}
