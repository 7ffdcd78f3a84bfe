package engine_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/world"
)

// aiming is a scene whose controller draws its target, in two of three steps.
func aiming(w *world.World) error {
	ball, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(.3)}})
	w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
		if at, _ := w.Body(ball); w.Tick()%3 > 0 {
			w.DrawLine(at.Centre, world.Vec{X: 3}, body2d.Colour{1, 2, 3, 255})
			w.DrawText(at.Centre, fmt.Sprint("aims since ", w.Tick()), body2d.Colour{})
		}
	}))
	return err
}

func TestWhatTheProgramDrawsIsRecordedWatchedAndInThePast(t *testing.T) {
	var file bytes.Buffer
	e := start(t, engine.Config{
		Setup: aiming, Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true},
		History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, States: true}, BlackBox: &engine.BlackBoxOptions{InMemory: true}},
	})
	e.SetDebugLayers(body2d.DrawnLayer)
	w := streamBy(e.History().StreamStates)
	was := map[uint64]string{}
	drawn := func(e *engine.Engine) string { return fmt.Sprint(e.View().Debug.Drawn) }
	step := func() {
		e.Step(1)
		was[e.View().Tick] = drawn(e)
	}
	for end := time.Now().Add(30 * time.Second); !closed(w.began); time.Sleep(time.Millisecond) {
		if step(); time.Now().After(end) {
			t.Fatal("nothing is streamed")
		}
	}
	for range 100 {
		step()
	}
	past, err := e.History().Past()
	if err != nil {
		t.Fatal(err)
	}
	e.Close()
	if err := <-w.err; err != nil {
		t.Fatal(err)
	}
	recorded := file.Bytes()
	read := func(data []byte, o engine.ReadOptions) *engine.Recording {
		r, err := o.Read(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for name, r := range map[string]*engine.Recording{
		"the recording, computed":         read(recorded, engine.ReadOptions{}),
		"the recording, without the code": read(recorded, engine.ReadOptions{States: true}),
		"what was watched":                read(w.Bytes(), engine.ReadOptions{}),
		"the past":                        past,
	} {
		setup := aiming
		if r.States {
			setup = nil
		}
		c := r.Config(setup)
		c.Time.Simulated, c.Time.Sync = true, renderloop.Lockstep
		e := start(t, c)
		e.SetDebugLayers(body2d.DrawnLayer)
		is := func() {
			t.Helper()
			if tick := e.View().Tick; was[tick] != "" && drawn(e) != was[tick] {
				t.Errorf("%s: tick %d has %s, not %s", name, tick, drawn(e), was[tick])
			}
		}
		for e.View().Tick < r.Ticks {
			e.Step(1)
			is()
		}
		for _, back := range []uint64{50, 51, 52, 20} {
			if err := e.History().Seek(r.Ticks - back); err != nil {
				t.Fatal(err)
			}
			e.Step(0)
			is()
		}
		if e.Failure() != nil || len(e.View().Debug.Drawn) > 2 {
			t.Errorf("%s: %v, %s", name, e.Failure(), drawn(e))
		}
	}
}
