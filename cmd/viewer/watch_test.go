package main

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/scenes"
	"halfstep/engine"
	"halfstep/engine/profile"
	"halfstep/world"
)

// serve runs a scene at an address until stop is called. It is a built-in
// scene or, if name is not one, a scene that the viewer does not have.
func serve(t *testing.T, addr, name string) (e *engine.Engine, at string, stop func()) {
	t.Helper()
	s, _ := scenes.Lookup("cradle")
	c := s.Config()
	if name == "unknown" { // the cradle keeps variables of its own
		name = "another cradle"
	}
	if c.History.Watch.Scene = name; name == "" {
		c.Setup = func(w *world.World) error {
			w.Register("turn", func(w *world.World, _ []float64) { _ = w.SetGravity(world.Vec{X: 1}) })
			_, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Name: "alone", Shapes: []world.ShapeDef{world.Circle(1)}})
			return err
		}
	}
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	h := profile.New(e.Trace())
	l, err := h.Listen(addr)
	if err != nil {
		t.Fatal(err)
	}
	server := http.Server{Handler: h}
	go func() { _ = server.Serve(l) }()
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() {
		defer close(over)
		for ctx.Err() == nil {
			e.Step(1)
			time.Sleep(time.Millisecond)
		}
	}()
	stop = func() {
		cancel()
		<-over
		e.Close()
		server.Close()
	}
	t.Cleanup(stop)
	return e, l.Addr().String(), stop
}

// watch opens a program.
func (b *bench) watch(addr string) {
	b.t.Helper()
	sc, err := play.WatchScene("http://" + addr)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := b.Session.OpenFile(&sc); err != nil {
		b.t.Fatal(err)
	}
}

func TestAProgramIsWatchedPausedAndLookedBackOn(t *testing.T) {
	for _, c := range []struct {
		name, asks string
		states     bool
	}{{"cradle", "", false}, {"", "", false}, {"unknown", "", true}, {"cradle", "?states", true}, {"cradle", "/?engine=halfstep&states", true}} {
		_, addr, _ := serve(t, "localhost:0", c.name)
		b := newBench(t, "")
		b.watch(addr + c.asks)
		first := b.Stage.Shown.Replay().First
		if b.Stage.Shown.Replay().States != c.states {
			t.Errorf("%q%s: by states: %v", c.name, c.asks, b.Stage.Shown.Replay().States)
		}
		b.until("it follows", func() bool {
			return b.Stage.View.Tick > first+300 && !b.Travel.Seeking.On && strings.HasSuffix(b.Travel.Place(b.Stage.View.Tick), " s behind)")
		})
		b.Travel.Seek(first + 50)
		b.Travel.TogglePause()
		b.until("it is there", func() bool { return b.Stage.View.Tick == first+50 })
		if text := b.Travel.Place(b.Stage.View.Tick); b.Follow.On || !strings.HasSuffix(text, " s behind now") {
			t.Error(text)
		}
		was := b.Stage.Shown.Replay().Ticks
		b.until("the recording grows", func() bool { return b.Stage.Shown.Replay().Ticks > was+20 })
		if b.Stage.View.Tick != first+50 {
			t.Errorf("it has not stayed: tick %d", b.Stage.View.Tick)
		}
		if !b.Travel.RefusesChange() {
			t.Error("what is watched can be changed")
		}
		b.Follow.ToNow()
		b.until("it is back", func() bool { return b.Stage.View.Tick > was })
		if b.Outcome.Failure != nil || b.Stage.Player.Scale() > play.MaxCatchUpScale {
			t.Error(b.Outcome.Failure)
		}
	}
}

func TestALayerThatNeedsMoreThanStatesSaysSo(t *testing.T) {
	for _, states := range []bool{false, true} {
		_, addr, _ := serve(t, "localhost:0", "cradle")
		b := newBench(t, "")
		if states {
			addr += "?states"
		}
		b.watch(addr)
		for key, needsMore := range map[input.Key]bool{input.Key1: false, input.Key2: true, input.Key3: true, input.Key8: false, input.KeyF4: true, input.KeyF6: true} {
			b.press(key)
			if says := strings.Contains(b.picture.Notice.Text, "sends states alone"); says != (states && needsMore) {
				t.Errorf("by states: %v: key %v says %q", states, key, b.picture.Notice.Text)
			}
		}
	}
}

