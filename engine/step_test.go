package engine_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/world"
)

// everyWay runs a test in both modes, on the wall clock and on a simulated
// clock, with and without a simulated cost of steps, running and paused.
func everyWay(t *testing.T, test func(t *testing.T, e *engine.Engine)) {
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
		for _, clock := range []string{"wall", "simulated", "slow"} {
			for _, paused := range []string{"running", "paused"} {
				t.Run(strings.Join([]string{sync.String(), clock, paused}, "/"), func(t *testing.T) {
					c := engine.Config{Setup: falling, Time: engine.Time{Sync: sync, Simulated: clock != "wall"}}
					if clock == "slow" {
						c.Testing.StepCost = func(tick uint64) time.Duration { return time.Duration(tick%3) * 9 * time.Millisecond }
					}
					e, err := engine.New(c)
					if err != nil {
						t.Fatal(err)
					}
					defer e.Close()
					for n := range 30 {
						e.Advance(time.Duration(3+n*7%29) * time.Millisecond)
					}
					e.SetPaused(paused == "paused")
					test(t, e)
				})
			}
		}
	}
}

func TestStepRunsExactlySoManyAndShowsTheLast(t *testing.T) {
	norace.Only(t)
	everyWay(t, func(t *testing.T, e *engine.Engine) {
		shown := e.View().Instant
		check := func(what string, want uint64) {
			t.Helper()
			v := e.View()
			if v.Tick != want || v.Instant != float64(want) || v.Alpha != 1 || e.Demanded() != want || e.Metrics().Tick != want {
				t.Errorf("%s: tick %d at %v, alpha %v, demanded %d, done %d; want %d", what, v.Tick, v.Instant, v.Alpha, e.Demanded(), e.Metrics().Tick, want)
			}
			if ns, frac := e.Ledger().Imbalance(); ns != 0 || frac != 0 {
				t.Errorf("%s: the ledger is out by %d ns and %d", what, ns, frac)
			}
			if v.Instant < shown || e.Metrics().BackwardFrames != 0 {
				t.Errorf("%s: from %v back to %v", what, shown, v.Instant)
			}
			shown = v.Instant
		}
		for _, n := range []int{1, 60, 0, -5, 1, 1, 700} {
			// the ticks that RunAhead shows become due first: both ends of the pair of
			// states
			asked := max(e.Demanded(), uint64(math.Round(e.View().Instant-float64(e.View().Alpha)))+1)
			want := asked + uint64(max(n, 0))
			answered := false
			world.Ask(e.Commands, (*world.World).Tick, func(tick, _ uint64) { answered = tick == asked })
			if v := e.Step(n); v != e.View() || v.Steps != max(n, 0) {
				t.Errorf("Step(%d) demanded %d", n, v.Steps)
			}
			check("Step", want)
			if happened(e); !answered {
				t.Errorf("Step(%d): no answer", n)
			}
			if n > 1 { // time continues from there
				for range 9 {
					before := e.View().Instant
					e.Advance(5 * time.Millisecond)
					most := .31
					if !strings.Contains(t.Name(), "simulated") {
						most = math.Inf(1) // physics may be late, and the picture is then held
					}
					if d := e.View().Instant - before; d < 0 || d > most || e.Paused() && d != 0 {
						t.Errorf("after Step(%d) the picture moves by %v ticks in 5 ms", n, d)
					}
				}
				shown = e.View().Instant
			}
		}
	})
}

func TestAfterAPauseTimeGoesOnFromTheSingleStep(t *testing.T) {
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
		e := start(t, engine.Config{Time: engine.Time{Sync: sync}, Setup: falling})
		for range 10 {
			e.Advance(7 * time.Millisecond)
		}
		e.SetPaused(true)
		e.Step(1)
		e.Advance(time.Second)
		at := e.View().Instant
		e.SetPaused(false)
		e.Advance(0)
		if e.View().Instant != at {
			t.Errorf("%v: from %v to %v in no time", sync, at, e.View().Instant)
		}
		for range 6 {
			e.Advance(time.Second / 120)
		}
		frames, more := 6., 1e-6
		switch sync {
		case renderloop.Pipelined:
			frames-- // the frame shows the clock of the frame before
		case renderloop.RunAhead:
			more = frames / 2 / 64 // it begins to run ahead
		}
		if got := e.View().Instant - at; got < frames/2-1e-6 || got > frames/2+more {
			t.Errorf("%v: %v ticks in %v frames of half a tick", sync, got, frames)
		}
	}
}

