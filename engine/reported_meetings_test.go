package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/test/norace"
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
		e, err := engine.New(engine.Config{Setup: setup, Time: engine.Time{Sync: sync}})
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
			for back := range uint64(norace.Rounds(4, 1)) {
				for _, from := range norace.Some([]uint64{0, 20, 18, 19, 21}, 2) {
					what := fmt.Sprintf("%v, %s, back %d, from tick %d", sync, name, back, from)
					e, err := engine.New(engine.Config{
						Setup: setup, Time: engine.Time{Sync: sync, Simulated: true}, History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 5}},
					})
					if err != nil {
						t.Fatal(err)
					}
					var file bytes.Buffer
					done := false
					for range 60 {
						if e.Demanded() == 15 && !e.History().Recording() {
							if err := e.History().StartRecording(engine.RecordOptions{W: &file, From: from}); err != nil {
								t.Fatal(err)
							}
						}
						e.SetPaused(false)
						if to := 19 - back; e.Demanded() == 19 && !done {
							done = true
							if err := e.History().Rollback(to, func(c world.Commands) { c.At(to).Impulse(b, world.Vec{X: 1}) }); err != nil {
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
	if err := e.History().StartRecording(engine.RecordOptions{W: &file}); err != nil {
		t.Fatal(err)
	}
	const want = "record: the recording has not begun: it begins with the next frame"
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

// A reader that came between the end of a step and what follows it lacked the bodies that
// a contact hook had destroyed, while the picture shows them once more: it had their
// states, as those of a body with handle 0.
func TestANewReaderHasTheBodiesThatAContactHookHasDestroyed(t *testing.T) {
	e, err := engine.New(engine.Config{Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true}, Setup: func(w *world.World) error {
		w.AddContactHook(func(w *world.World, events []world.Event) {
			for _, ev := range events {
				if ball, ok := w.Find("ball"); ok && ev.Kind == world.ContactBegin {
					_ = w.DestroyBody(ball)
				}
			}
		})
		ground, err := w.CreateBody(world.BodyDef{Name: "ground", Shapes: []world.ShapeDef{world.Box(5, .5)}})
		if err != nil {
			return err
		}
		ball, err := w.CreateBody(world.BodyDef{Name: "ball", Kind: world.Dynamic, Position: world.Vec{Y: .95}, Shapes: []world.ShapeDef{world.Circle(.5), world.CircleAt(0, .5, .2)}})
		if err == nil {
			_, err = w.CreateJoint(world.JointDef{Kind: world.RopeJoint, A: ground, B: ball, MaxLength: 3, CollideConnected: true})
		}
		return err
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.Step(1) // the hook destroys the ball
	r, err := e.NewReader()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for range 1000 { // physics comes by
		if r.Update(); len(r.View().Scene.Bodies) > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	ball, ok := r.Find("ball")
	if _, shown := r.Pose(ball); !ok || !shown {
		t.Fatal("the reader has no ball, which is shown once more")
	}
	if n, m := len(r.View().Scene.Shapes), len(r.View().Scene.Joints); n != 3 || m != 1 {
		t.Errorf("the reader has %d shapes and %d joints", n, m)
	}
	e.Step(1)
	r.Update()
	if _, ok := r.Pose(ball); ok || len(r.View().Scene.Shapes) != 1 || len(r.View().Scene.Joints) != 0 {
		t.Error("a step later the ball is still there")
	}
}

// What RunAhead corrected, and what SetSync made due, was written again under ticks that
// had been before, and what it showed before the first step was due as steps of no time. So
// the states of the recording were refused as corrupt.
func TestTheStatesOfARecordingAreReadWhateverItsRunHasPredicted(t *testing.T) {
	for _, first := range []renderloop.Sync{renderloop.RunAhead, renderloop.Lockstep} {
		var file bytes.Buffer
		e, err := engine.New(engine.Config{
			Time:    engine.Time{Sync: first, Simulated: true, Rate: clock.Hz(144)},
			History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, States: true}},
		})
		if err != nil {
			t.Fatal(err)
		}
		for frame := range 24 {
			switch frame % 6 {
			case 2:
				e.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(.3)}})
			case 3:
				e.SetSync(renderloop.RunAhead)
			case 5:
				e.SetSync(renderloop.Lockstep)
			}
			e.Advance(time.Second / 60)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := engine.ReadOptions{States: true}.Read(&file)
		if err != nil {
			t.Fatalf("%v: %v", first, err)
		}
		if r.Ticks != e.Demanded() {
			t.Errorf("%v: the states go to tick %d of %d", first, r.Ticks, e.Demanded())
		}
	}
}

// Reading the states of a run that had failed within its first half second panicked.
func TestTheStatesOfARunThatFailsAtOnceAreRead(t *testing.T) {
	var file bytes.Buffer
	e, err := engine.New(engine.Config{
		Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, States: true}},
		Setup: func(w *world.World) error {
			w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
				if w.Tick() == 5 {
					panic("on purpose")
				}
			}))
			_, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(1)}})
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	e.Step(10)
	_ = e.Close()
	r, err := engine.ReadOptions{States: true}.Read(&file)
	if err != nil || r.Ticks != 5 {
		t.Errorf("%+v, %v", r, err)
	}
}

// Who began to watch a run with rollback and RunAhead between two frames got the entries
// of an earlier tick, and then a recording that was refused as out of order.
func TestAStreamOfARunWithRollbackThatBeginsBetweenFramesCanBeRead(t *testing.T) {
	for _, sync := range []renderloop.Sync{renderloop.RunAhead, renderloop.Lockstep} {
		e, err := engine.New(engine.Config{Time: engine.Time{Sync: sync, Simulated: true}, History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 4}}})
		if err != nil {
			t.Fatal(err)
		}
		e.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(1)}})
		for range 10 {
			e.Advance(time.Second / 60)
		}
		var file bytes.Buffer
		ended := make(chan error, 1)
		go func() { ended <- e.History().Stream(context.Background(), &file) }()
		time.Sleep(20 * time.Millisecond) // physics lets it in while no frame is made
		for range 20 {
			e.Advance(time.Second / 60)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		r, err := engine.ReadRecording(&file)
		if err != nil {
			t.Fatalf("%v: %v", sync, err)
		}
		if _, err := r.Verify(nil); err != nil || r.Ticks != e.Metrics().Tick {
			t.Errorf("%v: it goes to tick %d of %d: %v", sync, r.Ticks, e.Metrics().Tick, err)
		}
	}
}
