package engine_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/buffer/phase"
	"halfstep/engine"
	"halfstep/world"
)

// stuck is an engine whose step hangs in a controller until release is called.
func stuck(t *testing.T) (e *engine.Engine, release func()) {
	t.Helper()
	hold, in := make(chan struct{}), make(chan struct{})
	var once atomic.Bool
	e, err := engine.New(engine.Config{Setup: func(w *world.World) error {
		w.AddController(controller(func(*world.World, float64) {
			if once.CompareAndSwap(false, true) {
				close(in)
			}
			<-hold
		}))
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	e.Advance(time.Second / 20)
	<-in
	return e, func() { close(hold) }
}

type controller func(*world.World, float64)

func (c controller) BeforeStep(w *world.World, dt float64) { c(w, dt) }

func TestBusySaysWhatAStepIsInAndForHowLong(t *testing.T) {
	e, release := stuck(t)
	b := e.Trace().Busy(phase.Physics)
	time.Sleep(2 * time.Millisecond)
	later := e.Trace().Busy(phase.Physics)
	if b.Number != 1 || b.Phase != phase.Controllers || later.For < b.For+2*time.Millisecond {
		t.Errorf("%+v, later %+v", b, later)
	}
	b.Number, b.For = 812, 3*time.Second
	if s := b.String(); s != "physics has been in tick 812 for 3 s, in controllers" {
		t.Error(s)
	}
	release()
	e.Close()
	if b := e.Trace().Busy(phase.Physics); b != (engine.Busy{}) {
		t.Errorf("after Close: %+v", b)
	}
}

func TestBusySaysWhatAFrameIsIn(t *testing.T) {
	e := start(t, engine.Config{})
	frames(e, 3)
	e.Trace().EnterPhase(phase.Draw)
	b := e.Trace().Busy(phase.Render)
	if b.Thread != phase.Render || b.Number == 0 || b.Phase != phase.Draw {
		t.Errorf("%+v", b)
	}
	b.Number, b.For = 12, 3*time.Second
	if s := b.String(); s != "frame 12 has taken 3 s, in draw" {
		t.Error(s)
	}
}

func TestAPhysicsThatWaitsIsNotBusy(t *testing.T) {
	e := start(t, engine.Config{})
	frames(e, 10)
	for deadline := time.Now().Add(10 * time.Second); e.Trace().Busy(phase.Physics) != (engine.Busy{}); {
		if time.Now().After(deadline) {
			t.Fatal(e.Trace().Busy(phase.Physics))
		}
		time.Sleep(time.Millisecond)
	}
}

// swarm is a world that spends its steps in continuous collision, with many
// bullets in a small space.
func swarm(w *world.World) error {
	wall := world.ClosedChain(world.Vec{X: -3, Y: -3}, world.Vec{X: 3, Y: -3}, world.Vec{X: 3, Y: 3}, world.Vec{X: -3, Y: 3})
	if _, err := w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{wall}}); err != nil {
		return err
	}
	for i := range 600 {
		s := world.Circle(.06)
		s.Restitution = 1
		_, err := w.CreateBody(world.BodyDef{
			Kind: world.Dynamic, Bullet: true,
			Position: world.Vec{X: -2.8 + .2*float64(i%25), Y: -2.8 + .2*float64(i/25)},
			Velocity: world.Vec{X: float64(i*7919%200 - 100), Y: float64(i*104729%200 - 100)},
			Shapes:   []world.ShapeDef{s},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// The step would take a long time, and closing the engine ends it.
func TestCloseWithinGivesUpAStepInContinuousCollision(t *testing.T) {
	e, err := engine.New(engine.Config{Setup: swarm})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for deadline := time.Now().Add(20 * time.Second); !e.Trace().Busy(phase.Physics).Continuous; {
		if time.Now().After(deadline) || e.Failure() != nil {
			t.Fatalf("not there: %v", e.Failure())
		}
		e.Advance(time.Second / 60)
		time.Sleep(50 * time.Microsecond)
	}
	tick := e.Trace().Busy(phase.Physics).Number
	// On a busy machine the physics goroutine may not run for a second.
	// CloseWithin then leaves it behind.
	if err := e.CloseWithin(0); err != nil && !errors.Is(err, engine.ErrStuck) {
		t.Error(err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if f := e.Failure(); !errors.Is(f, world.ErrInterrupted) || strings.Contains(f.Error(), "\n") {
		t.Errorf("failure %v in tick %d", f, tick)
	}
}

func TestCloseWithinNamesTheStepThatItCanNotEnd(t *testing.T) {
	e, release := stuck(t)
	err := e.CloseWithin(time.Millisecond)
	if !errors.Is(err, engine.ErrStuck) || !strings.Contains(err.Error(), "tick 1 ") || !strings.Contains(err.Error(), "controllers") {
		t.Error(err)
	}
	release()
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if f := e.Failure(); !errors.Is(f, world.ErrInterrupted) {
		t.Errorf("the steps that were left were made: %v", f)
	}
}

func TestCloseWithinOfAnEngineAtRestIsClose(t *testing.T) {
	e := start(t, engine.Config{})
	frames(e, 10)
	if err := e.CloseWithin(10 * time.Second); err != nil || e.Failure() != nil {
		t.Errorf("%v, %v", err, e.Failure())
	}
}
