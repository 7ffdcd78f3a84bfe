package engine_test

import (
	"bytes"
	"fmt"
	"regexp"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"halfstep/buffer/phase"
	"halfstep/engine"
	"halfstep/engine/fault"
	"halfstep/internal/timing"
	"halfstep/renderloop"
	"halfstep/world"
)

// labelsHere returns the profile labels of the calling goroutine. The goroutine profile
// lists the labels together with the stack, which contains the caller's name.
func labelsHere() string {
	pc, _, _, _ := runtime.Caller(1)
	name := runtime.FuncForPC(pc).Name()
	var b bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&b, 1)
	for _, block := range strings.Split(b.String(), "\n\n") {
		if strings.Contains(block, name+"+") {
			if m := regexp.MustCompile(`# labels: (\{.*\})`).FindStringSubmatch(block); m != nil {
				return m[1]
			}
			return "none"
		}
	}
	return "no goroutine in " + name
}

func labels(loop, phase string) string {
	if phase == "" {
		return fmt.Sprintf(`{"engine":"test", "loop":%q}`, loop)
	}
	return fmt.Sprintf(`{"engine":"test", "loop":%q, "phase":%q}`, loop, phase)
}

// falling is a box above a ground.
func falling(w *world.World) error {
	_, err := w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Box(10, 1)}})
	if err == nil {
		_, err = w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{Y: 1.9},
			Shapes: []world.ShapeDef{world.Box(1, 1)}})
	}
	return err
}

func TestBothGoroutinesCarryLabelsForEachPhase(t *testing.T) {
	got := map[string]string{}
	var mu sync.Mutex
	put := func(at, labels string) {
		mu.Lock()
		defer mu.Unlock()
		got[at] = labels
	}
	c := engine.Config{Name: "test", Time: engine.Time{Simulated: true, EventsAtOnce: true}, Setup: func(w *world.World) error {
		w.AddController(world.ControllerFunc(func(*world.World, float64) { put("controllers", labelsHere()) }))
		w.AddContactHook(func(_ *world.World, _ []world.Event) { put("contacts", labelsHere()) })
		w.SetPreSolve(func(*world.World, *world.PreSolveContact) { put("step", labelsHere()) })
		return falling(w)
	}}
	c.OnStep = func(uint64, time.Duration) { put("after", labelsHere()) }
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	events := 0
	for range 30 {
		e.Do(func(*world.World) { put("commands", labelsHere()) })
		e.Advance(sixtieth)
		put("frame", labelsHere())
		for range e.Events() {
			put("events", labelsHere())
			events++
		}
		put("drained", labelsHere())
		e.Trace().EnterPhase(phase.Draw)
		put("draw", labelsHere())
		e.Trace().EnterPhase(phase.Swap)
		put("swap", labelsHere())
	}
	e.Close()
	pprof.SetGoroutineLabels(t.Context())
	if events == 0 {
		t.Fatal("no events")
	}
	for at, want := range map[string]string{
		"controllers": labels("physics", "controllers"), "contacts": labels("physics", "contacts"),
		"step":     `{"engine":"test", "loop":"physics", "phase":"step", "stage":"narrow phase"}`,
		"commands": labels("physics", "commands"), "after": labels("physics", ""),
		"frame": labels("render", ""), "events": labels("render", "events"), "drained": labels("render", ""),
		"draw": labels("render", "draw"), "swap": labels("render", "swap"),
	} {
		if got[at] != want {
			t.Errorf("%s: %s, want %s", at, got[at], want)
		}
	}
}

func TestNoPhasesLeavesLabelsAlone(t *testing.T) {
	pprof.SetGoroutineLabels(pprof.WithLabels(t.Context(), pprof.Labels("mine", "yes")))
	defer pprof.SetGoroutineLabels(t.Context())
	e, err := engine.New(engine.Config{Testing: engine.Testing{NoPhases: true}, Time: engine.Time{Simulated: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for range 5 {
		e.Advance(sixtieth)
		e.Trace().EnterPhase(phase.Draw)
		e.Trace().PlanSleep(1)
	}
	if got := labelsHere(); got != `{"mine":"yes"}` {
		t.Errorf("labels are %s", got)
	}
	if s := e.Trace().Spans(phase.Render, make([]timing.Span, 0, 8)); len(s) != 0 {
		t.Errorf("spans %v", s)
	}
}

func TestSpansTellWhichStepFedWhichFrame(t *testing.T) {
	e, err := engine.New(engine.Config{Time: engine.Time{Simulated: true}, Setup: falling})
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		e.Advance(sixtieth)
	}
	e.Close()
	frames := e.Trace().Spans(phase.Render, make([]timing.Span, 0, 20))
	steps := e.Trace().Spans(phase.Physics, make([]timing.Span, 0, timing.MaxSpans))
	if len(frames) != 20 || frames[19].Number != 48 {
		t.Fatalf("%d frames: %+v", len(frames), frames)
	}
	for _, f := range frames {
		i := slices.IndexFunc(steps, func(s timing.Span) bool { return s.Number == f.Tick })
		if i < 0 {
			t.Fatalf("frame %d shows tick %d, of which there is no step", f.Number, f.Tick)
		}
		if f.Fresh && steps[i].Start > f.End {
			t.Errorf("frame %d took tick %d before it was begun", f.Number, f.Tick)
		}
	}
}

func TestSpansCountTheCommandsOfEverySync(t *testing.T) {
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
		e := start(t, engine.Config{Time: engine.Time{Sync: sync, Simulated: true}, Setup: falling})
		given, counted := 0, 0
		for i := range 60 {
			e.At(e.Demanded() + uint64(i%4)).SetGravity(world.Vec{Y: -float64(i)})
			given++
			e.Advance(sixtieth)
		}
		e.Step(4)
		e.Close()
		for _, s := range e.Trace().Spans(phase.Physics, make([]timing.Span, 0, timing.MaxSpans)) {
			counted += int(s.Work.Commands)
		}
		if counted != given {
			t.Errorf("%v: the spans have %d commands, %d were given", sync, counted, given)
		}
	}
}

func TestAnInstrumentedFrameAllocatesNothing(t *testing.T) {
	i, _ := fault.Parse("step:1ms@1000000")
	e, err := engine.New(engine.Config{Testing: engine.Testing{Faults: []fault.Fault{i}}})
	if err != nil {
		t.Fatal(err)
	}
	e.Trace().OnLate(time.Hour, time.Hour, func(engine.Late) {})
	defer e.Close()
	e.SetPaused(true)
	spans := make([]timing.Span, 0, 64)
	frame := func() {
		e.Frame()
		for _, p := range []phase.Phase{phase.Upload, phase.Draw, phase.HUD, phase.Swap} {
			e.Trace().EnterPhase(p)
		}
		e.Trace().PlanSleep(time.Millisecond)
		e.Trace().Spans(phase.Physics, spans)
		e.Metrics()
	}
	for range 100 {
		frame()
	}
	if n := testing.AllocsPerRun(1000, frame); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}
