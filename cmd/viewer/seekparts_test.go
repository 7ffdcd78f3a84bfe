package main

import (
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/renderloop/frametime"
)

// wallBench returns a bench whose frames do not wait for physics.
func wallBench(t *testing.T, args string, ticks uint64) *bench {
	t.Helper()
	b := newPanelBench(t, args)
	b.source, b.Stage.Settings.Simulated = frametime.NewWallSource(), false
	if err := b.Session.ChangeScene(b.Stage.Current); err != nil {
		t.Fatal(err)
	}
	b.run(1)
	for b.Stage.View.Tick < ticks {
		b.Travel.Steps = 10
		b.run(1)
	}
	return b
}

// seeks runs frames until a seek has reached its target. It returns the ticks that were
// shown.
func (b *bench) seeks() (shown []uint64) {
	b.t.Helper()
	for b.Travel.Seeking.On {
		if b.run(1); b.Stage.View.Tick != 0 && (len(shown) == 0 || shown[len(shown)-1] != b.Stage.View.Tick) {
			shown = append(shown, b.Stage.View.Tick)
		}
		time.Sleep(time.Millisecond)
	}
	return shown
}

// farSeek returns a bench during a seek to tick 250 of a recording. The first parts of
// the seek are short.
func farSeek(t *testing.T) *bench {
	t.Helper()
	b := wallBench(t, "-scene drift", 0)
	b.openRecording(recordSession(t, "-scene spring", 300))
	b.press(input.KeySpace)
	b.Travel.Seek(250)
	b.Travel.Seeking.Part = 1
	return b
}

func TestALongSeekShowsPicturesOnTheWayAndTheKnobStaysWhereItWasDragged(t *testing.T) {
	b := farSeek(t)
	for b.Travel.Seeking.On {
		if got := b.panel.Bar.Scrubbed(false); got != 250 {
			t.Fatalf("the knob is at tick %d", got)
		}
		b.run(1)
		time.Sleep(time.Millisecond)             // physics needs the processor as well
		if k := &b.Travel.Seeking; k.Part > 16 { // a fast machine must also need several parts
			k.Part = 16
		}
	}
	if b.Stage.View.Tick != 250 {
		t.Errorf("at tick %d", b.Stage.View.Tick)
	}
	b.run(2)
	if got := b.panel.Bar.Scrubbed(false); got != 250 {
		t.Errorf("then the knob is at tick %d", got)
	}
	b.Travel.Seek(100)
	b.press(input.KeyN)
	shown := b.seeks()
	if last := shown[len(shown)-1]; last != 101 {
		t.Errorf("back to tick 100 and a step on it shows %v", shown)
	}
}

func TestAWindowShowsTheWayToTheTickOfSeek(t *testing.T) {
	b := newBench(t, "-panel -scene rain -seek 200")
	b.source, b.Stage.Settings.Simulated = frametime.NewWallSource(), false
	if err := b.Session.ChangeScene(b.Stage.Current); err != nil {
		t.Fatal(err)
	}
	b.run(1)
	if !b.Travel.Seeking.On || b.Stage.View.Tick >= 200 {
		t.Fatalf("after three frames it is at tick %d", b.Stage.View.Tick)
	}
	if shown := b.seeks(); len(shown) < 3 || b.Stage.View.Tick != 200 {
		t.Errorf("it shows %v", shown)
	}
}