func TestAProgramThatComesBackIsJoinedAgain(t *testing.T) {
	_, addr, stop := serve(t, "localhost:0", "cradle")
	b := newBench(t, "")
	b.watch(addr)
	first := b.Stage.Shown.Replay()
	b.until("it follows", func() bool { return b.Stage.View.Tick > first.First+20 })
	stop()
	b.until("it has ended", func() bool { return strings.Contains(b.Travel.Place(b.Stage.View.Tick), "has ended; waiting") })
	serve(t, addr, "cradle")
	b.until("it is back", func() bool {
		if err := b.takeInput(); err != nil {
			t.Fatal(err)
		}
		return b.Stage.Shown.Replay() != first && b.Stage.Shown.Replay().Live && b.Stage.View.Tick > b.Stage.Shown.Replay().First
	})
}

func TestAFunctionThatCannotBeSentIsSaid(t *testing.T) {
	for says, call := range map[string]func(c world.Commands){
		"Do":   func(c world.Commands) { c.Do(func(*world.World) {}) },
		"turn": func(c world.Commands) { c.DoNamed("turn") },
	} {
		e, addr, _ := serve(t, "localhost:0", "")
		b := newBench(t, "")
		b.watch(addr)
		first := b.Stage.Shown.Replay()
		b.until("it follows", func() bool { return b.Stage.View.Tick > first.First+20 })
		call(e.Remote())
		b.until("it sends states", func() bool {
			if err := b.takeInput(); err != nil {
				t.Fatal(err)
			}
			return b.Stage.Shown.Replay() != first && b.Stage.Shown.Replay().States
		})
		if text := b.picture.Notice.Text; !strings.Contains(text, says) || !strings.Contains(text, "states") {
			t.Errorf("it says %q", text)
		}
	}
}

func TestKeepingUpIsNoTimeScale(t *testing.T) {
	_, addr, _ := serve(t, "localhost:0", "cradle")
	b := newBench(t, "")
	b.watch(addr)
	b.until("it keeps up", func() bool { return b.Stage.Player.Scale() != 1 })
	if b.Follow.Scale() != 1 {
		t.Errorf("it says %v", b.Follow.Scale())
	}
	if err := b.Tune.SetScale(.5); err != nil || b.Follow.Scale() != .5 || b.Follow.On {
		t.Errorf("%v: the user asked for half of the speed, and has %v", err, b.Follow.Scale())
	}
}

func TestAddressesToWatchAreRead(t *testing.T) {
	for given, want := range map[string]string{
		":6060": "http://localhost:6060", "mybox:6060": "http://mybox:6060", "http://localhost:6060/": "http://localhost:6060/",
		"https://a.example/TOKEN/": "https://a.example/TOKEN/", "localhost": "http://localhost",
		"": "", "ftp://a": "", "http://": "", "http://a b": "", "::": "",
	} {
		if got, err := play.ParseAddress(given); (err == nil) != (want != "") || got != want {
			t.Errorf("%q is %q, want %q: %v", given, got, want, err)
		}
	}
	for _, with := range []string{"-seek=3", "-scene=rain", "-replay=x", "-record=x", "-loop=naive", "-clock=fixed:60", "scene.json"} {
		if _, err := ParseFlags([]string{"-watch", ":6060", with}); err == nil {
			t.Errorf("-watch goes with %s", with)
		}
	}
}

func TestAWatchedWorldOffersNothingThatItCannotDo(t *testing.T) {
	_, at, _ := serve(t, "localhost:0", "cradle")
	b := newPanelBench(t, "-scene drift")
	b.watch(at)
	b.run(20)
	b.picture.Surface = input.Surface{W: 1280, H: 1400, Scale: 1}
	ball := b.Stage.View.Scene.Bodies[1].Handle
	b.Inspect.Choose(world.Body(ball))
	b.panel.Page = panel.BodyPage
	b.until("the ball is described", func() bool { return b.Inspect.Info.Known })
	for page, names := range map[int][]string{
		panel.WorldPage: {"rate", "gravity", "sleep", "stepper", "loop"}, panel.ViewPage: {"compare tower", "compare stepper"}, panel.ScenePage: {"undo"},
		panel.BodyPage: {"tool box", "change kind", "change mass", "change friction", "change name", "all values", "duplicate", "row of copies"},
	} {
		b.panel.Page = page
		b.run(2)
		for _, name := range names {
			if _, there := b.panel.Ui.Find(name); there {
				t.Errorf("page %s offers %q", panel.Pages[page], name)
			}
		}
	}
	if b.click("snapshot"); b.Changes.Saved != nil || !strings.Contains(b.picture.Notice.Text, "cannot be changed") {
		t.Errorf("a snapshot of it: %v, %q", b.Changes.Saved, b.picture.Notice.Text)
	}
}
