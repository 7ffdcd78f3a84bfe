package engine_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/internal/harness/norace"
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

// A recording that began in a frame ahead whose steps had been confirmed took entries of
// long ago for those of its first tick. Close said nothing.
func TestARecordingThatClosesWithoutAnErrorIsRead(t *testing.T) {
	var b world.Body
	setup := func(w *world.World) (err error) {
		b, err = w.CreateBody(world.BodyDef{Kind: world.Dynamic, Name: "b", Shapes: []world.ShapeDef{world.Circle(.5)}})
		return err
	}
	for name, mode := range map[string]func(e *engine.Engine){
		"nothing": func(*engine.Engine) {},
		"sync":    func(e *engine.Engine) { e.SetSync(renderloop.Pipelined) },
		"step":    func(e *engine.Engine) { e.Step(1) },
		"pause":   func(e *engine.Engine) { e.SetPaused(true) },
	} {
		for _, sync := range []renderloop.Sync{renderloop.RunAhead, renderloop.Pipelined, renderloop.Lockstep} {
			for back := range uint64(4) {
				for _, from := range []uint64{0, 18, 19, 20, 21} {
					what := fmt.Sprintf("%v, %s, back %d, from tick %d", sync, name, back, from)
					e, err := engine.New(engine.Config{
						Setup: setup, Sync: sync, Time: engine.Time{Simulated: true}, Rollback: engine.RollbackOptions{Ticks: 5},
					})
					if err != nil {
						t.Fatal(err)
					}
					var file bytes.Buffer
					done := false
					for range 60 {
						if e.Demanded() == 15 && !e.Recording() {
							if err := e.StartRecording(engine.RecordOptions{W: &file, From: from}); err != nil {
								t.Fatal(err)
							}
						}
						e.SetPaused(false)
						if to := 19 - back; e.Demanded() == 19 && !done {
							done = true
							if err := e.Rollback(to, func(c world.Commands) { c.At(to).Impulse(b, world.Vec{X: 1}) }); err != nil {
								t.Fatal(what, err)
							}
							mode(e)
						}
						e.Advance(time.Second / 60)
					}
					if err := e.Close(); err != nil {
						if !strings.Contains(err.Error(), "rollback: tick") { // to a tick that mode had pushed out
							t.Errorf("%s: %v", what, err)
						}
						continue
					}
					r, err := engine.ReadRecording(&file)
					if err == nil {
						_, err = r.Verify(setup)
					}
					if err != nil {
						t.Errorf("%s: %v", what, err)
					}
				}
			}
		}
	}
}

// It said that the recording was to begin at tick 0, and that it ended at tick 18.
func TestARecordingThatNoFrameFollowsSaysThatItHasNotBegun(t *testing.T) {
	e := start(t, engine.Config{Time: engine.Time{Simulated: true}})
	e.Step(18)
	var file bytes.Buffer
	if err := e.StartRecording(engine.RecordOptions{W: &file}); err != nil {
		t.Fatal(err)
	}
	const want = "record: the recording has not begun: it begins with the first frame after StartRecording"
	if err := e.Close(); err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}

// The log of commands kept the memory of its largest burst.
func TestTheMemoryOfABurstOfCommandsIsGivenBack(t *testing.T) {
	norace.Only(t)
	e := start(t, engine.Config{Time: engine.Time{Simulated: true}})
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	e.Advance(time.Second / 60)
	before := heap()
	for range 100_000 {
		e.Impulse(77, world.Vec{X: 1})
	}
	for range 900 {
		e.Advance(time.Second / 60)
		for range e.Events() {
		}
	}
	if grown := int64(heap()) - int64(before); grown > 4<<20 {
		t.Errorf("%d bytes are kept", grown)
	}
}
