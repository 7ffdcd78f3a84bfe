package engine_test

import (
	"bytes"
	"strings"
	"testing"

	"halfstep/engine"
	"halfstep/world"
)

// saved returns the world of an engine as bytes, or the error.
func saved(e *engine.Engine) (data []byte, err error) {
	look(e, func(w *world.World) {
		var s world.Snapshot
		if err = w.Snapshot(&s); err == nil {
			data, err = s.MarshalBinary()
		}
	})
	return data, err
}

// look waits until f has seen the world.
func look(e *engine.Engine, f func(*world.World)) {
	done := make(chan struct{})
	e.Inspect(func(w *world.World) {
		f(w)
		close(done)
	})
	e.Advance(0)
	<-done
}

func load(t *testing.T, data []byte) *world.Snapshot {
	t.Helper()
	s, err := world.LoadSnapshot(data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// endOf returns the hash of the state after that many steps.
func endOf(e *engine.Engine, steps int) (hash uint64) {
	e.Step(steps)
	look(e, func(w *world.World) { hash = w.StateHash() })
	return hash
}

// schedule gives commands of all kinds for later ticks.
func schedule(e *engine.Engine) (ball world.Body) {
	top, _ := e.Find("box 2")
	e.From(1).At(45).Impulse(top, world.Vec{X: 3})
	e.At(45).Explode(world.Explosion{Centre: world.Vec{X: -1, Y: 1}, Radius: 3, ImpulsePerLength: 2})
	mass := world.Mass{Mass: 2, Inertia: 1}
	ball = e.At(50).CreateBody(world.BodyDef{
		Name: "late", Kind: world.Dynamic, Position: world.Vec{Y: 6}, Mass: &mass, User: 7,
		Shapes: []world.ShapeDef{world.Circle(.4), world.Box(.2, .6)},
	})
	e.At(51).CreateJoint(world.JointDef{Kind: world.DistanceJoint, A: top, B: ball})
	e.At(52).CreateShape(top, world.Box(.1, 1))
	e.At(70).DoNamed("kick", 1.5)
	e.At(30).Inspect(func(*world.World) {}) // a waiting question is not a part of a save
	e.At(80).DestroyBody(ball)
	return ball
}

func withKick(w *world.World) error {
	w.Register("kick", func(w *world.World, args []float64) {
		for b := range w.Bodies() {
			w.Impulse(b, world.Vec{X: args[0], Y: 1}) // the ground is refused
		}
	})
	return stack(w)
}

// Earlier, a game that was saved and loaded lost the commands that waited for their tick.
func TestASaveKeepsTheCommandsThatWait(t *testing.T) {
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		c := engine.Config{Setup: withKick, World: world.Config{Stepper: stepper}, Time: engine.Time{Simulated: true}}
		first := start(t, c)
		ball := schedule(first)
		first.Step(20)
		data, err := saved(first)
		if err != nil {
			t.Fatal(err)
		}
		want := endOf(first, 100)

		c.History.Snapshot = load(t, data)
		if b := start(t, c).CreateBody(world.BodyDef{}); b == ball {
			t.Errorf("%v: %v is handed out again", stepper, b)
		}

		var file bytes.Buffer
		c.History.Snapshot, c.History.Record = load(t, data), &engine.RecordOptions{W: &file}
		c.History.Rollback = engine.RollbackOptions{Ticks: 20}
		third := start(t, c)
		third.Step(27) // to tick 47
		if err := third.History().Rollback(40, nil); err != nil {
			t.Fatal(err)
		}
		again, err := saved(third)
		if err != nil {
			t.Fatal(err)
		}
		if got := endOf(third, 73); got != want {
			t.Errorf("%v: the run ends with %x after a save, and with %x without", stepper, got, want)
		}
		if err := third.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := read(t, file.Bytes()).Verify(withKick); err != nil {
			t.Errorf("%v: the recording: %v", stepper, err)
		}

		c.History.Snapshot, c.History.Record = load(t, again), nil
		if got := endOf(start(t, c), 73); got != want {
			t.Errorf("%v: the run ends with %x after two saves, and with %x without", stepper, got, want)
		}

		c.History.Snapshot, c.Setup = nil, func(w *world.World) error {
			if err := withKick(w); err != nil {
				return err
			}
			return w.Restore(load(t, data))
		}
		if got := endOf(start(t, c), 100); got != want {
			t.Errorf("%v: the run ends with %x after a restore in Setup, and with %x without", stepper, got, want)
		}
	}
}

func TestASaveSaysInOneLineThatAFunctionWaits(t *testing.T) {
	e := start(t, engine.Config{Setup: stack, Time: engine.Time{Simulated: true}})
	e.At(9).Do(func(*world.World) {})
	e.Step(5)
	if _, err := saved(e); err == nil || !strings.Contains(err.Error(), "tick 9") || strings.Contains(err.Error(), "\n") {
		t.Errorf("the error is %v", err)
	}
	e.Step(5)
	if _, err := saved(e); err != nil {
		t.Errorf("the function has run: %v", err)
	}
}
