package otherloop_test

import (
	"bytes"
	"errors"
	"go.uber.org/goleak"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/internal/otherloop"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// eachLoop tests every loop that can stand in for the threaded one.
func eachLoop(t *testing.T, test func(t *testing.T, loop string)) {
	for _, loop := range otherloop.Names() {
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

// hashOf is the hash of the world, asked for while it is paused.
func hashOf(t *testing.T, e *engine.Engine) (hash uint64) {
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

// playTo lets irregular frames pass until the tick is shown, and some more.
func playTo(t *testing.T, e *engine.Engine, tick uint64) {
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
	run := func(loop string) uint64 {
		e := start(t, engine.Config{Testing: engine.Testing{Loop: newLoop(t, loop)}, Setup: pile})
		e.Advance(0)
		b, _ := e.Find("c")
		e.At(40).Impulse(b, world.Vec{X: 5, Y: 3})
		e.At(41).Force(b, world.Vec{X: 50})
		e.At(70).CreateBody(ball(1, 20))
		playTo(t, e, 150)
		return hashOf(t, e)
	}
	want := run("")
	for _, loop := range []string{"single", "free", "fixed", "naive"} {
		if got := run(loop); got != want {
			t.Errorf("%s: hash %016x, threaded %016x", loop, got, want)
		}
	}
}

func TestEveryLoopEndsExactlyAtItsLastTick(t *testing.T) {
	eachLoop(t, func(t *testing.T, loop string) {
		steps := uint64(0)
		e := start(t, engine.Config{Testing: engine.Testing{Loop: newLoop(t, loop)}, Setup: pile, OnStep: func(tick uint64, _ time.Duration) {
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
		e := start(t, engine.Config{Testing: engine.Testing{Loop: newLoop(t, loop)}, World: world.Config{NoGravity: true}})
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
		if p, _ := e.Pose(b); p.X != 7 || v.Tick != tick || v.Revision == 0 {
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

// Equal serials must be equal states, in whichever half.
func TestSerialsTellStatesApart(t *testing.T) {
	eachLoop(t, func(t *testing.T, loop string) {
		e := start(t, engine.Config{Testing: engine.Testing{Loop: newLoop(t, loop)}, Setup: pile})
		seen := map[uint64]body2d.State{}
		check := func(serial uint64, states []body2d.State) {
			if s, ok := seen[serial]; ok && s != states[3] {
				t.Fatalf("serial %d is %v and %v", serial, s, states[3])
			}
			seen[serial] = states[3]
		}
		e.Advance(0)
		b, _ := e.Find("c")
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
			e := start(t, engine.Config{Testing: engine.Testing{Loop: newLoop(t, loop)}, Setup: func(w *world.World) error {
				if where == "step" {
					w.AddController(world.ControllerFunc(func(*world.World, float64) {
						if w.Tick() == 8 { // the second step of a frame
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
				e.Advance(40 * time.Millisecond) // several steps in a frame
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
				same := start(t, engine.Config{Setup: pile})
				playTo(t, same, 8)
				if w := same.View(); !slices.Equal(v.Cur, w.Cur) || v.PrevSerial != v.CurSerial && !slices.Equal(v.Prev, w.Prev) {
					t.Error("the last picture is not that of the last step")
				}
			}
			before, _ := e.Find("c")
			p, _ := e.Pose(before)
			e.SetVelocity(before, world.Vec{X: 1})
			frames(e, 3)
			if q, ok := e.Pose(before); !ok || q.Y != p.Y {
				t.Errorf("%+v became %+v", p, q)
			}
			if e.Metrics().Failed != true {
				t.Error("the figures do not tell")
			}
		})
	}
}

// newLoop makes the loop of that name; "" is the engine's own.
func newLoop(t *testing.T, name string) engine.NewLoop {
	t.Helper()
	if name == "" {
		return nil
	}
	l, err := otherloop.New(name)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLoopsThatCanNotBeAreRefusedInOneLine(t *testing.T) {
	refused := func(err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v; want %s", err, want)
		}
	}
	_, err := otherloop.New("nope")
	refused(err, `no loop "nope": there are single,`)
	for _, c := range []engine.Config{
		{Testing: engine.Testing{Loop: newLoop(t, "single")}, Record: &engine.RecordOptions{W: new(bytes.Buffer)}},
		{Testing: engine.Testing{Loop: newLoop(t, "naive")}, Replay: &engine.Recording{}},
	} {
		e, err := engine.New(c)
		if err == nil {
			e.Close()
		}
		refused(err, "only the engine's own loop can record, replay and roll back")
	}
}

func TestTimeScaleAndClampHoldForEveryLoopThatLooksAtTime(t *testing.T) {
	eachLoop(t, func(t *testing.T, loop string) {
		e := start(t, engine.Config{Testing: engine.Testing{Loop: newLoop(t, loop)}, Setup: pile})
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
		e := start(t, engine.Config{Testing: engine.Testing{Loop: newLoop(t, loop)}})
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
		if _, ok := e.Pick(0, 0); ok {
			t.Error("the body is still shown")
		}
	})
}

// Fixed shows a step a frame, single the blend that its clock says.
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
		c := drift
		c.Testing.Loop = newLoop(t, loop)
		e := start(t, c)
		for range 14 {
			e.Advance(7 * time.Millisecond)
		}
		d, _ := e.Find("d")
		if p, _ := e.Pose(d); math.Abs(p.X-want) > 1e-5 {
			t.Errorf("%s: shown at %v s, want %v", loop, p.X, want)
		}
		if e.Metrics().Loop != loop || e.Metrics().BackwardFrames != 0 || e.Metrics().Frames != 14 {
			t.Errorf("%s: %+v", e.Metrics().Loop, e.Metrics())
		}
	}
}

func TestNaivePhysicsHasATimerOfItsOwnOnTheWallClock(t *testing.T) {
	e, err := engine.New(engine.Config{Testing: engine.Testing{Loop: newLoop(t, "naive")}, Setup: pile})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	b := e.Remote().CreateBody(ball(9, 9))
	for deadline := time.Now().Add(time.Minute); e.Frame().Tick < 5; {
		if time.Now().After(deadline) {
			t.Fatal("no step in a minute")
		}
		time.Sleep(time.Millisecond)
	}
	if _, ok := e.Pose(b); !ok {
		t.Error("the command was not carried out")
	}
	e.SetPaused(true)
	e.Frame()
	if e.SetRate(clock.Hz(120)) != nil || e.SetScale(2) != nil {
		t.Error("refused")
	}
	e.Frame()
}
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t testing.TB, c engine.Config) *engine.Engine {
	t.Helper()
	c.Time.Simulated = true
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// ball is a dynamic circle.
func ball(x, y float64) world.BodyDef {
	return world.BodyDef{
		Kind: world.Dynamic, Position: world.Vec{X: x, Y: y},
		Shapes: []world.ShapeDef{world.Circle(.5)},
	}
}

// frames lets n frames of a sixtieth of a second pass and returns the events.
func frames(e *engine.Engine, n int) (events []world.Event) {
	for range n {
		e.Advance(time.Second / 60)
		for ev := range e.Events() {
			events = append(events, ev)
		}
	}
	return events
}
