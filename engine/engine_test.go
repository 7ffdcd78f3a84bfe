package engine_test

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"halfstep/buffer"
	"halfstep/engine"
	"halfstep/internal/privateapi"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// TestMain ignores a goroutine that js/wasm itself starts.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("runtime.handleEvent"))
}

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

// asLibrary makes setup's world use the library's own step, with which tests compare the fast stepper.
func asLibrary(setup func(*world.World) error) func(*world.World) error {
	return func(w *world.World) error {
		privateapi.World.StepAsLibrary(w)
		return setup(w)
	}
}

var syncs = []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead}

func withEachSync(t *testing.T, test func(*testing.T, renderloop.Sync)) {
	for _, s := range syncs {
		t.Run(s.String(), func(t *testing.T) { test(t, s) })
	}
}

// mover returns an engine without gravity, and a body that moves at 1 m/s. The shown
// position of the body is the shown time in seconds.
func mover(t testing.TB, c engine.Config) (*engine.Engine, world.Body) {
	t.Helper()
	c.Setup = func(w *world.World) error {
		_, err := w.CreateBody(world.BodyDef{
			Name: "mover", Kind: world.Dynamic, Velocity: world.Vec{X: 1}, NoSleep: true, Shapes: []world.ShapeDef{world.Circle(.5)},
		})
		return err
	}
	c.World.NoGravity = true
	e := start(t, c)
	e.Advance(0)
	b, ok := e.Find("mover")
	if !ok {
		t.Fatal("no body")
	}
	return e, b
}

func shownX(e *engine.Engine, b world.Body) float64 {
	p, _ := e.Pose(b)
	return p.X
}

// ball is a dynamic circle.
func ball(x, y float64) world.BodyDef {
	return world.BodyDef{
		Kind: world.Dynamic, Position: world.Vec{X: x, Y: y},
		Shapes: []world.ShapeDef{world.Circle(.5)},
	}
}

// frames lets n frames of a sixtieth of a second pass, and returns the events.
func frames(e *engine.Engine, n int) (events []world.Event) {
	for range n {
		e.Advance(time.Second / 60)
		for ev := range e.Events() {
			events = append(events, ev)
		}
	}
	return events
}

func TestZeroConfigFallsAtTenMetresPerSecondSquared(t *testing.T) {
	e := start(t, engine.Config{})
	b := e.CreateBody(ball(0, 100))
	frames(e, 63) // a second, a frame of lag, and a rounding error
	p, ok := e.Pose(b)
	if !ok || math.Abs(p.Y-(100-5)) > .3 {
		t.Errorf("pose %+v, %v after a second", p, ok)
	}
}

func TestAHandleCanBeUsedBeforeItsBodyExists(t *testing.T) {
	e := start(t, engine.Config{World: world.Config{NoGravity: true}})
	b := e.CreateBody(ball(0, 0))
	e.SetVelocity(b, world.Vec{X: 1})
	if _, ok := e.Pose(b); ok {
		t.Error("a pose before any frame")
	}
	frames(e, 30)
	if p, ok := e.Pose(b); !ok || p.X < .3 {
		t.Errorf("pose %+v, %v", p, ok)
	}
}

func TestAStaleHandleIsReportedAndReachesNobody(t *testing.T) {
	e := start(t, engine.Config{World: world.Config{NoGravity: true}})
	old := e.CreateBody(ball(0, 0))
	frames(e, 3)
	e.DestroyBody(old)
	heir := e.CreateBody(ball(0, 0)) // takes the slot
	frames(e, 3)
	e.Impulse(old, world.Vec{X: 100})
	e.DestroyBody(old)
	rejected := 0
	for _, ev := range frames(e, 3) {
		if ev.Kind == world.CommandRejected && ev.A == old && ev.Err != nil {
			rejected++
		}
	}
	if rejected != 2 {
		t.Errorf("%d rejections of two", rejected)
	}
	if p, ok := e.Pose(heir); !ok || p.X != 0 {
		t.Errorf("the heir is at %+v, %v", p, ok)
	}
	if _, ok := e.Pose(old); ok {
		t.Error("the old handle has a pose")
	}
}

func TestAPausedWorldCanBeEdited(t *testing.T) {
	e := start(t, engine.Config{World: world.Config{NoGravity: true}})
	b := e.CreateBody(ball(0, 0))
	frames(e, 5)
	e.SetPaused(true)
	frames(e, 2)
	tick := e.View().Tick
	e.Teleport(b, world.Vec{X: 7}, 0)
	frames(e, 2)
	if p, _ := e.Pose(b); p.X != 7 || e.View().Tick != tick {
		t.Errorf("pose %+v at tick %d, was at %d", p, e.View().Tick, tick)
	}
	e.Step(1)
	if e.View().Tick != tick+1 {
		t.Errorf("a single step went from %d to %d", tick, e.View().Tick)
	}
}

func TestPanicInUserCodeIsAnErrorOnTheRenderSide(t *testing.T) {
	e := start(t, engine.Config{})
	b := e.CreateBody(ball(0, 0))
	frames(e, 10)
	e.Do(func(*world.World) { panic("user code") })
	frames(e, 10)
	var f *buffer.Failure
	if !errors.As(e.Failure(), &f) || !strings.Contains(string(f.Stack), "TestPanicInUserCode") {
		t.Fatalf("failure %v", e.Failure())
	}
	if _, ok := e.Pose(b); !ok {
		t.Error("the picture is gone")
	}
}

