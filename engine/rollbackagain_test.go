package engine_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/world"
)

func TestARollbackRunsChangesAgainAndNeitherQuestionsNorOnStep(t *testing.T) {
	steps := map[uint64]int{}
	var done, asked, answered int
	e, err := engine.New(engine.Config{
		Time: engine.Time{Sync: renderloop.Lockstep}, History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 10}}, World: world.Config{NoGravity: true},
		OnStep: func(tick uint64, _ time.Duration) { steps[tick]++ },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	frames := func(n int) {
		for range n {
			e.Advance(frameTime)
			for range e.Events() {
			}
		}
	}
	frames(5)
	made := e.CreateBody(world.BodyDef{
		Name: "made", Kind: world.Dynamic, Velocity: world.Vec{X: 6}, Shapes: []world.ShapeDef{world.Circle(.1)},
	})
	e.Do(func(*world.World) { done++ })
	e.Inspect(func(*world.World) { asked++ })
	world.Ask(e.Commands, func(*world.World) int { asked++; return 7 }, func(uint64, int) { answered++ })
	frames(4)
	var future uint64
	for range 2 {
		if err := e.History().Rollback(e.Demanded()-6, func(c world.Commands) {
			future = e.Demanded() + 2
			c.From(there).At(future).SetVelocity(made, world.Vec{Y: 6})
		}); err != nil {
			t.Fatal(err)
		}
		frames(1)
	}
	if done != 3 || asked != 2 || answered != 1 {
		t.Errorf("Do ran %d times, questions %d times, and %d answers came", done, asked, answered)
	}
	if p, ok := e.Pose(made); !ok || p.Y != 0 {
		t.Errorf("the body that a command made is at %+v, %v", p, ok)
	}
	frames(4)
	if v := where(e, made).Velocity; v != (world.Vec{Y: 6}) {
		t.Errorf("what was given for a tick to come left it at %v m/s", v)
	}
	for tick := uint64(1); tick <= e.Demanded(); tick++ {
		if steps[tick] != 1 {
			t.Errorf("OnStep was called %d times for tick %d", steps[tick], tick)
		}
	}
}

// maker registers "make": a callback that makes the body "made 3" for a 3.
func maker(w *world.World) error {
	w.Register("make", func(w *world.World, args []float64) {
		w.CreateBody(world.BodyDef{
			Name: fmt.Sprint("made ", args[0]), Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(.1)},
		})
	})
	return nil
}

// makeOne has a maker make a body and returns it after 3 frames.
func makeOne(t *testing.T, e *engine.Engine, i int) world.Body {
	t.Helper()
	e.DoNamed("make", float64(i))
	for range 3 {
		e.Advance(frameTime)
	}
	b, ok := e.Find(fmt.Sprint("made ", i))
	if !ok {
		t.Fatal("nothing was made")
	}
	return b
}

func TestASeekBackLeavesTheHandlesThatLaterCommandsName(t *testing.T) {
	var file bytes.Buffer
	e, err := engine.New(engine.Config{Setup: maker, Time: engine.Time{Sync: renderloop.Lockstep}, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file}}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for i := range 4 {
		b := makeOne(t, e, i)
		e.SetVelocity(b, world.Vec{X: float64(i + 1)})
		for range 3 {
			e.Advance(frameTime)
		}
	}
	e.Close()
	r, err := engine.ReadRecording(&file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Player(maker, engine.PlayerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, tick := range []uint64{20, 2, 20} {
		if err := p.Seek(tick); err != nil {
			t.Fatalf("tick %d: %v", tick, err)
		}
	}
}
