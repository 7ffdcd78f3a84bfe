package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/input"
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
		if got := b.stage.player.has("thing"); got != want {
			t.Fatalf("%s: the thing is there: %v", what, got)
		}
	}
	build := func() {
		t.Helper()
		b.build.create("thing", world.Vec{Y: 3}, world.Box(.5, .5))
		there("built", true)
	}
	for _, leaves := range []func(){
		func() { b.press(input.KeyR) },
		func() { b.press(input.KeyPageDown) },
		func() { b.press(input.KeyPageUp) },
		func() { b.panel.err = b.session.setStepper(world.SoftStep) },
		func() { b.panel.err = b.session.setLoop("fixed") },
		func() { b.panel.err = b.session.setLoop("engine") },
		func() { b.panel.err = b.session.setCompare("soft") },
		func() { b.panel.err = b.session.setCompare("") },
		func() { b.panel.err = b.session.compareTower() },
		func() { b.panel.err = b.session.setCompare("") },
		func() { b.panel.err = b.session.restart("workers", "1", func() { b.stage.settings.workers = 1 }) },
		func() { b.panel.err = b.session.arrive(readScene(opened)) },
	} {
		stepper, loop, compare, workers := b.stage.settings.stepper, b.stage.settings.loop, b.beside.compare.name, b.stage.settings.workers
		build()
		leaves()
		there("asked", true)
		if b.stage.settings.stepper != stepper || b.stage.settings.loop != loop || b.beside.compare.name != compare || b.stage.settings.workers != workers {
			t.Errorf("it has changed the settings and says %q", b.notice.text)
		}
		if !strings.Contains(b.notice.text, "once more") {
			t.Errorf("says %q", b.notice.text)
		}
		leaves()
		there("asked twice", false)
		if b.panel.err != nil {
			t.Fatal(b.panel.err)
		}
		b.press(input.KeyR) // nothing is built, and nothing is asked
	}

	build()
	b.press(input.KeyR)
	b.press(input.KeyPageDown) // another key begins anew
	there("two keys", true)
	if b.press(input.KeyQ); b.stage.quitting {
		t.Error("it ends with what was built")
	}
	b.saves(input.KeyS, "halfstep-002.json")
	b.press(input.KeyR)
	there("saved", false)

	build()
	b.press(input.KeyZ)
	b.press(input.KeyR)
	if strings.Contains(b.notice.text, "once more") {
		t.Error("it asks about what was undone")
	}
	build()
	b.queue.Put(input.Event{Kind: input.QuitInput}) // a signal
	if b.run(1); !b.stage.quitting {
		t.Error("a signal does not end it")
	}
}

func TestWhatCouldNotBeWrittenIsAskedAbout(t *testing.T) {
	t.Chdir(t.TempDir())
	b := newBench(t, "-scene empty -sync lockstep")
	b.run(5)
	b.build.create("box", world.Vec{Y: 3}, world.Box(.5, .5))
	b.run(3)
	dir, _ := os.Getwd()
	os.Chmod(dir, 0o500)
	os.Remove(dir) // root may write to what nobody may
	b.press(input.KeyS)
	b.until("it has failed", func() bool { return strings.Contains(b.notice.text, "no such file") })
	b.press(input.KeyR)
	b.run(3)
	if !b.stage.player.has("box") || !strings.Contains(b.notice.text, "once more") {
		t.Errorf("the box is there: %v; says %q", b.stage.player.has("box"), b.notice.text)
	}
}

func TestWhatUndoHasForgottenIsAskedAboutUnlessItIsSaved(t *testing.T) {
	t.Chdir(t.TempDir())
	b := newBench(t, "-scene empty -sync lockstep")
	b.run(5)
	b.changes.moments.most = 8
	pushes := func() {
		b.run(3)
		for range 9 {
			b.changes.beginChange("push")
		}
	}
	b.build.create("box", world.Vec{Y: 3}, world.Box(.5, .5))
	if pushes(); b.changes.moments.first == 0 || !b.changes.moments.unsaved() {
		t.Errorf("from %d on, there is something to save: %v", b.changes.moments.first, b.changes.moments.unsaved())
	}
	b.saves(input.KeyS, "halfstep-001.json")
	if pushes(); b.changes.moments.unsaved() {
		t.Error("it asks about what was saved")
	}
}

func TestAZWithShiftRedoes(t *testing.T) {
	b := newBench(t, "-scene empty -sync lockstep")
	b.run(5)
	b.build.create("box", world.Vec{Y: 3}, world.Box(.5, .5))
	b.run(3)
	b.press(input.KeyZ)
	b.run(3)
	if b.stage.player.has("box") {
		t.Fatal("it is not undone")
	}
	b.queue.Put(input.Event{Kind: input.KeyInput, Key: input.KeyZ, Action: input.Press, Mods: input.ModShift | input.ModControl})
	b.run(3)
	if !b.stage.player.has("box") {
		t.Error("it is not done again")
	}
}

func TestEachBodyThatIsMadeHasANameOfItsOwn(t *testing.T) {
	b := newBench(t, "-scene empty -sync lockstep")
	b.run(1)
	for range 3 {
		b.build.create("box", world.Vec{Y: 3}, world.Box(.5, .5))
		b.run(3)
	}
	for _, name := range []string{"box", "box 2", "box 3"} {
		if !b.stage.player.has(name) {
			t.Errorf("there is no %s", name)
		}
	}
}

func TestAJointThatIsMadeIsChosenAndDeletedFirst(t *testing.T) {
	b := workbench(t, "")
	b.build.create("box", world.Vec{X: 6, Y: 8}, world.Box(.5, .5))
	b.build.create("ball", world.Vec{X: 8, Y: 8}, world.Circle(.5))
	b.run(3)
	bodies, joints := b.bodies(), b.joints()
	b.click("tool joint")
	b.sketchFrom(6, 8, 8, 8)
	if b.joints() != joints+1 {
		t.Fatalf("%d joints; says %q", b.joints(), b.notice.text)
	}
	b.run(3)
	l := &b.panel.parts
	row := slices.IndexFunc(l.rows, func(r partRow) bool { return r.joint != 0 && r.joint == b.inspect.joint })
	if row < 0 || b.control(l.names[row]).H < 20 {
		t.Errorf("row %d of %d is not in sight", row, len(l.rows))
	}
	b.press(input.KeyDelete)
	b.run(3)
	if b.joints() != joints || b.bodies() != bodies {
		t.Errorf("%d joints and %d bodies are left", b.joints(), b.bodies())
	}
}