func TestQuestionsAreAnsweredAtAStatedTick(t *testing.T) {
	e := start(t, engine.Config{World: world.Config{NoGravity: true}, Setup: func(w *world.World) error {
		_, err := w.CreateBody(ball(5, 0))
		return err
	}})
	frames(e, 5)
	answers := 0
	e.RayCast(world.Vec{}, world.Vec{X: 10}, func(tick uint64, hit world.RayHit, ok bool) {
		answers++
		if !ok || math.Abs(hit.Point.X-4.5) > .01 || tick == 0 || tick > e.View().Tick {
			t.Errorf("tick %d: %+v, %v", tick, hit, ok)
		}
	})
	e.RayCast(world.Vec{}, world.Vec{}, func(_ uint64, _ world.RayHit, ok bool) {
		answers++
		if ok {
			t.Error("a ray without length met something")
		}
	})
	e.QueryPoint(world.Vec{X: 5.1}, func(_ uint64, b []world.Body) {
		answers++
		if len(b) != 1 {
			t.Errorf("bodies at a point: %v", b)
		}
	})
	e.QueryBox(world.Vec{X: 4}, world.Vec{X: 6, Y: 1}, func(_ uint64, b []world.Body) {
		answers++
		if len(b) != 1 {
			t.Errorf("bodies in a box: %v", b)
		}
	})
	e.NearestPoint(world.Vec{}, 10, func(_ uint64, h world.NearHit, ok bool) {
		answers++
		if !ok || math.Abs(h.Distance-4.5) > .01 {
			t.Errorf("the nearest: %+v, %v", h, ok)
		}
	})
	e.NearestPoint(world.Vec{}, 10, nil) // there is no callback for the answer
	e.QueryPoint(world.Vec{}, nil)
	if ev := frames(e, 5); len(ev) != 0 {
		t.Errorf("answers are not events: %v", ev)
	}
	if answers != 5 {
		t.Errorf("%d answers of 5", answers)
	}
}

func TestRemoteCommandsArriveOnceAndInOrder(t *testing.T) {
	e := start(t, engine.Config{World: world.Config{NoGravity: true}})
	const senders, each = 8, 200
	var wg sync.WaitGroup
	got := make([][]int, senders) // only the physics goroutine writes this
	for s := range senders {
		wg.Go(func() {
			c := e.Remote()
			for i := range each {
				c.Do(func(*world.World) { got[s] = append(got[s], i) })
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	for sent := false; !sent; {
		select {
		case <-done:
			sent = true
		default:
		}
		e.Advance(time.Millisecond)
	}
	frames(e, 3)
	e.Close()
	for s := range got {
		if len(got[s]) != each {
			t.Fatalf("sender %d: %d of %d", s, len(got[s]), each)
		}
		for i, n := range got[s] {
			if i != n {
				t.Fatalf("sender %d: %d came in place of %d", s, n, i)
			}
		}
	}
}

func TestCloseFromAnyState(t *testing.T) {
	for name, f := range map[string]func(e *engine.Engine){
		"fresh":            func(*engine.Engine) {},
		"running":          func(e *engine.Engine) { frames(e, 3) },
		"paused":           func(e *engine.Engine) { e.SetPaused(true); frames(e, 3) },
		"work outstanding": func(e *engine.Engine) { e.CreateBody(ball(0, 0)); e.Advance(time.Second) },
		"dead":             func(e *engine.Engine) { e.Do(func(*world.World) { panic(1) }); frames(e, 2) },
		"closed":           func(e *engine.Engine) { e.Close() },
		"twice at once":    func(e *engine.Engine) { go e.Close() },
	} {
		e, err := engine.New(engine.Config{Time: engine.Time{Simulated: true}, Testing: engine.Testing{StepCost: func(uint64) time.Duration { return time.Second }}})
		if err != nil {
			t.Fatal(err)
		}
		f(e)
		e.Close()
		if e.View() == nil || e.Advance(time.Second) == nil {
			t.Errorf("%s: no view after Close", name)
		}
	}
}

func TestCloseFinishesWhatWasDemanded(t *testing.T) {
	steps := uint64(0)
	e := start(t, engine.Config{OnStep: func(tick uint64, _ time.Duration) { steps = tick }})
	frames(e, 30)
	e.Close()
	if steps != e.Demanded() || steps < 29 {
		t.Errorf("%d steps done of %d demanded", steps, e.Demanded())
	}
}

func TestBadConfigIsOneLine(t *testing.T) {
	for _, c := range []engine.Config{
		{Time: engine.Time{Rate: clock.Rate{Num: -1, Den: 1}}}, {Time: engine.Time{MaxSteps: -1}}, {World: world.Config{Gravity: world.Vec{X: math.NaN()}}},
		{World: world.Config{VelocityIterations: -1}}, {Setup: func(*world.World) error { return errors.New("no") }},
	} {
		e, err := engine.New(c)
		if err == nil {
			e.Close()
			t.Errorf("%+v was accepted", c)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("error %q", err)
		}
	}
}
