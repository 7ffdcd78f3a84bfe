package loops

import (
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/scene"
	"halfstep/world"

	"go.uber.org/goleak"
)

// player has the methods that a Loop and an Engine have in common.
type player interface {
	Advance(d time.Duration) *view
	View() *view
	Events() iter.Seq[world.Event]
	SetPaused(on bool)
	SetLastTick(tick uint64)
	Demanded() uint64
	Failure() error
	Close() error
	Inspect(f func(*world.World))
	Impulse(b world.Body, impulse world.Vec)
	CreateBody(d world.BodyDef) world.Body
}

// find returns the handle of the body with a name.
func find(t *testing.T, v *view, name string) world.Body {
	t.Helper()
	for i := range v.Scene.Bodies {
		if b := &v.Scene.Bodies[i]; b.Name == name {
			return world.Body(b.Handle)
		}
	}
	t.Fatalf("no body %s", name)
	return 0
}

// poseOf returns the pose at which a body is shown.
func poseOf(v *view, b world.Body) (p scene.CentrePose, ok bool) {
	if slot, there := v.Scene.Slot(uint64(b)); there {
		return scene.PoseOf(v, slot)
	}
	return p, false
}

// eachLoop tests every loop.
func eachLoop(t *testing.T, test func(t *testing.T, loop string)) {
	for _, loop := range Names() {
		t.Run(loop, func(t *testing.T) { test(t, loop) })
	}
}

