package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/cmd/viewer/internal/play"
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
		b.press1()
		if b.Stage.View.Tick > 3 || !strings.Contains(b.picture.Notice.Text, "the scene restarts") || !b.Stage.Player.Paused() || !same(b) {
			t.Errorf("%s: tick %d, says %q, paused %v", name, b.Stage.View.Tick, b.picture.Notice.Text, b.Stage.Player.Paused())
		}
	}
}

func TestALoopThatCannotDoWhatTheRunDoesIsRefusedAndTheRunGoesOn(t *testing.T) {
	for args, want := range map[string]string{
		"-black-box " + t.TempDir():                    "black box",
		"-record " + filepath.Join(t.TempDir(), "run"): "stop the recording first",
	} {
		b := newPanelBench(t, "-scene drift "+args)
		b.run(60)
		for _, past := range []bool{false, true} {
			if past {
				b.Travel.Skip(-.5)
				b.run(2)
			}
			if err := b.Session.SetLoop("single"); err != nil || b.Stage.Player.Name != "" || !strings.Contains(b.picture.Notice.Text, want) || past != (b.Stage.Shown.What == play.ShowsPast) {
				t.Errorf("%s: %v, loop %q, says %q; looks back: %v, %v", args, err, b.Stage.Player.Name, b.picture.Notice.Text, past, b.Stage.Shown.What == play.ShowsPast)
			}
		}
		if b.press(input.KeyO); !strings.HasPrefix(b.picture.Notice.Text, "the past is not recorded") {
			t.Errorf("%s: key O in the past says %q", args, b.picture.Notice.Text)
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

func TestARestartKeepsTheGravityAndAnotherSceneHasItsOwn(t *testing.T) {
	b := newPanelBench(t, "-scene cradle")
	inWorld := func() float64 {
		got := make(chan float64, 1)
		world.Ask(b.Stage.Player.Commands, func(w *world.World) float64 { return w.Gravity().Y }, func(_ uint64, y float64) { got <- y })
		for len(got) == 0 {
			b.run(1)
		}
		return <-got
	}
	want := func(when string, y float64) {
		t.Helper()
		if shown, is := b.Params.Gravity(), inWorld(); shown != y || is != y {
			t.Errorf("%s: shows %v and is %v, not %v", when, shown, is, y)
		}
	}
	own := b.Params.Gravity()
	b.Params.SetGravity(-3)
	want("changed", -3)
	b.press(input.KeyR)
	want("after a restart", -3)
	b.press(input.KeyPageDown)
	want("in the next scene", b.Stage.Given.World.Gravity.Y)
	b.press(input.KeyPageUp)
	want("back in the scene", -3)
	b.Params.SetGravity(own)
	b.press(input.KeyR)
	want("set back", own)
	if len(b.Params.Gravities) != 0 {
		t.Errorf("kept: %v", b.Params.Gravities)
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
	if b.Params.Gravity() != 0 || panel.GravityRange.Default != 0 {
		t.Errorf("gravity to the right only: upwards it is %v, and after a double click %v", b.Params.Gravity(), panel.GravityRange.Default)
	}
}

func TestThePanelShowsTheDefaultsThatTheWorldIsSolvedWith(t *testing.T) {
	for _, stepper := range play.StepperNames {
		b := newPanelBench(t, "-scene cradle -stepper "+stepper)
		b.run(30)
		data, err := b.Stage.Player.Engine.History().BlackBox()
		if err != nil {
			t.Fatal(err)
		}
		r, err := engine.ReadRecording(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		want, got := r.Config(nil).World, b.Stage.World
		if got.VelocityIterations != want.VelocityIterations || got.PositionIterations != want.PositionIterations || got.Gravity != want.Gravity ||
			stepper == "soft" && got.SubSteps != want.SubSteps {
			t.Errorf("%s: shows %+v, solved with %+v", stepper, got, want)
		}
		if b.Params.Gravity() != want.Gravity.Y {
			t.Errorf("%s: shows a gravity of %v, not %v", stepper, b.Params.Gravity(), want.Gravity.Y)
		}
	}
}
