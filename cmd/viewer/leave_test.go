package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/world"
)

func TestWhatWasBuiltIsGivenUpOnlyWhenAKeyIsPressedTwiceOrItIsSaved(t *testing.T) {
	t.Chdir(t.TempDir())
	b := newBench(t, "-scene empty -sync lockstep")
	b.run(5)
	b.saves(input.KeyS, "halfstep-001.json")
	opened := "halfstep-001.json"
	there := func(what string, want bool) {
		t.Helper()
		b.run(3)
		if got := b.Stage.Player.Has("thing"); got != want {
			t.Fatalf("%s: the thing is there: %v", what, got)
		}
	}
	build := func() {
		t.Helper()
		b.Build.Create("thing", world.Vec{Y: 3}, world.Box(.5, .5))
		there("built", true)
	}
	for _, leaves := range []func(){
		func() { b.press(input.KeyR) },
		func() { b.press(input.KeyPageDown) },
		func() { b.press(input.KeyPageUp) },
		func() { b.panel.Err = b.Session.SetStepper(world.SoftStep) },
		func() { b.panel.Err = b.Session.SetLoop("fixed") },
		func() { b.panel.Err = b.Session.SetLoop("engine") },
		func() { b.panel.Err = b.Session.SetCompare("soft") },
		func() { b.panel.Err = b.Session.SetCompare("") },
		func() { b.panel.Err = b.Session.CompareTower() },
		func() { b.panel.Err = b.Session.SetCompare("") },
		func() { b.panel.Err = b.Session.Restart("workers", "1", func() { b.Stage.Settings.Workers = 1 }) },
		func() { b.panel.Err = b.Session.Arrive(play.ReadScene(opened)) },
	} {
		stepper, loop, compare, workers := b.Stage.Settings.Stepper, b.Stage.Settings.Loop, b.Comparer.Compare.Name, b.Stage.Settings.Workers
		build()
		leaves()
		there("asked", true)
		if b.Stage.Settings.Stepper != stepper || b.Stage.Settings.Loop != loop || b.Comparer.Compare.Name != compare || b.Stage.Settings.Workers != workers {
			t.Errorf("it has changed the settings and says %q", b.picture.Notice.Text)
		}
		if !strings.Contains(b.picture.Notice.Text, "once more") {
			t.Errorf("says %q", b.picture.Notice.Text)
		}
		leaves()
		there("asked twice", false)
		if b.panel.Err != nil {
			t.Fatal(b.panel.Err)
		}
		b.press(input.KeyR) // the user has built nothing, so there is no question
	}

	build()
	b.press(input.KeyR)
	b.press(input.KeyPageDown) // another key asks again
	there("two keys", true)
	if b.press(input.KeyQ); b.Stage.Quitting {
		t.Error("it ends with what was built")
	}
	b.saves(input.KeyS, "halfstep-002.json")
	b.press(input.KeyR)
	there("saved", false)

	build()
	b.press(input.KeyZ)
	b.press(input.KeyR)
	if strings.Contains(b.picture.Notice.Text, "once more") {
		t.Error("it asks about what was undone")
	}
	build()
	b.queue.Put(input.Event{Kind: input.QuitInput}) // a signal
	if b.run(1); !b.Stage.Quitting {
		t.Error("a signal does not end it")
	}
}

func TestWhatCouldNotBeWrittenIsAskedAbout(t *testing.T) {
	t.Chdir(t.TempDir())
	b := newBench(t, "-scene empty -sync lockstep")
	b.run(5)
	b.Build.Create("box", world.Vec{Y: 3}, world.Box(.5, .5))
	b.run(3)
	dir, _ := os.Getwd()
	os.Chmod(dir, 0o500)
	os.Remove(dir) // the user root may write to read-only folders
	b.press(input.KeyS)
	b.until("it has failed", func() bool { return strings.Contains(b.picture.Notice.Text, "no such file") })
	b.press(input.KeyR)
	b.run(3)
	if !b.Stage.Player.Has("box") || !strings.Contains(b.picture.Notice.Text, "once more") {
		t.Errorf("the box is there: %v; says %q", b.Stage.Player.Has("box"), b.picture.Notice.Text)
	}
}

func TestAZWithShiftRedoes(t *testing.T) {
	b := newBench(t, "-scene empty -sync lockstep")
	b.run(5)
	b.Build.Create("box", world.Vec{Y: 3}, world.Box(.5, .5))
	b.run(3)
	b.press(input.KeyZ)
	b.run(3)
	if b.Stage.Player.Has("box") {
		t.Fatal("it is not undone")
	}
	b.queue.Put(input.Event{Kind: input.KeyInput, Key: input.KeyZ, Action: input.Press, Mods: input.ModShift | input.ModControl})
	b.run(3)
	if !b.Stage.Player.Has("box") {
		t.Error("it is not done again")
	}
}

func TestAJointThatIsMadeIsChosenAndDeletedFirst(t *testing.T) {
	b := workbench(t, "")
	b.Build.Create("box", world.Vec{X: 6, Y: 8}, world.Box(.5, .5))
	b.Build.Create("ball", world.Vec{X: 8, Y: 8}, world.Circle(.5))
	b.run(3)
	bodies, joints := b.bodies(), b.joints()
	b.click("tool joint")
	b.sketchFrom(6, 8, 8, 8)
	if b.joints() != joints+1 {
		t.Fatalf("%d joints; says %q", b.joints(), b.picture.Notice.Text)
	}
	b.run(3)
	l := &b.panel.Bodies.Parts
	row := slices.IndexFunc(l.Rows, func(r panel.PartRow) bool { return r.Joint != 0 && r.Joint == b.Inspect.Joint })
	if row < 0 || b.control(l.Names[row]).H < 20 {
		t.Errorf("row %d of %d is not in sight", row, len(l.Rows))
	}
	b.press(input.KeyDelete)
	b.run(3)
	if b.joints() != joints || b.bodies() != bodies {
		t.Errorf("%d joints and %d bodies are left", b.joints(), b.bodies())
	}
}