func TestAllEventsUpToTheStepAreDueWithIt(t *testing.T) {
	norace.Only(t)
	everyWay(t, func(t *testing.T, e *engine.Engine) {
		happened(e)
		told, delivered := make(chan int, 1), 0
		count := 0
		e.Do(func(w *world.World) {
			w.AddContactHook(func(_ *world.World, contacts []world.Event) { count += len(contacts) })
		})
		e.Step(0)
		happened(e)
		steps := norace.Rounds(40, 12)
		for n := range steps {
			e.CreateBody(ball(20+3*float64(n), 0))
			e.CreateBody(ball(20+3*float64(n), .2)) // the bodies touch in the next step
			e.Step(1 + n%3)
			for ev := range e.Events() {
				if ev.Kind == world.ContactBegin || ev.Kind == world.ContactHit || ev.Kind == world.ContactEnd {
					delivered++
				}
			}
			e.Inspect(func(*world.World) { told <- count })
			e.Step(0)
			if made := <-told; made != delivered {
				t.Fatalf("after step %d: %d events of contacts, %d delivered", n, made, delivered)
			}
		}
		if delivered < steps {
			t.Errorf("%d contacts", delivered)
		}
	})
}

func TestForcesOfAStepActInAllOfItsTicks(t *testing.T) {
	for _, n := range []int{1, 4, 300} {
		e := start(t, engine.Config{World: world.Config{NoGravity: true}})
		b := e.CreateBody(world.BodyDef{Kind: world.Dynamic, Mass: &world.Mass{Mass: 2, Inertia: 1}, Shapes: []world.ShapeDef{world.Circle(.5)}})
		e.Force(b, world.Vec{X: 6})
		e.Step(n)
		e.Step(10)
		var v world.Vec
		world.Ask(e.Commands, func(w *world.World) world.Vec { info, _ := w.Body(b); return info.Velocity }, func(_ uint64, got world.Vec) { v = got })
		e.Step(0)
		happened(e)
		if want := 3 * float64(n) / 60; math.Abs(v.X-want) > 1e-9 {
			t.Errorf("Step(%d): %v m/s, want %v", n, v.X, want)
		}
	}
}

// The commands are the same and are for the same ticks, but the pictures
// differ.
func TestAServerThatStepsHasTheHashesOfADrawnRun(t *testing.T) {
	norace.Only(t)
	const ticks = 240
	commands := func(c world.Commands, tick uint64, b *[]world.Body) {
		switch {
		case tick%40 == 3:
			*b = append(*b, c.CreateBody(ball(float64(tick%7)/9, 12)))
		case tick%17 == 5 && len(*b) > 0:
			c.Impulse((*b)[0], world.Vec{X: 1, Y: 2})
		case tick%11 == 2 && len(*b) > 0:
			c.Force((*b)[len(*b)-1], world.Vec{X: 30})
		case tick == 150:
			c.DestroyBody((*b)[1])
		}
	}
	run := func(c engine.Config, play func(e *engine.Engine)) (hashes []uint64) {
		c.Setup = func(w *world.World) error {
			w.AddContactHook(func(w *world.World, _ []world.Event) { hashes = append(hashes, w.Hash()) })
			return stack(w)
		}
		e, err := engine.New(c)
		if err != nil {
			t.Fatal(err)
		}
		play(e)
		e.Close()
		if e.Failure() != nil {
			t.Fatal(e.Failure())
		}
		return hashes
	}
	want := run(engine.Config{}, func(e *engine.Engine) {
		var b []world.Body
		for tick := range uint64(ticks) {
			commands(e.Commands, tick, &b)
			e.Step(1)
		}
	})
	if len(want) != ticks {
		t.Fatalf("%d steps", len(want))
	}
	script := func(e *engine.Engine) {
		var b []world.Body
		for tick := range uint64(ticks) {
			commands(e.At(tick), tick, &b)
		}
		e.SetLastTick(ticks)
	}
	drawn := func(ns time.Duration) func(*engine.Engine) {
		return func(e *engine.Engine) {
			script(e)
			for n := 0; e.View().Tick < ticks && n < 100_000; n++ {
				e.Advance(ns)
			}
		}
	}
	for name, got := range map[string][]uint64{
		"drawn at 60 Hz":            run(engine.Config{Time: engine.Time{Simulated: true}}, drawn(time.Second/60)),
		"drawn at 144 Hz, lockstep": run(engine.Config{Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true}}, drawn(time.Second/144)),
		"drawn at 23 Hz":            run(engine.Config{Time: engine.Time{Simulated: true}}, drawn(time.Second/23)),
		"in one call":               run(engine.Config{}, func(e *engine.Engine) { script(e); e.Step(10_000) }),
		"stepped by sevens": run(engine.Config{Time: engine.Time{Simulated: true}}, func(e *engine.Engine) {
			script(e)
			for range 40 {
				e.Step(7)
			}
		}),
	} {
		if !slices.Equal(got, want) {
			t.Errorf("%s: other hashes (%d ticks)", name, len(got))
		}
	}
}

