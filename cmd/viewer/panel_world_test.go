package main

import (
	"path/filepath"
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/engine"
	"halfstep/world"
)

func TestWhatARunningWorldCannotChangeRestartsTheSceneAndSaysSo(t *testing.T) {
	for name, same := range map[string]func(b *bench) bool{
		"stepper":             func(b *bench) bool { return b.Stage.Settings.Stepper == "soft" },
		"loop":                func(b *bench) bool { return b.Stage.Player.Name != "" },
		"velocity iterations": func(b *bench) bool { return b.Stage.World.VelocityIterations > 8 },
		"workers":             func(b *bench) bool { return b.Stage.Settings.Workers > 0 },
	} {
		b := newPanelBench(t, "-scene drift")
		b.picture.Surface = input.Surface{W: 1280, H: 900, Scale: 1}
		b.panel.Page = panel.WorldPage
		b.run(60)
		b.press(input.KeySpace)
		r := b.control(name)
		b.pointAt(float64(r.X+r.W-10), float64(r.Y+r.H-9))
		if b.press1(); name == "loop" {
			b.click("loop/fixed")
		}
		if b.Stage.View.Tick > 3 || !strings.Contains(b.picture.Notice.Text, "the scene restarts") || !b.Stage.Player.Paused() || !same(b) {
			t.Errorf("%s: tick %d, says %q, paused %v", name, b.Stage.View.Tick, b.picture.Notice.Text, b.Stage.Player.Paused())
		}
	}
}

func TestTheSoftStepperHasSubStepsInPlaceOfIterations(t *testing.T) {
	b := newPanelBench(t, "-scene drift -stepper soft")
	b.panel.Page = panel.WorldPage
	b.run(30)
	if _, there := b.panel.Ui.Find("velocity iterations"); there {
		t.Error("iterations, which mean nothing here, can be set")
	}
	r := b.control("sub-steps")
	b.pointAt(float64(r.X+r.W-10), float64(r.Y+r.H-9))
	b.press1()
	if n := b.Stage.World.SubSteps; n < 8 || b.Stage.Stepper() != world.SoftStep || !strings.Contains(b.picture.Notice.Text, "the scene restarts") {
		t.Errorf("%d sub-steps of %s; says %q", n, b.Stage.Stepper(), b.picture.Notice.Text)
	}
}

func TestARecordingOfTheSoftStepperKeepsIt(t *testing.T) {
	r := replayBench(t, recordSession(t, "-scene drift -stepper soft", 30))
	r.panel.On = true
	r.picture.Surface = input.Surface{W: 960, H: 540, Scale: 1}
	r.panel.Page = panel.WorldPage
	r.run(3)
	if got := r.Stage.Stepper(); got != world.SoftStep {
		t.Errorf("it is said to be stepped by %s", got)
	}
	r.click("stepper")
	if got := r.Stage.Stepper(); got != world.SoftStep || !strings.Contains(r.picture.Notice.Text, "made with the stepper soft") {
		t.Errorf("stepped by %s, says %q", got, r.picture.Notice.Text)
	}
}

func TestSwitchesOfTheSolverActWithoutARestartAndInRecordings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	b := newPanelBench(t, "-scene cradle -record "+path)
	b.panel.Page = panel.WorldPage
	b.run(30)
	b.click("warm starting")
	b.click("sleep")
	if b.Stage.View.Tick < 30 || !b.Stage.World.NoWarmStarting || !b.Stage.World.NoSleep {
		t.Errorf("tick %d, %+v", b.Stage.View.Tick, b.Stage.World)
	}
	got := make(chan bool, 1)
	world.Ask(b.Stage.Player.Commands, func(w *world.World) bool { return w.Box2D().M_warmStarting }, func(_ uint64, on bool) { got <- on })
	b.run(5)
	if <-got {
		t.Error("the world still starts warm")
	}
	b.Session.ChangeScene(b.Stage.Current)
	if err := replays(path); err != nil {
		t.Error(err)
	}
}

func TestADoubleClickBringsTheGravityOfTheSceneBack(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.Stage.Scenes[b.Stage.Current].Config = func() engine.Config {
		return engine.Config{World: world.Config{Gravity: world.Vec{X: 4}}}
	}
	b.panel.Page = panel.WorldPage
	if err := b.Session.ChangeScene(b.Stage.Current); err != nil {
		t.Fatal(err)
	}
	b.run(3)
	own := world.Vec{X: 4}
	if b.Params.Gravity() != own {
		t.Fatalf("at first it is %v", b.Params.Gravity())
	}
	for _, slider := range []string{"gravity", "gravity x"} {
		r := b.control(slider)
		b.pointAt(float64(r.X+.9*r.W), float64(r.Y+r.H-8))
		if b.press1(); b.Params.Gravity() == own {
			t.Errorf("%s: a click changes nothing", slider)
		}
		if b.press1(); b.Params.Gravity() != own {
			t.Errorf("%s: after a double click it is %v", slider, b.Params.Gravity())
		}
	}
}

func TestBodiesInTheListHaveNumbers(t *testing.T) {
	b := newPanelBench(t, "-scene cradle")
	b.panel.Page = panel.BodyPage
	b.run(2)
	ball, _ := b.Stage.Player.Find("ball5")
	b.Inspect.Choose(ball)
	b.run(2)
	bodies := 0
	for i := range b.panel.Bodies.Parts.Rows {
		r := &b.panel.Bodies.Parts.Rows[i]
		text := b.panel.Bodies.PartText(r)
		if r.Shape == 0 && r.Joint == 0 {
			bodies++
			if !strings.HasPrefix(text, "#") {
				t.Errorf("a body is %q", text)
			}
		} else if r.Joint != 0 && !strings.Contains(text, " to #") {
			t.Errorf("a joint is %q", text)
		}
	}
	if bodies < 6 {
		t.Errorf("%d bodies", bodies)
	}
}
