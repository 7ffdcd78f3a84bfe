package engine_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/world"
)

func TestARollbackThatChangesNothingRetractsAndDeliversNothing(t *testing.T) {
	e, err := engine.New(engine.Config{
		History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 30}}, Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true, EventsAtOnce: true},
		Setup: func(w *world.World) error {
			_, err := w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Chain(world.Vec{X: -9}, world.Vec{}, world.Vec{X: 9})}})
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.Step(1)
	_, shapes := e.CreateBodyWithShapes(world.BodyDef{
		Kind: world.Dynamic, Position: world.Vec{Y: .5}, Shapes: []world.ShapeDef{world.Circle(.4), world.Box(.2, .45)},
	})
	e.Step(20)
	touched := map[world.Shape]bool{}
	for ev := range e.Events() {
		touched[ev.ShapeA], touched[ev.ShapeB] = true, true
	}
	if !touched[shapes[0]] && !touched[shapes[1]] {
		t.Fatal("the shapes touch nothing")
	}
	if err := e.History().Rollback(0, nil); err != nil {
		t.Fatal(err)
	}
	e.Advance(0)
	for ev := range e.Events() {
		t.Errorf("an event came: %v", ev)
	}
}

func TestWhatIsGivenForTickZeroPrecedesTheFirstStepAndIsNotOfTickOne(t *testing.T) {
	const source = 3
	e, ball := resting(t)
	e.From(source).At(0).SetVelocity(ball, world.Vec{X: 60})
	e.Step(1)
	if x := where(e, ball).Position.X; x < .9 || x > 1.1 {
		t.Errorf("after one step it is at %v m", x)
	}
	// A correction for tick 1 replaces nothing of tick 0.
	e.Step(1)
	if err := e.History().Rollback(1, func(c world.Commands) { c.From(source).At(1).Nothing() }); err != nil {
		t.Fatal(err)
	}
	if x := where(e, ball).Position.X; x < 1.9 {
		t.Errorf("after a correction of tick 1 it is at %v m", x)
	}
	if err := e.History().Rollback(0, func(c world.Commands) { c.From(source).At(0).Nothing() }); err != nil {
		t.Fatal(err)
	}
	if x := where(e, ball).Position.X; x != 0 {
		t.Errorf("after a correction of tick 0 it is at %v m", x)
	}
	err := e.History().Rollback(1, func(c world.Commands) { c.At(0).Nothing() })
	if err == nil || err.Error() != "rollback: a command for tick 0, which is before tick 1" {
		t.Errorf("error %v", err)
	}
}

func TestAForceForTickZeroActsOnOneStep(t *testing.T) {
	e, ball := resting(t)
	e.At(0).Force(ball, world.Vec{X: 60})
	e.Step(2)
	mass := where(e, ball).Mass
	if v, want := where(e, ball).Velocity.X, 1/mass; v < .99*want || v > 1.01*want {
		t.Errorf("it has %v m/s, want %v", v, want)
	}
}

// resting makes an engine before its first step, with a ball that nothing moves.
func resting(t *testing.T) (*engine.Engine, world.Body) {
	t.Helper()
	var ball world.Body
	e, err := engine.New(engine.Config{
		History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 30}}, Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true},
		World: world.Config{NoGravity: true},
		Setup: func(w *world.World) (err error) {
			ball, err = w.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(.5)}})
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e, ball
}

func TestAQuestionInARollbackIsRefused(t *testing.T) {
	e, _ := resting(t)
	e.Step(3)
	for name, ask := range map[string]func(world.Commands){
		"Inspect": func(c world.Commands) { c.Inspect(func(*world.World) { t.Error("it is answered") }) },
		"Ask": func(c world.Commands) {
			c.RayCast(world.Vec{}, world.Vec{X: 1}, func(uint64, world.RayHit, bool) { t.Error("it is answered") })
		},
	} {
		err := e.History().Rollback(1, ask)
		if err == nil || !strings.Contains(err.Error(), "question") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	e.Step(1)
	for range e.Events() {
	}
}

// rolling makes a run of 1,000 ticks that goes back 8 ticks in every frame.
func rolling(t *testing.T, c engine.Config, back uint64) *engine.Engine {
	t.Helper()
	c.Setup, c.Time.Simulated, c.History.Rollback.Ticks = stack, true, 16
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	for range 1000 {
		e.DoNamed("test kick", .1, .2)
		e.Step(1)
		if now := e.Demanded(); back > 0 && now > back {
			if err := e.History().Rollback(now-back, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	e.Step(1)
	return e
}

func TestABlackBoxHasItsLengthHoweverOftenTheRunGoesBack(t *testing.T) {
	norace.Only(t)
	for _, back := range []uint64{0, 1, 8, 16} {
		e := rolling(t, engine.Config{History: engine.HistoryOptions{BlackBox: &engine.BlackBoxOptions{InMemory: true, Length: 10 * time.Second}}}, back)
		data, err := e.History().BlackBox()
		if err != nil {
			t.Fatal(err)
		}
		r := read(t, data)
		if ticks := r.Ticks - r.First; ticks < 600 || ticks > 750 || r.Ticks != 1001 {
			t.Errorf("back %d ticks: it goes from tick %d to %d", back, r.First, r.Ticks)
		}
		if _, err := r.Verify(stack); err != nil {
			t.Errorf("back %d ticks: %v", back, err)
		}
	}
}

func TestWhatWasTakenBackTakesNoRoomInARecording(t *testing.T) {
	norace.Only(t)
	engine.FlushEvery(t, time.Hour) // what is written cannot be left out any more
	var sizes [2]int
	for i, back := range []uint64{0, 8} {
		var file bytes.Buffer
		e := rolling(t, engine.Config{History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file}}}, back)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		sizes[i] = file.Len()
		if hash, err := read(t, file.Bytes()).Verify(stack); err != nil || hash == 0 {
			t.Errorf("back %d ticks: %v", back, err)
		}
	}
	if sizes[1] > sizes[0]*6/5 {
		t.Errorf("it has %d bytes, and %d without rollbacks", sizes[1], sizes[0])
	}
}
