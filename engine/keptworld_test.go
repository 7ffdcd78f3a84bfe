package engine_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/internal/owner"
	"halfstep/world"
)

// Physics sleeps meanwhile, so that the race detector has nothing to report.
func TestAKeptWorldUsedElsewherePanicsInRaceBuilds(t *testing.T) {
	if !owner.Checked {
		t.Skip("not a race build")
	}
	for _, loop := range threaded {
		var kept *world.World
		e := start(t, engine.Config{Testing: engine.Testing{Loop: newLoop(t, loop)}, Setup: func(w *world.World) error {
			kept = w
			_, err := w.CreateBody(ball(0, 0))
			return err
		}})
		frames(e, 10)
		e.Do(func(w *world.World) { _ = w.Gravity() })
		frames(e, 10)
		time.Sleep(time.Millisecond)
		for name, use := range map[string]func(){
			"Body":          func() { _, _ = kept.Body(1) },
			"Bodies":        func() { kept.Bodies()(func(world.Body) bool { return false }) },
			"Contacts":      func() { kept.Contacts()(func(world.Contact) bool { return false }) },
			"CreateBody":    func() { _, _ = kept.CreateBody(ball(0, 0)) },
			"RayCast":       func() { _, _, _ = kept.RayCast(world.Vec{}, world.Vec{X: 1}) },
			"SetGravity":    func() { _ = kept.SetGravity(world.Vec{}) },
			"AddController": func() { kept.AddController(nil) },
			"Box2D":         func() { kept.Box2D() },
		} {
			func() {
				defer func() {
					if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), "used on another goroutine") {
						t.Errorf("%q: %s: panic %v", loop, name, err)
					}
				}()
				use()
			}()
		}
	}
}

func TestAWorldMayBeUsedBeforePhysicsStartsAndAfterItEnds(t *testing.T) {
	for _, loop := range all {
		var kept *world.World
		var file bytes.Buffer
		setup := func(w *world.World) error {
			kept = w
			built := make(chan error)
			go func() { // a scene may be built by several, one after the other
				_, err := w.CreateBody(ball(0, 0))
				built <- err
			}()
			if err := <-built; err != nil {
				return err
			}
			_, err := w.CreateBody(ball(3, 0))
			return err
		}
		c := engine.Config{Testing: engine.Testing{Loop: newLoop(t, loop)}, Setup: setup}
		if loop == "" {
			c.Record = &engine.RecordOptions{W: &file}
		}
		e := start(t, c)
		over := make(chan struct{})
		go func() { frames(e, 10); close(over) }() // not the goroutine that called New
		<-over
		if err := e.Close(); err != nil || e.Failure() != nil {
			t.Errorf("%q: %v, %v", loop, err, e.Failure())
		}
		if _, err := kept.Body(kept.HandleOf(nil)); err == nil || kept.Tick() == 0 {
			t.Errorf("%q: %v", loop, err)
		}
		if loop != "" {
			continue
		}
		r, err := engine.ReadRecording(&file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Verify(setup); err != nil {
			t.Error(err)
		}
	}
}
