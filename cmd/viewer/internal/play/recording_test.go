package play

import (
	"fmt"
	"halfstep/world"
	"testing"

	"halfstep/engine"
)

func TestAKeyBeginsAndEndsRecordings(t *testing.T) {
	t.Chdir(t.TempDir())
	b := newBench(t, "-scene rain")
	b.run(50)
	for i := 1; i <= 2; i++ {
		b.do("record")
		b.run(30)
		b.do("record")
		b.run(3)
		<-b.Recorder.Recording.Ended
	}
	b.Close()
	for i := 1; i <= 2; i++ {
		path := fmt.Sprintf("halfstep-%03d.rec", i)
		if err := replays(path); err != nil {
			t.Error(err)
		}
		if r, err := engine.OpenRecording(path); err != nil || r.First < 45 || r.Ticks < r.First+25 || r.Cut {
			t.Errorf("%s: %+v, %v", path, r, err)
		}
	}
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

// snapshotRecording makes a recording that begins with a snapshot.
func snapshotRecording(t *testing.T, args string) (file string) {
	return recordSession(t, args+" -record-from 40", 80)
}
