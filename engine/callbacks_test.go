package engine_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/engine"
	"halfstep/world"
	"halfstep/world/forces"
)

// callback is a place where an engine calls user code.
type callback struct {
	config  func(c *engine.Config, f func()) // config puts f into the configuration. It may be nil.
	give    func(e *engine.Engine, f func()) // give makes the engine call f. It may be nil.
	physics bool                             // physics says that f runs on the physics goroutine. If f ends that goroutine, there is a Failure.

}

func (in callback) configure(c *engine.Config, f func()) {
	if in.config != nil {
		in.config(c, f)
	}
}

func (in callback) start(e *engine.Engine, f func()) {
	if in.give != nil {
		in.give(e, f)
	}
}

// userCallbacks are the places where an engine calls user code.
var userCallbacks = map[string]callback{
	"Setup": {config: func(c *engine.Config, f func()) {
		c.Setup = func(w *world.World) error { f(); return stack(w) }
	}},
	"OnStep": {physics: true, config: func(c *engine.Config, f func()) {
		c.OnStep = func(uint64, time.Duration) { f() }
	}},
	"StepCost": {config: func(c *engine.Config, f func()) {
		c.Testing.StepCost = func(uint64) time.Duration { f(); return 0 }
	}},
	"controller":   inWorld(func(w *world.World, f func()) { control(w, func(*world.World) { f() }) }),
	"contact hook": inWorld(func(w *world.World, f func()) { w.AddContactHook(func(*world.World, []world.Event) { f() }) }),
	"PreSolve": inWorld(func(w *world.World, f func()) {
		w.SetPreSolve(func(*world.World, *world.PreSolveContact) { f() })
	}),
	"filter": inWorld(func(w *world.World, f func()) {
		w.SetShouldCollide(func(_ *world.World, _, _ world.Shape) bool { f(); return true })
	}),
	"Later": inWorld(func(w *world.World, f func()) {
		control(w, func(w *world.World) { w.Later(func(*world.World) { f() }) })
	}),
	"query": inWorld(func(w *world.World, f func()) {
		control(w, func(w *world.World) {
			_ = w.Query(world.QueryFilter{Sensors: true}).OverlapBox(world.Vec{X: -50, Y: -50}, world.Vec{X: 50, Y: 50}, func(world.Body, world.Shape) bool { f(); return true })
		})
	}),
	"ray cast": inWorld(func(w *world.World, f func()) {
		control(w, func(w *world.World) {
			_ = w.Query(world.QueryFilter{}).RayCastAll(world.Vec{Y: 50}, world.Vec{Y: -50}, func(world.RayHit) bool { f(); return true })
		})
	}),
	"gust": inWorld(func(w *world.World, f func()) {
		w.AddController(&forces.Wind{Density: .1, Gust: func(world.Vec, float64) world.Vec { f(); return world.Vec{} }})
	}),
	"Register": {physics: true,
		config: func(c *engine.Config, f func()) {
			c.Setup = func(w *world.World) error {
				w.Register("victim", func(*world.World, []float64) { f() })
				return stack(w)
			}
		},
		give: func(e *engine.Engine, _ func()) { e.DoNamed("victim") },
	},
	"AppendBinary": {physics: true,
		config: func(c *engine.Config, f func()) { keep(c, state{save: f}) },
		give:   func(e *engine.Engine, _ func()) { e.KeepSnapshot(1) },
	},
	"AppendBinary for Rollback": {physics: true, config: func(c *engine.Config, f func()) {
		c.History.Rollback.Ticks = 10
		calls := 0
		keep(c, state{save: func() {
			if calls++; calls > 2 { // not before a frame
				f()
			}
		}})
	}},
	"UnmarshalBinary": {physics: true,
		config: func(c *engine.Config, f func()) { keep(c, state{load: f}) },
		give:   func(e *engine.Engine, _ func()) { e.KeepSnapshot(1); e.RestoreSnapshot(1) },
	},
	"Do":        given(func(e *engine.Engine, f func()) { e.Do(func(*world.World) { f() }) }),
	"Do at":     given(func(e *engine.Engine, f func()) { e.At(5).Do(func(*world.World) { f() }) }),
	"remote Do": given(func(e *engine.Engine, f func()) { e.Remote().Do(func(*world.World) { f() }) }),
	"Inspect":   given(func(e *engine.Engine, f func()) { e.Inspect(func(*world.World) { f() }) }),
	"question": given(func(e *engine.Engine, f func()) {
		world.Ask(e.Commands, func(*world.World) int { f(); return 1 }, func(uint64, int) {})
	}),
	"answer": {give: func(e *engine.Engine, f func()) {
		world.Ask(e.Commands, func(*world.World) int { return 1 }, func(uint64, int) { f() })
	}},
	"OnLate": {give: func(e *engine.Engine, f func()) {
		e.Trace().OnLate(time.Nanosecond, time.Nanosecond, func(engine.Late) { f() })
	}},
	"OnError": {config: func(c *engine.Config, f func()) {
		c.History.Record = &engine.RecordOptions{W: failing{}, OnError: func(error) { f() }}
	}},
	"OnEnd": {config: func(c *engine.Config, f func()) {
		c.History.Record = &engine.RecordOptions{W: io.Discard, OnEnd: func(error) { f() }}
	}},
	"writer": {config: func(c *engine.Config, f func()) {
		c.History.Record = &engine.RecordOptions{W: writing(f), OnError: func(error) {}, CloseTimeout: time.Second}
	}},
	"OnDump": {
		config: func(c *engine.Config, f func()) {
			dir, err := os.MkdirTemp("", "halfstep")
			if err != nil {
				panic(err)
			}
			c.History.BlackBox = &engine.BlackBoxOptions{Dir: dir, OnDump: func(string, error) { os.RemoveAll(dir); f() }}
		},
		give: func(e *engine.Engine, _ func()) { e.Do(func(*world.World) { panic("what it is called for") }) },
	},
}

