package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"halfstep/world/forces"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/test/norace"
	"halfstep/world"
)

// Earlier, a recording that began in a frame ahead whose steps had been confirmed used very
// old entries as those of its first tick. Close returned no error.
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
						if !strings.Contains(err.Error(), "rollback: tick") { // a rollback to a tick that is too old in this mode
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

// Earlier, the error said that the recording should begin at tick 0, and that it ended at tick
// 18.
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

// Earlier, the ticks that RunAhead corrected, and the ticks that SetSync made due, were
// written again under earlier ticks. Ticks that RunAhead showed before the first step had
// steps of no length. The states of such a recording were therefore refused as corrupt.
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

// Earlier, reading the states of a run that had failed during its first half second panicked.
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

// Earlier, a watcher that joined a run with rollback and RunAhead between two frames got the
// entries of an earlier tick. The recording that followed was refused as out of order.
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
		time.Sleep(20 * time.Millisecond) // physics lets it join while there are no frames
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

// Earlier, only the program that had made a recording with HistoryOptions.Record could open
// the recording. Other programs got the error: scene "my game" is not built in.
func TestARecordingNeedsNoSetupUnlessAskedFor(t *testing.T) {
	for _, fromSetup := range []bool{false, true} {
		var file bytes.Buffer
		e := recordTo(t, engine.RecordOptions{W: &file, Scene: "my game", FromSetup: fromSetup})
		e.Step(30)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		r := read(t, file.Bytes())
		_, err := r.Verify(func(*world.World) error { return nil })
		if r.Snapshot == fromSetup || (err != nil) != fromSetup {
			t.Errorf("from setup %v: snapshot %v, %v", fromSetup, r.Snapshot, err)
		}
		if _, err := r.Verify(stack); err != nil {
			t.Errorf("from setup %v, by the program itself: %v", fromSetup, err)
		}
	}
}

// For a world with forces.Wind the error was: the snapshot has the state of ["*forces.Wind"];
// this world has [].
func TestARecordingWithStatesIsShownWhereItCannotBeComputed(t *testing.T) {
	setup := func(w *world.World) error {
		w.AddController(&forces.Wind{Velocity: world.Vec{X: 5}, Density: .1})
		return stack(w)
	}
	var file bytes.Buffer
	e, err := engine.New(engine.Config{Setup: setup, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, States: true}}})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uint64]float64{}
	for i := range 90 {
		if i == 40 {
			e.CreateBody(world.BodyDef{Name: "late", Kind: world.Dynamic, Position: world.Vec{Y: 30}, Shapes: []world.ShapeDef{world.Circle(1)}})
		}
		e.Step(1)
		if b, ok := e.Find("box 2"); ok {
			p, _ := e.Pose(b)
			seen[e.View().Tick] = p.X
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	r := read(t, file.Bytes())
	if _, err := r.Verify(setup); err != nil || !r.HasStates || r.States || r.Cut {
		t.Errorf("computed: %v, states %v and %v", err, r.HasStates, r.States)
	}
	if _, err := r.Verify(func(*world.World) error { return nil }); err == nil {
		t.Error("it was computed without the controller")
	}
	shown, err := engine.ReadOptions{States: true}.Read(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if shown.Cut {
		t.Error("its states were cut off")
	}
	f, err := engine.New(shown.Config(nil))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	same := 0
	for f.View().Tick < shown.Ticks && f.Failure() == nil {
		f.Step(1)
		b, ok := f.Find("box 2")
		if p, _ := f.Pose(b); ok && p.X == seen[f.View().Tick] {
			same++
		}
	}
	if _, ok := f.Find("late"); !ok || same < 85 || shown.Ticks != 90 {
		t.Errorf("of %d ticks %d are the same, late %v: %v", shown.Ticks, same, ok, f.Failure())
	}
	for n := range file.Len() { // the file is cut off at any byte, or spoilt
		if n%97 == 0 {
			cut := file.Bytes()[:n]
			engine.ReadOptions{States: true}.Read(bytes.NewReader(cut))
		}
	}
}
