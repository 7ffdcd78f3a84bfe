package engine_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"halfstep/engine"
	"halfstep/world"
)

// Friction does not count in the air: no body moves otherwise yet.
func TestAReplayDiffersAsSoonAsWhatWillHappenDoes(t *testing.T) {
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		for _, pastSetup := range []bool{false, true} {
			setup := func(friction float64) func(w *world.World) error {
				return func(w *world.World) error {
					shape := world.Circle(.5)
					shape.Friction = .5
					b, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{shape}})
					if err != nil {
						return err
					}
					shapes, err := w.Shapes(b)
					if err != nil {
						return err
					}
					rub := func(w *world.World, _ []float64) { _ = w.SetFriction(shapes[0], friction) }
					if w.Register("rub", rub); !pastSetup {
						rub(w, nil)
					}
					return nil
				}
			}
			var file bytes.Buffer
			e, err := engine.New(engine.Config{
				Setup: setup(.2), Time: engine.Time{Simulated: true}, World: world.Config{Stepper: stepper},
				History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, FromSetup: true}},
			})
			if err != nil {
				t.Fatal(err)
			}
			e.Step(3)
			e.DoNamed("rub")
			e.Step(3)
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			r := read(t, file.Bytes())
			if _, err := r.Verify(setup(.2)); err != nil {
				t.Errorf("%v: %v", stepper, err)
			}
			_, err = r.Verify(setup(.3))
			var m *engine.Mismatch
			switch {
			case !pastSetup && (err == nil || !strings.Contains(err.Error(), "not the one recorded")):
				t.Errorf("%v: another scene: %v", stepper, err)
			case pastSetup && (!errors.As(err, &m) || m.Tick != 4 || m.Body != 0 || !strings.Contains(err.Error(), "still alike")):
				t.Errorf("%v: another function: %v", stepper, err)
			}
		}
	}
}

// A recording from the middle begins with what the next commands find.
func TestASoftRecordingThatBeginsWithADestroyedBodyVerifies(t *testing.T) {
	var boxes [2]world.Body
	setup := func(w *world.World) (err error) {
		_, err = w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Box(20, .5)}})
		for i := range boxes {
			def := world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(i) * 1.02, Y: 1}, Shapes: []world.ShapeDef{world.Box(.5, .5)}}
			if err == nil {
				boxes[i], err = w.CreateBody(def)
			}
		}
		return err
	}
	var file bytes.Buffer
	e, err := engine.New(engine.Config{Setup: setup, Time: engine.Time{Simulated: true}, World: world.Config{Stepper: world.SoftStep}})
	if err != nil {
		t.Fatal(err)
	}
	e.Step(43)
	e.SetVelocity(boxes[0], world.Vec{X: -1.49, Y: 1.62})
	e.Step(2)
	if err := e.History().StartRecording(engine.RecordOptions{W: &file}); err != nil {
		t.Fatal(err)
	}
	e.Step(0)
	e.DestroyBody(boxes[0])
	e.Step(100)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := read(t, file.Bytes()).Verify(setup); err != nil {
		t.Error(err)
	}
}