func TestARecordingOfStepsReplays(t *testing.T) {
	var file bytes.Buffer
	e, err := engine.New(engine.Config{Setup: stack, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file}}})
	if err != nil {
		t.Fatal(err)
	}
	b := e.CreateBody(ball(0, 9))
	e.Step(20)
	e.Force(b, world.Vec{X: 40})
	e.Step(7)
	e.SetPaused(true)
	e.Impulse(b, world.Vec{Y: 5})
	e.Step(0)
	e.Step(3)
	e.SetPaused(false)
	e.Advance(40 * time.Millisecond)
	e.Teleport(b, world.Vec{X: 1, Y: 8}, 0)
	e.Step(30)
	ticks := e.Demanded()
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	r := read(t, file.Bytes())
	if hash, err := r.Verify(stack); err != nil || hash != r.FinalHash() || r.Ticks != ticks || r.Alpha != 1 {
		t.Errorf("hash %x of %x, %d ticks of %d, remainder %v: %v", hash, r.FinalHash(), r.Ticks, ticks, r.Alpha, err)
	}
	again, err := engine.New(r.Config(stack))
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	again.Step(11)
	if v := again.Step(math.MaxInt32); v.Tick != ticks || again.Failure() != nil {
		t.Errorf("a replay that is stepped ends at tick %d of %d: %v", v.Tick, ticks, again.Failure())
	}
}

func TestStepEndsAtTheLastTickAndTellsItsEvents(t *testing.T) {
	e := start(t, engine.Config{Setup: falling})
	e.SetLastTick(7)
	if v := e.Step(5); v.Tick != 5 {
		t.Errorf("tick %d", v.Tick)
	}
	if v := e.Step(5); v.Tick != 7 || v.Steps != 2 || v.Instant != 7 {
		t.Errorf("tick %d at %v, %d demanded", v.Tick, v.Instant, v.Steps)
	}
	for range 5 {
		if v := e.Advance(time.Second / 10); v.Tick != 7 || v.Instant != 7 {
			t.Errorf("tick %d at %v", v.Tick, v.Instant)
		}
	}
	if n := e.Metrics().BackwardFrames; n != 0 {
		t.Errorf("%d frames backward", n)
	}
}

