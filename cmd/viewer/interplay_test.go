package main

import (
	"encoding/csv"
	"errors"
	"image"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/files"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/world"
)

// These tests combine features that work alone.

func TestAPictureThatAMinimisedWindowCannotGiveIsNotToldOf(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.png")
	b := newBench(t, "-scene drift -screenshot "+file)
	b.run(3)
	b.picture.Surface = input.Surface{}
	if err := b.show(true, nil); err != nil {
		t.Fatal(err)
	}
	err := b.finish()
	if err == nil || !strings.Contains(err.Error(), "minimised") || strings.Contains(b.summary, "picture") {
		t.Errorf("%v, %s", err, b.summary)
	}
}

func TestAScreenshotIsToldOfOnceItIsWritten(t *testing.T) {
	dir := t.TempDir()
	b := newBench(t, "-scene drift")
	b.run(3)
	for name, want := range map[string]string{
		filepath.Join(dir, "p.png"):            "wrote " + filepath.Join(dir, "p.png"),
		filepath.Join(dir, "nowhere", "p.png"): "no such file",
	} {
		files.WritePicture(b.Files, name, image.NewNRGBA(image.Rect(0, 0, 4, 4)))
		_ = b.Files.Wait()
		if b.run(1); !strings.Contains(b.picture.Notice.Text, want) {
			t.Errorf("%s: it says %q", name, b.picture.Notice.Text)
		}
	}
	if b.Files.Wait() == nil {
		t.Error("the run ends well")
	}
}

func TestASnapshotDoesNotBringBackWhatHeldABody(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(1)
	hold := func() {
		p, _ := b.Stage.Player.Pose(b.Sampler.Tracked[0].Body)
		b.cursor(p.X, p.Y)
		b.mouse(input.MouseButtonLeft, input.Press)
		b.run(2)
		b.cursor(p.X+1, p.Y+1)
		b.run(40)
		if b.joints() == 0 {
			t.Fatal("nothing is held")
		}
	}
	release := func() {
		b.mouse(input.MouseButtonLeft, input.Release)
		b.run(3)
	}
	hold()
	b.press(input.KeyF5)
	release()
	b.press(input.KeyF8)
	if b.run(5); b.joints() != 0 {
		t.Error("after the restore it is held")
	}
	hold()
	b.Build.Create("box", world.Vec{X: 3, Y: 3}, world.Box(.5, .5))
	release()
	b.press(input.KeyZ)
	if b.run(5); b.joints() != 0 {
		t.Error("after undo it is held")
	}
}

func TestADriverStopsWhenTheKeyIsReleasedUnseen(t *testing.T) {
	arrow := func(b *bench, action input.Action) {
		b.queue.Put(input.Event{Kind: input.KeyInput, Key: input.KeyRight, Action: action})
		b.run(2)
	}
	b := newPanelBench(t, "-scene car")
	b.run(60)
	arrow(b, input.Press)
	b.Travel.Skip(-1)
	b.run(5)
	if b.Stage.Shown.What != play.ShowsPast {
		t.Fatal(b.picture.Notice.Text)
	}
	arrow(b, input.Release)
	b.Travel.ToPresent()
	if b.run(2); b.Wheel.Arrows != [4]bool{} {
		t.Error("after the past the key counts as held")
	}
	arrow(b, input.Press)
	b.press(input.KeySlash)
	arrow(b, input.Release)
	if b.Wheel.Arrows != [4]bool{} {
		t.Error("behind a field that is typed into the key counts as held")
	}
}

func TestAFailureIsNotForgottenWhenTheSceneIsOpenedAgain(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(3)
	gaveUp := errors.New("the solver gave up")
	b.Stage.Player.Do(func(*world.World) { panic(gaveUp) })
	for range 100 {
		if b.run(1); b.Outcome.Failure != nil {
			break
		}
	}
	b.press(input.KeyR)
	if b.run(30); b.Outcome.Failure != nil {
		t.Fatal(b.Outcome.Failure)
	}
	if err := b.finish(); err == nil || !strings.Contains(err.Error(), gaveUp.Error()) {
		t.Errorf("the run ends with %v", err)
	}
}

func TestTheMenuOpensUnderTheCursor(t *testing.T) {
	b := newBench(t, "-scene arch -compare soft")
	b.run(3)
	at := func(x, y float64, unit float32) {
		t.Helper()
		b.queue.Put(input.Event{Kind: input.CursorInput, X: x, Y: y})
		b.run(1)
		b.panel.OpenMenu()
		if m := b.panel.Menu; m.X*unit != float32(x) || m.Y*unit != float32(y) {
			t.Errorf("at %v, %v: the menu is at %v, %v", x, y, m.X*unit, m.Y*unit)
		}
	}
	at(100, 90, 1)
	at(600, 90, 1)
	if b.panel.Menu.Of != b.Stage.Right.Player {
		t.Error("it is not of the right half")
	}
	c := newBench(t, "-scene arch")
	b = c
	b.picture.Surface = input.Surface{W: 2000, H: 1000, Scale: 2}
	at(300, 200, 2)
}

func TestAWatchedProgramAndARecordingAreTooMuch(t *testing.T) {
	file := recordSession(t, "-scene drift", 20)
	if _, err := ParseFlags([]string{"-watch", ":6060", file}); err == nil {
		t.Error("the recording is left out without a word")
	}
}

func TestTheTimeOfTheLogStandsStillInThePast(t *testing.T) {
	file := filepath.Join(t.TempDir(), "l.csv")
	b := newPanelBench(t, "-scene drift")
	log, err := files.NewFrameLog(file, false)
	if err != nil {
		t.Fatal(err)
	}
	b.log = log
	b.run(200)
	b.Travel.Skip(-1)
	b.run(30)
	if b.Stage.Shown.What != play.ShowsPast {
		t.Fatal(b.picture.Notice.Text)
	}
	b.Travel.ToPresent()
	b.run(30)
	if err := b.finish(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) < 100 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	column := -1
	for i, name := range rows[0] {
		if name == "time_s" {
			column = i
		}
	}
	last := 0.0
	for _, row := range rows[1:] {
		x, _ := strconv.ParseFloat(row[column], 64)
		if x < last {
			t.Fatalf("the time goes from %v back to %v", last, x)
		}
		last = x
	}
}
