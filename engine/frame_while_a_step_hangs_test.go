package engine_test

import (
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/world"
)

// The step ends only after all frames have returned. A frame that waited for the step would
// hang.
func TestAPipelinedFrameReturnsWhileAStepHangs(t *testing.T) {
	begun, end := make(chan bool, 1), make(chan bool)
	e, err := engine.New(engine.Config{Setup: func(w *world.World) error {
		w.AddController(world.ControllerFunc(func(*world.World, float64) {
			select {
			case begun <- true:
			default:
			}
			<-end
		}))
		_, err := w.CreateBody(ball(0, 5))
		return err
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for hangs := false; !hangs; {
		e.Advance(time.Second / 60)
		select {
		case <-begun:
			hangs = true
		case <-time.After(time.Millisecond):
		}
	}
	for range 600 {
		e.Advance(time.Second / 60)
	}
	if got := e.View().Tick; got != 0 {
		t.Errorf("tick %d is shown, and no step has ended", got)
	}
	close(end)
}
