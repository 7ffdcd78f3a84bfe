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

// pausedBall returns an engine that contains a ball and was paused after three
// steps.
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
		e.Advance(time.Second / 60) // wait for steps that were demanded earlier
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
		e.Step(1)
		if p, _ := e.Pose(ball); p.X <= 0 {
			t.Errorf("%s: the ball is at %v m after a step", name, p.X)
		}
	}
}

// happened returns the kinds of the due events as words.
func happened(e *engine.Engine) (kinds []string) {
	for ev := range e.Events() {
		kinds = append(kinds, ev.Kind.String())
	}
	return kinds
}

// betweenTicks returns an engine that contains a ball. It was paused while it
// showed an instant between two ticks.
func betweenTicks(t *testing.T, c engine.Config) (*engine.Engine, world.Body) {
	t.Helper()
	c.Setup = func(w *world.World) error {
		w.SetGravity(world.Vec{})
		return nil
	}
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	b := e.CreateBody(ball(0, 0))
	e.Advance(0)
	for n := 0; n < 20 || e.View().Alpha <= 0 || e.View().Alpha >= 1; n++ {
		if n > 10000 {
			t.Fatal("no frame is between two ticks")
		}
		e.Advance(7 * time.Millisecond)
		time.Sleep(time.Millisecond) // on the wall clock physics does the steps in the meantime
	}
	e.SetPaused(true)
	for !c.Time.Simulated && e.Metrics().Backlog > 0 {
		time.Sleep(time.Millisecond)
	}
	for range 3 {
		e.Advance(7 * time.Millisecond)
	}
	happened(e)
	return e, b
}

func TestAPausedWorldAnswersInTheNextFrame(t *testing.T) {
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
		for _, simulated := range []bool{false, true} {
			for _, atOnce := range []bool{false, true} {
				e, b := betweenTicks(t, engine.Config{Time: engine.Time{Sync: sync, Simulated: simulated, EventsAtOnce: atOnce}})
				instant, tick := e.View().Instant, e.View().Tick
				edits := []struct {
					want string
					give func(answer *string)
				}{
					{"answer", func(answer *string) {
						world.Ask(e.Commands, (*world.World).Tick, func(asked, told uint64) {
							if *answer = "answer"; asked != tick || told != tick {
								t.Errorf("asked at tick %d, told %d, paused at %d", asked, told, tick)
							}
						})
					}},
					{"body removed", func(*string) { e.DestroyBody(b) }},
					{"command rejected", func(*string) { e.Teleport(b, world.Vec{}, 0) }},
				}
				for _, edit := range edits {
					revision, got := e.View().Revision, ""
					edit.give(&got)
					deadline := time.Now().Add(time.Minute)
					for n := 0; e.View().Revision == revision; n++ {
						e.Advance(7 * time.Millisecond)
						if simulated && n > 1 || time.Now().After(deadline) {
							t.Fatalf("%v, simulated %v: the edit is not shown", sync, simulated)
						}
					}
					for _, kind := range happened(e) {
						got += kind
					}
					if got != edit.want {
						t.Errorf("%v, simulated %v, at once %v: %q with the frame that shows the edit, want %q", sync, simulated, atOnce, got, edit.want)
					}
				}
				if v := e.View(); v.Instant != instant || v.Tick != tick {
					t.Errorf("%v, simulated %v: the picture went from %v to %v", sync, simulated, instant, v.Instant)
				}
			}
		}
	}
}

// touching returns two balls that are pushed into each other in a step. The engine
// is paused before the picture has reached that step.
func touching(t *testing.T, sync renderloop.Sync) (*engine.Engine, world.Body) {
	t.Helper()
	touched := false
	e := start(t, engine.Config{Time: engine.Time{Sync: sync}, Setup: func(w *world.World) error {
		w.SetGravity(world.Vec{})
		w.AddContactHook(func(_ *world.World, contacts []world.Event) { touched = touched || len(contacts) > 0 })
		return nil
	}})
	a, b := e.CreateBody(ball(0, 0)), e.CreateBody(ball(3, 0))
	frames(e, 10)
	e.SetVelocity(a, world.Vec{X: 30})
	for n := 0; !touched; n++ {
		if n > 1000 {
			t.Fatal("the balls never touch")
		}
		e.Advance(3 * time.Millisecond)
		if kinds := happened(e); slices.Contains(kinds, "contact begin") {
			t.Fatal("the contact was told before it was seen")
		}
	}
	e.SetPaused(true)
	e.Advance(0)
	if v := e.View(); v.Alpha <= 0 || v.Alpha >= 1 {
		t.Fatalf("paused at alpha %v", v.Alpha)
	}
	return e, b
}

