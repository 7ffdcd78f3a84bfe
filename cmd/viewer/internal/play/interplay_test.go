package play

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"halfstep/world"
)

// snapshotRecording is a recording that begins with a snapshot.
func snapshotRecording(t *testing.T, args string) (file string) {
	return recordSession(t, args+" -record-from 40", 80)
}

func TestARecordingWithASnapshotIsPlayedByTheStepperThatMadeIt(t *testing.T) {
	for _, made := range StepperNames {
		file := snapshotRecording(t, "-scene blocks -stepper "+made)
		for _, other := range StepperNames {
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
		b.do("next scene")
		if err := choose(b); err != nil {
			t.Fatal(err)
		}
		b.do("previous scene")
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
	if b.Stage.Shown.What != ShowsPast {
		t.Fatal(b.says)
	}
	b.do("black box")
	if err := b.Files.Wait(); err != nil {
		t.Error(err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*-key.rec")); len(files) != 1 {
		t.Errorf("%d files", len(files))
	}
}

// wayBench is a bench during the seek of -seek.
func wayBench(t *testing.T) *bench {
	b := newPanelBench(t, "-scene rain")
	b.Stage.Settings.Simulated = false
	b.run(120)
	b.Travel.Seeking.To = 1_000_000
	b.Travel.beginSeek()
	b.Travel.sendPart()
	return b
}

func TestLookingBackOnTheWayOfASeekEndsTheWay(t *testing.T) {
	b := wayBench(t)
	b.Travel.Skip(-1)
	b.until("the past", func() bool { return b.Stage.Shown.What == ShowsPast && !b.Travel.Seeking.On })
	if at := b.Stage.Shown.Recording.Ticks; b.Stage.View.Tick+100 < at || b.Stage.View.Tick > at {
		t.Errorf("at tick %d of %d", b.Stage.View.Tick, at)
	}
}

func TestASceneThatIsOpenedOnTheWayOfASeekBeginsAtItsStart(t *testing.T) {
	for _, key := range []string{"restart", "next scene"} {
		b := wayBench(t)
		b.Travel.Steps = 3000
		b.do(key)
		if b.Stage.View.Tick > 100 {
			t.Errorf("it begins at tick %d", b.Stage.View.Tick)
		}
	}
}

func TestAFileThatIsOpenedAgainGrowsOn(t *testing.T) {
	path, e, written := growing(t)
	e.Step(30)
	written(30)
	dropped, err := ReadScene(path) // as a file that is dropped on a window
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
	b.do("restart")
	e.Step(30)
	b.until("what was added", func() bool { return b.Stage.View.Tick == 60 })
	b.do("next scene")
	e.Step(30)
	b.do("previous scene")
	b.until("what was added meanwhile", func() bool { return b.Stage.View.Tick == 90 })
	e.Close()
	b.until("its end", func() bool { return b.Travel.ReplayVerdict() == "identical to tick 90, the end" })
}

func TestUndoIsRefusedWhereOneHalfCannotTakeItBack(t *testing.T) {
	b := newBench(t, "-scene arch -compare fixed")
	b.run(5)
	b.Build.Create("box", world.Vec{X: 0, Y: 8}, world.Box(.5, .5))
	n := b.bodies()
	b.do("undo")
	if got := b.bodies(); got != n || !strings.HasPrefix(b.says, "only the engine's own loop") {
		t.Errorf("%d bodies, not %d: %s", got, n, b.says)
	}
}