func inWorld(put func(w *world.World, f func())) callback {
	return callback{physics: true, config: func(c *engine.Config, f func()) {
		c.Setup = func(w *world.World) error { put(w, f); return stack(w) }
	}}
}

func given(give func(e *engine.Engine, f func())) callback {
	return callback{physics: true, give: give}
}

func control(w *world.World, f func(w *world.World)) {
	w.AddController(world.ControllerFunc(func(w *world.World, _ float64) { f(w) }))
}

func keep(c *engine.Config, s state) {
	c.Setup = func(w *world.World) error { w.AddState(s); return stack(w) }
}

// state is code of a program that has a state.
type state struct{ save, load func() }

func (s state) AppendBinary(b []byte) ([]byte, error) {
	if s.save != nil {
		s.save()
	}
	return append(b, 1), nil
}

func (s state) UnmarshalBinary([]byte) error {
	if s.load != nil {
		s.load()
	}
	return nil
}

// failing accepts the header of a recording, and then fails.
type failing struct{}

func (failing) Write(b []byte) (int, error) {
	if bytes.HasPrefix(b, []byte("halfstep")) || b[0] == 'H' {
		return len(b), nil
	}
	return 0, io.ErrShortWrite
}

// writing is a writer that calls f once the recording continues after the header.
type writing func()

func (f writing) Write(b []byte) (int, error) {
	if b[0] == 'O' {
		f()
	}
	return len(b), nil
}

func TestAPanicInAnyCallbackOfPhysicsIsAFailureAndThePictureStays(t *testing.T) {
	for name, c := range userCallbacks {
		if !c.physics {
			continue
		}
		for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
			t.Run(name+"/"+stepper.String(), func(t *testing.T) { panicIn(t, c, stepper) })
		}
	}
}

func panicIn(t *testing.T, c callback, stepper world.Stepper) {
	var due atomic.Bool // the picture is there
	f := func() {
		if due.Load() {
			panic("user code")
		}
	}
	config := engine.Config{Setup: stack, World: world.Config{Stepper: stepper, Workers: 2}, Time: engine.Time{Simulated: true}}
	c.configure(&config, f)
	e := start(t, config)
	frames(e, 5)
	due.Store(true)
	c.start(e, f)
	for n := 0; n < 300 && e.Failure() == nil; n++ {
		frames(e, 1)
	}
	var failed *buffer.Failure
	if err := e.Failure(); !errors.As(err, &failed) || !strings.Contains(err.Error(), "user code") || !strings.Contains(string(failed.Stack), "callbacks_test.go") {
		t.Fatalf("failure %v", err)
	}
	frames(e, 5)
	if v := e.View(); len(v.Cur) != 7 || v.Tick < 3 {
		t.Errorf("the picture has %d bodies, of tick %d", len(v.Cur), v.Tick)
	}
}
