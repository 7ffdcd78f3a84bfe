package play

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"halfstep/engine"
	"halfstep/world"
)

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
			if err := b.Session.SetLoop("single"); err != nil || b.Stage.Player.Name != "" || !strings.Contains(b.says, want) || past != (b.Stage.Shown.What == ShowsPast) {
				t.Errorf("%s: %v, loop %q, says %q; looks back: %v, %v", args, err, b.Stage.Player.Name, b.says, past, b.Stage.Shown.What == ShowsPast)
			}
		}
		if b.do("record"); !strings.HasPrefix(b.says, "the past is not recorded") {
			t.Errorf("%s: key O in the past says %q", args, b.says)
		}
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
		if shown, is := b.Params.Gravity().Y, inWorld(); shown != y || is != y {
			t.Errorf("%s: shows %v and is %v, not %v", when, shown, is, y)
		}
	}
	own := b.Params.Gravity()
	b.Params.SetGravity(world.Vec{Y: -3})
	want("changed", -3)
	b.do("restart")
	want("after a restart", -3)
	b.do("next scene")
	want("in the next scene", b.Stage.SceneConfig.World.Gravity.Y)
	b.do("previous scene")
	want("back in the scene", -3)
	b.Params.SetGravity(own)
	b.do("restart")
	want("set back", own.Y)
	if len(b.Params.gravities) != 0 {
		t.Errorf("kept: %v", b.Params.gravities)
	}
}

func TestThePanelShowsTheDefaultsThatTheWorldIsSolvedWith(t *testing.T) {
	for _, stepper := range StepperNames {
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
		if b.Params.Gravity() != want.Gravity {
			t.Errorf("%s: shows a gravity of %v, not %v", stepper, b.Params.Gravity(), want.Gravity)
		}
	}
}

func TestASettingIsSaidByTheNameThatItsControlHas(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(1)
	for action, want := range map[string]string{
		"sync": "sync: ", "smoothing": "smoothing: ", "pacing": "even out frame times: ", "rate up": "steps per second: ", "slower": "time scale: ",
	} {
		if b.do(action); !strings.HasPrefix(b.says, want) {
			t.Errorf("%s says %q", action, b.says)
		}
	}
}