func TestAContactOfAPausedWorldWaitsForTheInstantOrForAnEditThatFollowsIt(t *testing.T) {
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep} {
		e, b := touching(t, sync)
		quiet := func(when string) {
			t.Helper()
			for range 5 {
				e.Advance(time.Second / 60)
				if kinds := happened(e); len(kinds) > 0 {
					t.Errorf("%v: %q %s", sync, kinds, when)
				}
			}
		}
		quiet("although the instant stands before the contact")
		e.SetVelocity(b, world.Vec{Y: 1})
		e.SetDebugLayers(body2d.BoxesLayer)
		quiet("after edits without events")
		e.DestroyBody(b)
		var kinds []string
		for range 2 {
			e.Advance(0)
			kinds = append(kinds, happened(e)...)
		}
		begin, removed := slices.Index(kinds, "contact begin"), slices.Index(kinds, "body removed")
		if begin < 0 || removed < begin {
			t.Errorf("%v: %q, want the contact and then the removal", sync, kinds)
		}
		e.SetPaused(false)
		for range 10 {
			e.Advance(3 * time.Millisecond)
			if kinds := happened(e); slices.Contains(kinds, "contact begin") || slices.Contains(kinds, "body removed") {
				t.Errorf("%v: %q again after the pause", sync, kinds)
			}
		}
	}
}

// The removal is carried out before the step that the same frame demands.
func TestARemovalInTheLastFrameBeforeAPauseIsToldInThePause(t *testing.T) {
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
		e := start(t, engine.Config{Time: engine.Time{Sync: sync}})
		b := e.CreateBody(ball(0, 0))
		e.Advance(0)
		for range 20 {
			e.Advance(20 * time.Millisecond)
		}
		happened(e)
		before := e.Demanded()
		e.DestroyBody(b)
		e.Advance(20 * time.Millisecond)
		if e.Demanded() == before {
			t.Fatal("the frame has no step")
		}
		kinds := happened(e)
		e.SetPaused(true)
		e.Advance(20 * time.Millisecond)
		kinds = append(kinds, happened(e)...)
		if !slices.Equal(kinds, []string{"body removed"}) {
			t.Errorf("%v: %q at %v, removed at tick %d", sync, kinds, e.View().Instant, before)
		}
	}
}

// If steps cost more than a frame, the picture lags, and a newer pair of states
// than the shown pair waits.
func TestAPausedWorldThatLaggedShowsEditsAndAnswers(t *testing.T) {
	e := start(t, engine.Config{Testing: engine.Testing{StepCost: func(uint64) time.Duration { return 12 * time.Millisecond }}})
	b := e.CreateBody(ball(0, 0))
	for range 200 {
		e.Advance(time.Second / 144)
	}
	if e.Metrics().Lag < .2 {
		t.Fatalf("a lag of %v ticks", e.Metrics().Lag)
	}
	e.SetPaused(true)
	for range 10 {
		e.Advance(time.Second / 144)
	}
	happened(e)
	e.DestroyBody(b)
	e.Advance(time.Second / 144)
	e.Advance(time.Second / 144)
	if kinds := happened(e); !slices.Equal(kinds, []string{"body removed"}) {
		t.Errorf("%q", kinds)
	}
	if _, ok := e.Pose(b); ok {
		t.Error("the ball is still shown")
	}
}

// Commands in frames without a step make physics publish the present tick again.
func TestWhileTimePassesEventsOfEditsWaitForTheirTick(t *testing.T) {
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
		e := start(t, engine.Config{Time: engine.Time{Sync: sync}})
		answers, revisions := 0, 0
		for range 500 {
			world.Ask(e.Commands, (*world.World).Tick, func(tick, _ uint64) {
				answers++
				if at := e.View().Instant; float64(tick) > at {
					t.Errorf("%v: the answer of tick %d is told at %v", sync, tick, at)
				}
			})
			if e.Advance(3 * time.Millisecond); e.View().Revision > 0 {
				revisions++
			}
			happened(e)
		}
		if answers < 480 || revisions < 100 {
			t.Errorf("%v: %d answers, %d revisions shown", sync, answers, revisions)
		}
	}
}

func TestAWorldThatIsPausedFromTheStartAnswers(t *testing.T) {
	e := start(t, engine.Config{})
	e.SetPaused(true)
	b := e.CreateBody(ball(0, 0))
	e.Advance(time.Second / 60)
	e.DestroyBody(b)
	e.Advance(time.Second / 60)
	e.Advance(time.Second / 60)
	if kinds := happened(e); !slices.Equal(kinds, []string{"body removed"}) || e.View().Tick != 0 {
		t.Errorf("%q at tick %d", kinds, e.View().Tick)
	}
}

func TestDebugLayersThatAreTurnedOnWhilePausedAreShown(t *testing.T) {
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
		e := start(t, engine.Config{Time: engine.Time{Sync: sync}, Setup: func(w *world.World) error {
			_, err := w.CreateBody(ball(0, 0))
			return err
		}})
		frames(e, 5)
		e.SetPaused(true)
		frames(e, 2)
		tick := e.View().Tick
		e.SetDebugLayers(body2d.BoxesLayer)
		frames(e, 2)
		if v := e.View(); v.Tick != tick || v.Debug == nil || len(v.Debug.Boxes) != 1 {
			t.Errorf("%v: tick %d, then %d, debug %+v", sync, tick, v.Tick, v.Debug)
		}
		revision := e.View().Revision
		e.SetDebugLayers(body2d.BoxesLayer | body2d.GridLayer | body2d.NamesLayer) // these two layers need no data from physics
		if frames(e, 2); e.View().Revision != revision {
			t.Errorf("%v: published again without a change", sync)
		}
	}
}
