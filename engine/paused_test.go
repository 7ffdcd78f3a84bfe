package engine_test

import (
	"slices"
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/world"
)

// pausedBall is an engine that was paused after three steps, with a ball in it.
func pausedBall(t *testing.T, c engine.Config) (*engine.Engine, world.Body) {
	t.Helper()
	c.Time.Simulated = true
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	ball := e.CreateBody(world.BodyDef{
		Name: "ball", Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(.5)},
	})
	for range 4 {
		e.Advance(time.Second / 60)
	}
	e.SetPaused(true)
	for range 3 {
		e.Advance(time.Second / 60) // what was demanded before
	}
	return e, ball
}

func TestCommandsWhilePausedAreShownUnderTheSameTickWithAHigherRevision(t *testing.T) {
	e, ball := pausedBall(t, engine.Config{})
	tick, revision := e.View().Tick, e.View().Revision
	e.Teleport(ball, world.Vec{X: 5}, 0)
	late := e.CreateBody(world.BodyDef{Position: world.Vec{Y: 7}, Shapes: []world.ShapeDef{world.Box(1, 1)}})
	for range 2 {
		e.Advance(time.Second / 60)
	}
	if v := e.View(); v.Tick != tick || v.Revision <= revision {
		t.Errorf("tick %d, revision %d; before tick %d, revision %d", v.Tick, v.Revision, tick, revision)
	}
	if p, ok := e.Pose(ball); !ok || p.X != 5 || p.Y != 0 {
		t.Errorf("the teleported ball is at %+v, %v", p, ok)
	}
	if p, ok := e.Pose(late); !ok || p.Y != 7 {
		t.Errorf("the new body is at %+v, %v", p, ok)
	}
}

func TestImpulsesAndForcesGivenWhilePausedMoveWithTheNextStep(t *testing.T) {
	for name, push := range map[string]func(*engine.Engine, world.Body){
		"impulse": func(e *engine.Engine, b world.Body) { e.Impulse(b, world.Vec{X: 1}) },
		"force":   func(e *engine.Engine, b world.Body) { e.Force(b, world.Vec{X: 60}) },
	} {
		e, ball := pausedBall(t, engine.Config{})
		push(e, ball)
		for range 3 {
			e.Advance(time.Second / 60)
		}
		if p, _ := e.Pose(ball); p.X != 0 {
			t.Errorf("%s: the ball is at %v m while paused", name, p.X)
		}
		e.SingleStep()
		for range 3 {
			e.Advance(time.Second / 60)
		}
		if p, _ := e.Pose(ball); p.X <= 0 {
			t.Errorf("%s: the ball is at %v m after a step", name, p.X)
		}
	}
}

func TestEventsAndAnswersOfAPausedWorldWaitForTheStepThatShowsThem(t *testing.T) {
	for _, atOnce := range []bool{false, true} {
		e, ball := pausedBall(t, engine.Config{Time: engine.Time{EventsAtOnce: atOnce}})
		tick := e.View().Tick
		var happened []string
		frames := func() {
			for range 3 {
				e.Advance(time.Second / 60)
				for ev := range e.Events() {
					happened = append(happened, ev.Kind.String())
					if ev.Tick != tick {
						t.Errorf("%v, want tick %d", ev, tick)
					}
				}
			}
		}
		e.DestroyBody(ball)
		e.Teleport(ball, world.Vec{}, 0)
		world.Ask(e.Commands, (*world.World).Tick, func(asked, answer uint64) {
			happened = append(happened, "answer")
			if asked != tick || answer != tick {
				t.Errorf("the answer is %d, at tick %d; want %d", answer, asked, tick)
			}
		})
		frames()
		if !atOnce {
			if len(happened) > 0 {
				t.Errorf("%q while paused", happened)
			}
			e.SingleStep()
			frames()
		}
		if want := []string{"body removed", "command rejected", "answer"}; !slices.Equal(happened, want) {
			t.Errorf("at once %v: %q, want %q", atOnce, happened, want)
		}
		if !e.Paused() || e.Demanded() > tick+1 {
			t.Errorf("paused %v, %d ticks demanded", e.Paused(), e.Demanded())
		}
	}
}

func TestDebugLayersThatAreTurnedOnWhilePausedAreShown(t *testing.T) {
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep} {
		e := start(t, engine.Config{Sync: sync, Setup: func(w *world.World) error {
			_, err := w.CreateBody(ball(0, 0))
			return err
		}})
		frames(e, 5)
		e.SetPaused(true)
		frames(e, 2)
		tick := e.View().Tick
		e.SetDebugLayers(body2d.DebugBoxes)
		frames(e, 2)
		if v := e.View(); v.Tick != tick || v.Debug == nil || len(v.Debug.Boxes) != 1 {
			t.Errorf("%v: tick %d, then %d, debug %+v", sync, tick, v.Tick, v.Debug)
		}
		revision := e.View().Revision
		e.SetDebugLayers(body2d.DebugBoxes)
		if frames(e, 2); e.View().Revision != revision {
			t.Errorf("%v: published again without a change", sync)
		}
	}
}
