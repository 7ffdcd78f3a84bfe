package main

import (
	"encoding/csv"
	"errors"
	"image"
	"io"
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

// These tests hold what two things do together that each does well alone.

// snapshotRecording is a recording that begins with a snapshot.
func snapshotRecording(t *testing.T, args string) (file string) {
	return recordSession(t, args+" -record-from 40", 80)
}

func TestARecordingWithASnapshotIsPlayedByTheStepperThatMadeIt(t *testing.T) {
	for _, made := range play.StepperNames {
		file := snapshotRecording(t, "-scene blocks -stepper "+made)
		for _, other := range play.StepperNames {
			b := newBench(t, "-scene drift -stepper "+other)
			b.openRecording(file)
			if got := b.Stage.Stepper().String(); got != made {
				t.Errorf("made by %s, with -stepper %s it is stepped by %s", made, other, got)
			}
			stepper, _ := world.ParseStepper(other)
			if err := b.Session.SetStepper(stepper); err != nil {
				t.Errorf("made by %s, choosing %s: %v", made, other, err)
			}
			if b.run(60); b.Outcome.Failure != nil || b.Stage.View.Tick < 60 {
				t.Errorf("made by %s, choosing %s: tick %d, %v", made, other, b.Stage.View.Tick, b.Outcome.Failure)
			}
		}
	}
}

func TestARecordingIsOpenedAfterALoopOfTheArticlesAndAfterAComparison(t *testing.T) {
	file := recordSession(t, "-scene spring", 60)
	for _, choose := range []func(b *bench) error{
		func(b *bench) error { return b.Session.SetLoop("fixed") },
		func(b *bench) error { return b.Session.SetCompare("fixed") },
		func(b *bench) error { return b.Session.SetCompare("lockstep") },
	} {
		b := newBench(t, "-scene drift")
		b.openRecording(file)
		b.press(input.KeyPageDown)
		if err := choose(b); err != nil {
			t.Fatal(err)
		}
		b.press(input.KeyPageUp)
		if b.run(30); b.Stage.Shown.Replay() == nil || b.Stage.Right != nil || b.Stage.Player.Engine == nil || b.Outcome.Failure != nil {
			t.Errorf("replay %v, right half %v, loop %q, %v", b.Stage.Shown.Replay() != nil, b.Stage.Right != nil, b.Stage.Player.Name, b.Outcome.Failure)
		}
	}
}

func TestABlackBoxIsWrittenFromThePastToo(t *testing.T) {
	dir := t.TempDir()
	b := newBench(t, "-scene rain -black-box "+dir)
	b.Stage.Stdout, b.Stage.Stderr = io.Discard, io.Discard
	b.run(200)
	b.Travel.Skip(-1)
	b.run(5)
	if b.Stage.Shown.What != play.ShowsPast {
		t.Fatal(b.picture.Notice.Text)
	}
	b.press(input.KeyB)
	if err := b.Files.Wait(); err != nil {
		t.Error(err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*-key.rec")); len(files) != 1 {
		t.Errorf("%d files", len(files))
	}
}

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
		b.Files.Wg.Wait()
		if b.run(1); !strings.Contains(b.picture.Notice.Text, want) {
			t.Errorf("%s: it says %q", name, b.picture.Notice.Text)
		}
	}
	if b.Files.Wait() == nil {
		t.Error("the run ends well")
	}
}

// wayBench is on the way of -seek.
func wayBench(t *testing.T) *bench {
	b := newPanelBench(t, "-scene rain")
	b.Stage.Settings.Simulated = false
	b.run(120)
	b.Travel.Seeking.To = 1_000_000
	b.Travel.BeginSeek()
	b.Travel.SendPart()
	return b
}

func TestLookingBackOnTheWayOfASeekEndsTheWay(t *testing.T) {
	b := wayBench(t)
	b.Travel.Skip(-1)
	b.until("the past", func() bool { return b.Stage.Shown.What == play.ShowsPast && !b.Travel.Seeking.On })
	if at := b.Stage.Shown.Recording.Ticks; b.Stage.View.Tick+100 < at || b.Stage.View.Tick > at {
		t.Errorf("at tick %d of %d", b.Stage.View.Tick, at)
	}
}

func TestASceneThatIsOpenedOnTheWayOfASeekBeginsAtItsStart(t *testing.T) {
	for _, key := range []input.Key{input.KeyR, input.KeyPageDown} {
		b := wayBench(t)
		b.Travel.Steps = 3000
		b.press(key)
		if b.Stage.View.Tick > 100 {
			t.Errorf("it begins at tick %d", b.Stage.View.Tick)
		}
	}
}

func TestAFileThatIsOpenedAgainGrowsOn(t *testing.T) {
	path, e, written := growing(t)
	e.Step(30)
	written(30)
	dropped, err := play.ReadScene(path) // as a file that is dropped on a window
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, "")
	if err := b.Session.OpenFile(dropped); err != nil {
		t.Fatal(err)
	}
	b.until("its end so far", func() bool { return b.Stage.View.Tick >= 30 })
	if says := b.Travel.ReplayVerdict(); says != "" {
		t.Error(says)
	}
	b.press(input.KeyR)
	e.Step(30)
	b.until("what was added", func() bool { return b.Stage.View.Tick == 60 })
	b.press(input.KeyPageDown)
	e.Step(30)
	b.press(input.KeyPageUp)
	b.until("what was added meanwhile", func() bool { return b.Stage.View.Tick == 90 })
	e.Close()
	b.until("its end", func() bool { return b.Travel.ReplayVerdict() == "identical to tick 90, the end" })
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

func TestUndoIsRefusedWhereOneHalfCannotTakeItBack(t *testing.T) {
	b := newBench(t, "-scene arch -compare fixed")
	b.run(5)
	b.Build.Create("box", world.Vec{X: 0, Y: 8}, world.Box(.5, .5))
	n := b.bodies()
	b.press(input.KeyZ)
	if got := b.bodies(); got != n || !strings.HasPrefix(b.picture.Notice.Text, "only the engine's own loop") {
		t.Errorf("%d bodies, not %d: %s", got, n, b.picture.Notice.Text)
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