// pile is a stack of boxes that falls over.
func pile(w *world.World) error {
	ground := world.BodyDef{Shapes: []world.ShapeDef{world.Box(50, .5)}}
	if _, err := w.CreateBody(ground); err != nil {
		return err
	}
	for i := range 12 {
		_, err := w.CreateBody(world.BodyDef{
			Name: string(rune('a' + i)), Kind: world.Dynamic,
			Position: world.Vec{X: .2 * float64(i), Y: 1.1 + 1.05*float64(i)},
			Shapes:   []world.ShapeDef{world.Box(.5, .5)},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// hashOf returns the hash of the world. It asks for the hash while the world is paused.
func hashOf(t *testing.T, e player) (hash uint64) {
	t.Helper()
	e.SetPaused(true)
	e.Inspect(func(w *world.World) { hash = w.Hash() })
	e.Advance(time.Minute)
	e.Close()
	if err := e.Failure(); err != nil {
		t.Fatal(err)
	}
	return hash
}

// playTo lets irregular frames pass until the tick is shown, and then some more frames.
func playTo(t *testing.T, e player, tick uint64) {
	t.Helper()
	e.SetLastTick(tick)
	after := 0
	for n := 0; after < 5; n++ {
		e.Advance(time.Duration(3+n*7%29) * time.Millisecond)
		if e.Demanded() >= tick {
			after++
		}
		if n > 20*int(tick) {
			t.Fatalf("at tick %d of %d after %d frames", e.View().Tick, tick, n)
		}
	}
}

func TestSingleAndThreadedLoopsLeadToTheSameWorld(t *testing.T) {
	run := func(e player) uint64 {
		e.Advance(0)
		e.Impulse(find(t, e.View(), "c"), world.Vec{X: 5, Y: 3})
		e.CreateBody(ball(1, 20))
		playTo(t, e, 150)
		return hashOf(t, e)
	}
	threaded, err := engine.New(engine.Config{Time: engine.Time{Simulated: true}, Setup: pile})
	if err != nil {
		t.Fatal(err)
	}
	want := run(threaded)
	for _, loop := range []string{"single", "free", "fixed", "naive"} {
		if got := run(start(t, loop, engine.Config{Setup: pile})); got != want {
			t.Errorf("%s: hash %016x, threaded %016x", loop, got, want)
		}
	}
}

func TestEveryLoopEndsExactlyAtItsLastTick(t *testing.T) {
	eachLoop(t, func(t *testing.T, loop string) {
		steps := uint64(0)
		e := start(t, loop, engine.Config{Setup: pile, OnStep: func(tick uint64, _ time.Duration) {
			if steps++; tick != steps {
				t.Errorf("step %d leads to tick %d", steps, tick)
			}
		}})
		playTo(t, e, 33)
		if v := e.View(); v.Tick != 33 || e.Demanded() != 33 {
			t.Errorf("shown %d, demanded %d", v.Tick, e.Demanded())
		}
		e.Close()
		if steps != 33 {
			t.Errorf("%d steps", steps)
		}
	})
}

func TestAPausedWorldOfEveryLoopCanBeEdited(t *testing.T) {
	eachLoop(t, func(t *testing.T, loop string) {
		e := start(t, loop, engine.Config{World: world.Config{NoGravity: true}})
		b := e.CreateBody(ball(0, 0))
		frames(e, 5)
		e.SetPaused(true)
		frames(e, 2)
		tick, serial, scaled := e.View().Tick, e.View().CurSerial, e.Ledger().Scaled()
		e.Teleport(b, world.Vec{X: 7}, 0)
		frames(e, 2)
		v := e.View()
		answered := false
		world.Ask(e.Commands, (*world.World).Tick, func(asked, told uint64) { answered = asked == tick && told == tick })
		e.Teleport(b+1000, world.Vec{}, 0) // there is no such body
		events := frames(e, 1)
		if !answered || len(events) != 1 || events[0].Kind != world.CommandRejected {
			t.Errorf("answered %v, %v", answered, events)
		}
		if p, _ := poseOf(e.View(), b); p.X != 7 || v.Tick != tick || v.Revision == 0 {
			t.Errorf("pose %+v at tick %d.%d, was at %d", p, v.Tick, v.Revision, tick)
		}
		if v.CurSerial == serial {
			t.Error("other states under the same serial: they would not be drawn")
		}
		serial = v.CurSerial
		e.Step(1)
		frames(e, 2)
		if v := e.View(); v.Tick != tick+1 || v.CurSerial == serial {
			t.Errorf("a single step went from %d to %d", tick, v.Tick)
		}
		if e.Ledger().Scaled() <= scaled {
			t.Error("the ledger leaves out the time of a pause")
		}
		e.SetPaused(false)
		frames(e, 3)
		if got := e.View().Tick - tick - 1; got < 2 || got > 3 {
			t.Errorf("%d ticks in three frames after a pause", got)
		}
	})
}

// Equal serials must mean equal states, in both halves.
func TestSerialsTellStatesApart(t *testing.T) {
	eachLoop(t, func(t *testing.T, loop string) {
		e := start(t, loop, engine.Config{Setup: pile})
		seen := map[uint64]body2d.State{}
		check := func(serial uint64, states []body2d.State) {
			if s, ok := seen[serial]; ok && s != states[3] {
				t.Fatalf("serial %d is %v and %v", serial, s, states[3])
			}
			seen[serial] = states[3]
		}
		e.Advance(0)
		b := find(t, e.View(), "c")
		for n := range 100 {
			e.SetPaused(n/10%2 == 1)
			if n%3 == 0 {
				e.SetVelocity(b, world.Vec{X: float64(n)})
			}
			v := e.Advance(time.Duration(n%4) * 8 * time.Millisecond)
			check(v.PrevSerial, v.Prev)
			check(v.CurSerial, v.Cur)
		}
	})
}

func TestAPanicInAnyLoopIsAFailureAndThePictureStays(t *testing.T) {
	boom := errors.New("boom")
	for _, where := range []string{"step", "command"} {
		eachLoop(t, func(t *testing.T, loop string) {
			e := start(t, loop, engine.Config{Setup: func(w *world.World) error {
				if where == "step" {
					w.AddController(world.ControllerFunc(func(*world.World, float64) {
						if w.Tick() == 8 { // this is the second step of a frame
							panic(boom)
						}
					}))
				}
				return pile(w)
			}})
			for n := range 40 {
				if n == 20 && where == "command" {
					e.Do(func(*world.World) { panic(boom) })
				}
				e.Advance(40 * time.Millisecond) // this frame has several steps
			}
			var f *buffer.Failure
			if err := e.Failure(); !errors.As(err, &f) || !errors.Is(err, boom) || strings.Contains(err.Error(), "\n") || len(f.Stack) == 0 {
				t.Fatalf("failure %v", err)
			}
			v := e.View()
			if v.Tick != f.Tick || where == "step" && v.Tick != 8 {
				t.Errorf("stopped at %d, shown %d", f.Tick, v.Tick)
			}
			if where == "step" && loop != "variable" && loop != "semi-fixed" {
				same := start(t, "single", engine.Config{Setup: pile})
				playTo(t, same, 8)
				if w := same.View(); !slices.Equal(v.Cur, w.Cur) || v.PrevSerial != v.CurSerial && !slices.Equal(v.Prev, w.Prev) {
					t.Error("the last picture is not that of the last step")
				}
			}
			before := find(t, e.View(), "c")
			p, _ := poseOf(e.View(), before)
			e.SetVelocity(before, world.Vec{X: 1})
			frames(e, 3)
			if q, ok := poseOf(e.View(), before); !ok || q.Y != p.Y {
				t.Errorf("%+v became %+v", p, q)
			}
			if e.Metrics().Failed != true {
				t.Error("the figures do not tell")
			}
		})
	}
}

func TestLoopsThatCanNotBeAreRefusedInOneLine(t *testing.T) {
	for want, c := range map[string]engine.Config{
		`no loop "nope": there are single,`: {},
		"setup: no":                         {Setup: func(*world.World) error { return errors.New("no") }},
		"steps":                             {Time: engine.Time{MaxSteps: -1}},
		"rate":                              {Time: engine.Time{Rate: clock.Rate{Num: -1, Den: 1}}},
	} {
		if _, err := New("nope", c); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

func TestTimeScaleAndClampHoldForEveryLoopThatLooksAtTime(t *testing.T) {
	eachLoop(t, func(t *testing.T, loop string) {
		e := start(t, loop, engine.Config{Setup: pile})
		if err := e.SetScale(.5); err != nil {
			t.Fatal(err)
		}
		frames(e, 61)
		want := uint64(30)
		if loop == "fixed" || loop == "variable" || loop == "semi-fixed" {
			want = 61 // a step a frame
		}
		if got := e.View().Tick; got != want || math.Abs(e.Ledger().Scaled()-61./120) > 1e-6 {
			t.Errorf("tick %d, want %d; %v s", got, want, e.Ledger().Scaled())
		}
	})
}

func TestEventsAndAnswersComeFromEveryLoop(t *testing.T) {
	eachLoop(t, func(t *testing.T, loop string) {
		e := start(t, loop, engine.Config{})
		b := e.CreateBody(ball(0, 0))
		met := false
		frames(e, 3)
		e.RayCast(world.Vec{Y: 5}, world.Vec{Y: -5}, func(_ uint64, hit world.RayHit, ok bool) { met = ok && hit.Body == b })
		frames(e, 3)
		e.DestroyBody(b)
		removed := false
		for _, ev := range frames(e, 3) {
			removed = removed || ev.Kind == world.BodyRemoved && ev.A == b
		}
		if !met || !removed {
			t.Errorf("met %v, removed %v", met, removed)
		}
		if _, ok := scene.Pick(e.View(), 0, 0); ok {
			t.Error("the body is still shown")
		}
	})
}

// The loop fixed shows one step per frame, and single shows the blend of its clock.
func TestEveryLoopShowsWhatTheArticlesSay(t *testing.T) {
	drift := engine.Config{World: world.Config{NoGravity: true}, Setup: func(w *world.World) error {
		_, err := w.CreateBody(world.BodyDef{
			Name: "d", Kind: world.Dynamic, NoSleep: true, Velocity: world.Vec{X: 1},
			Shapes: []world.ShapeDef{world.Box(.5, .5)},
		})
		return err
	}}
	for loop, want := range map[string]float64{
		"single": .098 - 1./60, "free": 5. / 60, "fixed": 14. / 60, "variable": .098, "semi-fixed": .098,
		"naive": .098 - 1./60,
	} {
		e := start(t, loop, drift)
		for range 14 {
			e.Advance(7 * time.Millisecond)
		}
		d := find(t, e.View(), "d")
		if p, _ := poseOf(e.View(), d); math.Abs(float64(p.X)-want) > 1e-5 {
			t.Errorf("%s: shown at %v s, want %v", loop, p.X, want)
		}
		if e.Metrics().BackwardFrames != 0 || e.Metrics().Frames != 14 {
			t.Errorf("%s: %+v", loop, e.Metrics())
		}
	}
}

func TestNaivePhysicsHasATimerOfItsOwnOnTheWallClock(t *testing.T) {
	e, err := New("naive", engine.Config{Setup: pile})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	b := e.CreateBody(ball(9, 9))
	for deadline := time.Now().Add(time.Minute); e.Advance(time.Millisecond).Tick < 5; {
		if time.Now().After(deadline) {
			t.Fatal("no step in a minute")
		}
		time.Sleep(time.Millisecond)
	}
	if _, ok := poseOf(e.View(), b); !ok {
		t.Error("the command was not carried out")
	}
	e.SetPaused(true)
	e.Advance(time.Millisecond)
	if e.SetRate(clock.Hz(120)) != nil || e.SetScale(2) != nil {
		t.Error("refused")
	}
	e.Advance(time.Millisecond)
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t testing.TB, loop string, c engine.Config) *Loop {
	t.Helper()
	c.Time.Simulated = true
	l, err := New(loop, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// ball is a dynamic circle.
func ball(x, y float64) world.BodyDef {
	return world.BodyDef{
		Kind: world.Dynamic, Position: world.Vec{X: x, Y: y},
		Shapes: []world.ShapeDef{world.Circle(.5)},
	}
}

// frames lets n frames of a sixtieth of a second pass, and returns the events.
func frames(e player, n int) (events []world.Event) {
	for range n {
		e.Advance(time.Second / 60)
		for ev := range e.Events() {
			events = append(events, ev)
		}
	}
	return events
}

func TestStepOfEveryLoopIsExact(t *testing.T) {
	eachLoop(t, func(t *testing.T, loop string) {
		for _, paused := range []bool{false, true} {
			e := start(t, loop, engine.Config{Setup: pile})
			for range 10 {
				e.Advance(7 * time.Millisecond)
			}
			e.SetPaused(paused)
			before := e.View().Tick
			for _, n := range []int{1, 0, -1, 60} {
				want := e.View().Tick + uint64(max(n, 0))
				v := e.Step(n)
				if v.Tick != want || loop != "naive" && v.Instant != float64(want) {
					t.Errorf("paused %v: Step(%d) from %d leads to %d, shown %v", paused, n, before, v.Tick, v.Instant)
				}
				if ns, frac := e.Ledger().Imbalance(); ns != 0 || frac != 0 {
					t.Errorf("the ledger is out by %d ns", ns)
				}
			}
			e.SetLastTick(before + 65)
			if v := e.Step(100); v.Tick != before+65 {
				t.Errorf("the last tick is %d, stepped to %d", before+65, v.Tick)
			}
		}
	})
}

// A pause does not count as lost time, and neither do steps during the pause.
func TestAPauseIsAccountedAsPausedAndNotAsDropped(t *testing.T) {
	eachLoop(t, func(t *testing.T, loop string) {
		e := start(t, loop, engine.Config{Setup: pile})
		frames(e, 30)
		e.SetPaused(true)
		frames(e, 60)
		e.Step(6)
		e.SetPaused(false)
		frames(e, 1)
		l := e.Ledger()
		for what, figure := range map[string][2]float64{
			"paused": {l.Paused(), 1}, "dropped": {l.Dropped(), 0}, "paused, as Metrics say,": {e.Metrics().Paused, 1},
			"stepped": {l.Stepped(), l.Simulated() + l.Residual() + l.Paused() - l.Scaled()},
		} {
			if math.Abs(figure[0]-figure[1]) > 1e-6 {
				t.Errorf("%s %v s, want %v", what, figure[0], figure[1])
			}
		}
	})
}

func TestALastTickOfZeroRunsNoStep(t *testing.T) {
	eachLoop(t, func(t *testing.T, loop string) {
		e := start(t, loop, engine.Config{Setup: pile})
		e.SetLastTick(0)
		frames(e, 10)
		if tick := e.View().Tick; tick != 0 {
			t.Errorf("tick %d", tick)
		}
	})
}

func TestCommandsToAnEndedLoopAreDroppedAndCounted(t *testing.T) {
	eachLoop(t, func(t *testing.T, loop string) {
		for name, end := range map[string]func(e *Loop){
			"closed": func(e *Loop) { e.Close() },
			"failed": func(e *Loop) {
				e.Do(func(*world.World) { panic("user code") })
				for e.Failure() == nil {
					frames(e, 1)
				}
			},
		} {
			e := start(t, loop, engine.Config{})
			frames(e, 3)
			end(e)
			b := e.CreateBody(ball(0, 0))
			frames(e, 3)
			if _, ok := poseOf(e.View(), b); ok || e.Metrics().DroppedCommands != 1 || e.Room() != 0 {
				t.Errorf("%s: a body came to be: %v; %d commands dropped, room for %d", name, ok, e.Metrics().DroppedCommands, e.Room())
			}
		}
	})
}

// The panic is on the goroutine that draws, at a time when physics may be in a step.
func TestASimulatedCostThatPanicsIsAFailure(t *testing.T) {
	e := start(t, "naive", engine.Config{Testing: engine.Testing{StepCost: func(tick uint64) time.Duration {
		if tick == 20 {
			panic("user code")
		}
		return 0
	}}, OnStep: func(tick uint64, _ time.Duration) {
		if tick == 18 { // this is while the cost of step 20 is requested
			time.Sleep(20 * time.Millisecond)
		}
	}})
	for n := 0; e.Failure() == nil && n < 1000; n++ {
		frames(e, 1)
	}
	if err := e.Failure(); err == nil || !strings.Contains(err.Error(), "user code") {
		t.Errorf("failure %v", err)
	}
	frames(e, 10)
}

func TestCloseWithinGivesUpAStepThatDoesNotEndAndSaysWhere(t *testing.T) {
	eachLoop(t, func(t *testing.T, loop string) {
		t.Parallel() // it takes a second
		begun, goOn := make(chan struct{}), make(chan struct{})
		e := start(t, loop, engine.Config{Setup: func(w *world.World) error {
			w.AddController(world.ControllerFunc(func(*world.World, float64) { close(begun); <-goOn }))
			return nil
		}})
		over := make(chan struct{})
		e.SetLastTick(1)
		go func() { frames(e, 2); close(over) }()
		<-begun
		if err := e.CloseWithin(0); !errors.Is(err, engine.ErrStuck) || !strings.Contains(err.Error(), "tick 1") {
			t.Errorf("closed: %v", err)
		}
		close(goOn)
		<-over
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestTheAnimationErrorOfALoopIsInTheTimeThatItShows(t *testing.T) {
	for loop, uneven := range map[string]bool{"single": false, "variable": false, "semi-fixed": false, "naive": false, "free": true, "fixed": true} {
		e := start(t, loop, engine.Config{Setup: pile})
		for range 100 {
			e.Advance(11 * time.Millisecond)
		}
		if m := e.Metrics().Motion; m.Frames < 50 || m.RMS > 1e-3 != uneven {
			t.Errorf("%s: %+v", loop, m)
		}
	}
}
