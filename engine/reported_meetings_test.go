package engine_test

import (
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/world"
)

// The cases of this file were found by a generator of pairs of features.

// A reader that had come while physics was ahead of the picture had the bodies of the
// newest tick, and the states of the one before.
func TestANewReaderThatFollowsThePictureHasTheBodiesOfItsTick(t *testing.T) {
	setup := func(w *world.World) error {
		var alive []world.Body
		w.Keep(&alive)
		w.AddControllerEvery(4, world.ControllerFunc(func(w *world.World, _ float64) {
			b, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(w.Tick() % 10), Y: 5}, Shapes: []world.ShapeDef{world.Circle(.1)}})
			if err != nil {
				panic(err)
			}
			if alive = append(alive, b); len(alive) > 3 {
				w.DestroyBody(alive[0])
				alive = append([]world.Body(nil), alive[1:]...)
			}
		}))
		return nil
	}
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
		e, err := engine.New(engine.Config{Setup: setup, Sync: sync})
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		for frame := range 120 {
			r, err := e.NewReader()
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				e.Advance(time.Second / 60)
				for e.Metrics().Tick < e.Demanded() {
					time.Sleep(50 * time.Microsecond)
				}
				r.UpdateToPicture()
				for b := range r.Poses() {
					if _, ok := r.Pose(b); b == 0 || !ok {
						t.Fatalf("%v, frame %d: the reader has %v", sync, frame, b)
					}
				}
				if r.View().Tick != e.View().Tick {
					continue
				}
				compared++
				for b := range e.Poses() {
					if _, ok := r.Pose(b); !ok {
						t.Fatalf("%v, frame %d: the reader lacks %v", sync, frame, b)
					}
				}
			}
			r.Close()
		}
		if compared < 60 {
			t.Errorf("%v: only %d pictures were compared", sync, compared)
		}
		e.Close()
	}
}
