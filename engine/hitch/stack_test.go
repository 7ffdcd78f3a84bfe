package hitch

import (
	"bytes"
	"context"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/buffer/phase"
)

// within runs f on a goroutine that has the labels of a thread. The end of the
// test waits for the goroutine.
func within(t *testing.T, thread phase.Thread, f func()) {
	t.Helper()
	done := make(chan struct{})
	t.Cleanup(func() { <-done })
	go func() {
		defer close(done)
		pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("engine", t.Name(), "loop", thread.String(), "phase", "controllers")))
		f()
	}()
}

func TestAStackTellsWhatAThreadIsAbout(t *testing.T) {
	var lock sync.Mutex
	var enough atomic.Bool
	never, stop := make(chan int), make(chan struct{})
	for want, f := range map[string]func(){
		"a lock":             func() { lock.Lock(); defer lock.Unlock() },
		"a channel":          func() { <-never },
		"the end of a sleep": func() { time.Sleep(300 * time.Millisecond) },
		"other goroutines":   func() { var w sync.WaitGroup; w.Go(func() { <-stop }); w.Wait() },
		running: func() {
			for !enough.Load() {
			}
		},
	} {
		t.Run(want, func(t *testing.T) {
			if want == "a lock" {
				lock.Lock()
			}
			within(t, phase.Render, f)
			switch want { // releases the goroutine
			case "a lock":
				t.Cleanup(func() { lock.Unlock() })
			case "a channel":
				t.Cleanup(func() { never <- 1 })
			case running:
				t.Cleanup(func() { enough.Store(true) })
			case "other goroutines":
				t.Cleanup(func() { stop <- struct{}{} })
			}
			var last stackSeen
			for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
				s, ok := takeStack(t.Name(), phase.Render)
				if last = s; ok && s.Doing == want && strings.Contains(s.Where, "TestAStackTells") {
					return
				}
			}
			t.Errorf("%+v", last)
		})
	}
}

func TestAStackIsThatOfTheThreadAndNotOfItsChildren(t *testing.T) {
	block := func(n, labels string) string { return "1 @ " + n + "\n# labels: " + labels + "\n#\t...\n" }
	own := `{"engine":"e", "loop":"physics", "phase":"step"}`
	profile := strings.Join([]string{
		"goroutine profile: total 5\n" + block("0x1", `{"engine":"other", "loop":"physics"}`),
		block("0x2", own), block("0x3", own), block("0x4", `{"engine":"e", "loop":"render"}`),
		block("0x5", `{"engine":"e", "loop":"render"}`),
	}, "\n\n")
	names := map[uintptr][]string{
		1: {"game.wrong"}, 2: {"game.child"}, 4: {"game.render"}, 5: {"runtime.gopark", "runtime.gcBgMarkWorker"},
		3: {"runtime.gopark", "runtime.goparkunlock", "internal/sync.(*Mutex).lockSlow", "sync.(*Mutex).Lock", "a.b/c/game.Find[...]", "halfstep/physicsloop.(*Loop[...]).step"},
	}
	resolve := func(pcs []uintptr) []string { return names[pcs[0]] }
	if s, ok := findStack(profile, "e", phase.Physics, resolve); !ok || s.Where != "game.Find" || s.Doing != "a lock" {
		t.Errorf("%+v, %v", s, ok)
	}
	if s, ok := findStack(profile, "e", phase.Render, resolve); !ok || s.Where != "game.render" || s.Doing != running {
		t.Errorf("%+v, %v", s, ok)
	}
	if s, ok := findStack(profile, "nobody", phase.Render, resolve); ok {
		t.Errorf("%+v", s)
	}
}

func TestAThreadThatReadsTheClockIsAboutWhoAsksForTheTime(t *testing.T) {
	for _, clock := range []string{"time.Since", "halfstep/internal/monotime.Since"} {
		if s := describeStack([]string{clock, "main.busy"}); s.Where != "main.busy" {
			t.Errorf("%s: %+v", clock, s)
		}
	}
}

func TestAStackThatCollectsGarbageSaysSo(t *testing.T) {
	for _, calls := range [][]string{
		{"runtime.gopark", "runtime.semacquire1", "runtime.GC", "main.collect"},
		{"runtime.gcAssistAlloc", "runtime.mallocgc", "main.collect"},
	} {
		if s := describeStack(calls); s.Doing != collectingGarbage || s.Where != "main.collect" || s.waiting() {
			t.Errorf("%+v", s)
		}
	}
	if s := describeStack([]string{"runtime.cgocall", "gl._Cfunc_swap", "main.draw"}); s.Doing != inC || s.waiting() {
		t.Errorf("%+v", s)
	}
}