// A run reaches its last tick because time passes.
func TestARunThatEndsShowsItsLastTickAndTellsItsEvents(t *testing.T) {
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
		e := start(t, engine.Config{Time: engine.Time{Sync: sync}, Setup: func(w *world.World) error {
			b, err := w.CreateBody(ball(0, 0))
			w.AddContactHook(func(w *world.World, _ []world.Event) {
				if w.Tick() == 7 {
					_ = w.DestroyBody(b)
				}
			})
			return err
		}})
		e.SetLastTick(7)
		var kinds []string
		for range 20 {
			e.Advance(time.Second / 50)
			kinds = append(kinds, happened(e)...)
		}
		for i := 0; i < 5000 && len(kinds) == 0; i++ { // physics may take any time
			time.Sleep(time.Millisecond)
			e.Advance(time.Second / 50)
			kinds = append(kinds, happened(e)...)
		}
		if v := e.View(); v.Tick != 7 || v.Instant != 7 || !slices.Equal(kinds, []string{"body removed"}) {
			t.Errorf("%v: tick %d at %v, %q", sync, v.Tick, v.Instant, kinds)
		}
	}
}

// A caller of Step waits, so that no step is left to do afterwards.
func TestOnASimulatedClockTheStepsOfStepTakeNoTime(t *testing.T) {
	e := start(t, engine.Config{Setup: falling, Testing: engine.Testing{StepCost: func(uint64) time.Duration { return 5 * time.Millisecond }}})
	e.Advance(time.Second / 60)
	e.Step(1000)
	for range 60 {
		e.Advance(time.Second / 60)
	}
	if m := e.Metrics(); m.HeldFrames != 0 || m.Tick < 1059 {
		t.Errorf("%d frames held, tick %d", m.HeldFrames, m.Tick)
	}
}

func TestStepInACallbackIsAFailureAndNoHang(t *testing.T) {
	everyCallback(t, func(e *engine.Engine) { e.Step(1) }, func(t *testing.T, err error) {
		if err == nil || !strings.Contains(err.Error(), "Step was called in a function that physics runs") {
			t.Errorf("failure %v", err)
		}
	})
}

func TestAFailureEndsStepAndSoDoesCloseBeforeIt(t *testing.T) {
	boom := errors.New("boom")
	e := start(t, engine.Config{OnStep: func(tick uint64, _ time.Duration) {
		if tick == 30 {
			panic(boom)
		}
	}})
	if v := e.Step(1000); v.Tick != 30 || !errors.Is(e.Failure(), boom) {
		t.Errorf("tick %d: %v", v.Tick, e.Failure())
	}
	e.Step(1000)
	e.Close()
	if v := e.Step(5); v.Tick != 30 {
		t.Errorf("tick %d after Close", v.Tick)
	}
}

// A pause does not count as lost time, and neither do steps during the pause.
func TestAPauseIsAccountedAsPausedAndNotAsDropped(t *testing.T) {
	e := start(t, engine.Config{Setup: falling})
	for range 30 {
		e.Advance(time.Second / 60)
	}
	e.SetPaused(true)
	for range 60 {
		e.Advance(time.Second / 60)
	}
	e.Step(6)
	e.SetPaused(false)
	e.Advance(time.Second / 60)
	l := e.Ledger()
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-6 {
			t.Errorf("%s %v s, want %v", what, got, want)
		}
	}
	near("paused", l.Paused(), 1)
	near("paused, as Metrics say,", e.Metrics().Paused, 1)
	near("dropped", l.Dropped(), 0)
	near("dropped, as Metrics say,", e.Metrics().Dropped, 0)
	near("stepped", l.Stepped(), l.Simulated()+l.Residual()+l.Paused()-l.Scaled())
	if l.Stepped() < 6./60 || l.Stepped() > 7./60 {
		t.Errorf("stepped %v s", l.Stepped())
	}
}

func TestFrameDoesNotCountTheTimeThatStepTakes(t *testing.T) {
	var stepping atomic.Int64 // ns
	e, err := engine.New(engine.Config{OnStep: func(uint64, time.Duration) {
		start := time.Now()
		time.Sleep(10 * time.Millisecond)
		stepping.Add(int64(time.Since(start)))
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.SetPaused(true) // only Step steps
	start := time.Now()
	e.Frame()
	e.Step(20)
	e.Frame()
	passed, inStep := time.Since(start), time.Duration(stepping.Load())
	if counted := e.Metrics().RealTime; inStep == 0 || counted > passed-inStep {
		t.Errorf("%v counted of %v, with %v in Step", counted, passed, inStep)
	}
}
