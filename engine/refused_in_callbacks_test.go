package engine_test

import (
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/internal/owner"
	"halfstep/world"
)

func TestARaceBuildRefusesTheEngineInAFunctionThatPhysicsRuns(t *testing.T) {
	if !owner.Checked {
		t.Skip("race builds check it")
	}
	for name, call := range map[string]func(e *engine.Engine){
		"a command": func(e *engine.Engine) { e.SetGravity(world.Vec{}) },
		"Pose":      func(e *engine.Engine) { e.Pose(1) },
		"Body":      func(e *engine.Engine) { e.Body(1) },
	} {
		var e *engine.Engine
		e = start(t, engine.Config{Time: engine.Time{Simulated: true}, Setup: func(w *world.World) error {
			w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
				if w.Tick() == 3 {
					call(e)
				}
			}))
			return nil
		}})
		for range 10 {
			e.Advance(time.Second / 60)
		}
		if err := e.Failure(); err == nil || !strings.Contains(err.Error(), "a function that physics runs: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