func TestAStackNamesTheFunctionThatAProgrammerRecognises(t *testing.T) {
	engineLoop := []string{"halfstep/world.(*World).control", "halfstep/physicsloop.(*Loop[...]).step", "halfstep/engine.New.func1"}
	for name, c := range map[string]struct {
		calls     []string
		where, by string
	}{
		"a controller's helper":          {append([]string{"math.archSin", "main.dist", "game/path.(*Grid).find", "main.(*ai).BeforeStep"}, engineLoop...), "main.(*ai).BeforeStep", ""},
		"a query within a controller":    {append([]string{"halfstep/world.(*World).RayCast", "main.look", "main.(*ai).BeforeStep"}, engineLoop...), "main.(*ai).BeforeStep", ""},
		"a ready-made controller":        {append([]string{"halfstep/internal/geometry.clip", "halfstep/world/forces.(*Fluid).BeforeStep"}, engineLoop...), "forces.(*Fluid).BeforeStep", ""},
		"a controller of a test":         {append([]string{"halfstep/engine/hitch_test.busy", "halfstep/engine/hitch_test.TestX.func1"}, engineLoop...), "hitch_test.TestX.func1", ""},
		"the library's solver":           {append([]string{"github.com/ByteArena/box2d.(*B2Island).Solve", "github.com/ByteArena/box2d.(*B2World).Step"}, engineLoop...), "box2d.(*B2Island).Solve", ""},
		"the program's loop":             {[]string{"sort.insertionSort", "main.byDepth", "main.drawAll", "main.loop", "main.main", "runtime.main"}, "main.byDepth", "main.drawAll"},
		"the loop itself":                {[]string{"time.Sleep", "main.main", "runtime.main"}, "main.main", ""},
		"the engine, called by the loop": {[]string{"halfstep/renderloop.(*Loop).acquire", "halfstep/engine.(*Engine).Frame", "main.loop", "main.main"}, "renderloop.(*Loop).acquire", "main.loop"},
		"a callback of the engine's":     {[]string{"main.late", "halfstep/engine.(*Engine).Frame", "main.loop"}, "main.late", ""},
		"a window system":                {[]string{"runtime.cgocall", "github.com/go-gl/glfw/v3.3/glfw._Cfunc_glfwPollEvents", "main.loop"}, "glfw._Cfunc_glfwPollEvents", "main.loop"},
		"nobody's":                       {[]string{"runtime.gopark", "runtime.bgsweep"}, "", ""},
	} {
		if where, by := place(c.calls); where != c.where || by != c.by {
			t.Errorf("%s: %q, called by %q", name, where, by)
		}
	}
}

func TestTheCallerThatIsNamedIsTheOneThatTheLoopCalls(t *testing.T) {
	ours := []string{"halfstep/engine/hitch.(*Recorder).report", "halfstep/engine.(*Engine).Frame"}
	for name, c := range map[string]struct {
		late, frame []string
		by          string
	}{
		"a loop":          {[]string{"main.push", "main.heap", "main.find", "main.think", "main.loop", "main.main"}, []string{"main.loop", "main.main"}, "main.think"},
		"another package": {[]string{"game/path.push", "game/path.find", "main.think", "main.loop", "main.main"}, []string{"main.loop", "main.main"}, "main.think"},
		"a wrapper":       {[]string{"main.push", "main.heap", "main.think", "main.loop", "main.main"}, []string{"main.step", "main.loop", "main.main"}, "main.think"},
		"a framework": {[]string{"main.tree", "main.forest", "main.(*Game).Draw", "gui.draw", "gui.run", "main.main"},
			[]string{"main.(*Game).Update", "gui.update", "gui.run", "main.main"}, "main.(*Game).Draw"},
		"the loop's own":      {[]string{"main.think", "main.loop", "main.main"}, []string{"main.loop", "main.main"}, "main.loop"},
		"nobody knows a loop": {[]string{"main.push", "main.heap", "main.think", "main.main"}, nil, "main.heap"},
	} {
		s := describeStack(append([]string{"time.Now"}, c.late...))
		if c.frame != nil {
			c.frame = append(slices.Clone(ours), c.frame...)
		}
		if s.entry(c.frame); s.By != c.by {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// The test reads the text of the runtime's profile. The form of this text is not
// guaranteed.
func TestTheRuntimesProfileHasLabelsAndCounters(t *testing.T) {
	defer pprof.SetGoroutineLabels(context.Background())
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("engine", "e", "loop", "render")))
	var b bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&b, 1)
	s, ok := findStack(b.String(), "e", phase.Render, resolve)
	if !ok || !strings.Contains(strings.Join(s.Calls, " "), "TestTheRuntimesProfileHasLabels") {
		t.Errorf("%+v, %v, %s", s, ok, runtime.Version())
	}
}

// After the late frame the thread sleeps on purpose.
func TestAStackInAnotherPhaseExplainsNothing(t *testing.T) {
	files := writtenWith(t, t.TempDir(), "pile", []stackSeen{{70, "contacts", waitsForSleep, "main.run", "", nil, nil}})
	if v := files[""]; !strings.Contains(v, "solving contacts and joints") {
		t.Error(v)
	}
}
