package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
)

func TestTheWorldGoesBackToASnapshot(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.click("restore")
	if !strings.Contains(b.picture.Notice.Text, "no snapshot") {
		t.Errorf("without a snapshot: %q", b.picture.Notice.Text)
	}
	b.run(30)
	n := b.Sampler.Tracked[0].Body
	p, _ := b.Stage.Player.Pose(n)
	b.click("snapshot")
	b.run(60)
	far, _ := b.Stage.Player.Pose(n)
	b.click("restore")
	back, _ := b.Stage.Player.Pose(n)
	if d := back.X - p.X; far.X < p.X+.9 || d < -.1 || d > .3 {
		t.Errorf("from %v to %v, and back at %v", p.X, far.X, back.X)
	}
	b.press(input.KeyR)
	b.click("restore")
	if !strings.Contains(b.picture.Notice.Text, "no snapshot") {
		t.Errorf("after a restart: %q", b.picture.Notice.Text)
	}
}

// recordSession records some frames of a session to a file.
func recordSession(t testing.TB, args string, frames int) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "run")
	b := newBench(t, args+" -record "+file)
	b.run(frames)
	b.Close()
	if b.Recorder.Recording.Err != nil {
		t.Fatal(b.Recorder.Recording.Err)
	}
	return file
}

// replayBench returns a viewer that replays a recording, with a panel.
func replayBench(t testing.TB, file string) *bench {
	t.Helper()
	b := newPanelBench(t, "-scene drift")
	b.openRecording(file)
	return b
}

func TestTheBarOfAReplayLeadsToEveryTickAndChangesNothing(t *testing.T) {
	r := replayBench(t, recordSession(t, "-scene spring", 200))
	r.run(10)
	for _, to := range []float32{150, 40, 41, 199, 0} {
		bar := r.control("scrub")
		r.pointAt(float64(bar.X+5+(bar.W-10)*to/float32(r.Stage.Shown.Replay().Ticks)), float64(bar.Y+bar.H-9))
		r.press1()
		// the clock has advanced by some frames since then
		if got := float64(r.Stage.View.Tick); math.Abs(got-float64(to)) > 6 {
			t.Errorf("asked for tick %v: at %v", to, got)
		}
	}
	if r.Outcome.Failure != nil || r.Stage.Player.Paused() {
		t.Errorf("%v, paused %v", r.Outcome.Failure, r.Stage.Player.Paused())
	}
	r.press(input.KeySpace)
	bar := r.control("scrub")
	r.pointAt(float64(bar.X+bar.W/2), float64(bar.Y+bar.H-9))
	r.press1()
	at := r.Stage.View.Tick
	r.run(20)
	if !r.Stage.Player.Paused() || r.Stage.View.Tick != at {
		t.Errorf("a paused replay goes on from %d to %d", at, r.Stage.View.Tick)
	}
	// A replay has the parameters and the solver of its recording.
	r.panel.Page = panel.WorldPage
	r.run(2)
	r.click("warm starting")
	if !strings.Contains(r.picture.Notice.Text, "recording") || r.Outcome.Failure != nil {
		t.Errorf("said %q, %v", r.picture.Notice.Text, r.Outcome.Failure)
	}
}

func TestAReplayPlaysBackwardAndRepeatsAStretch(t *testing.T) {
	r := replayBench(t, recordSession(t, "-scene drift", 300))
	r.run(120)
	from := r.Stage.View.Tick
	r.press(input.KeyBackspace)
	r.run(60)
	if got := from - r.Stage.View.Tick; got < 50 || got > 65 {
		t.Errorf("in a second from tick %d to %d", from, r.Stage.View.Tick)
	}
	r.run(120)
	if r.Stage.View.Tick > 2 || r.Outcome.Failure != nil {
		t.Errorf("at the beginning: tick %d, %v", r.Stage.View.Tick, r.Outcome.Failure)
	}
	r.press(input.KeySpace) // stops
	r.press(input.KeySpace)
	r.run(10)
	if r.Travel.Playback.Backward || r.Stage.Player.Paused() || r.Stage.View.Tick < 5 {
		t.Errorf("let go on: tick %d", r.Stage.View.Tick)
	}

	r.Travel.Seek(100)
	r.run(2)
	r.click("loop from")
	r.Travel.Seek(130)
	r.run(2)
	r.click("loop to")
	low, high := r.Stage.View.Tick, r.Stage.View.Tick
	for range 200 {
		r.run(1)
		low, high = min(low, r.Stage.View.Tick), max(high, r.Stage.View.Tick)
	}
	if low < 98 || low > 106 || high < 128 || high > 140 {
		t.Errorf("the loop from 100 to 130 is from %d to %d", low, high)
	}
}

func TestAReplayThatHasEndedOffersToPlayFromTheBeginning(t *testing.T) {
	r := replayBench(t, recordSession(t, "-scene drift", 60))
	r.run(100)
	if !r.Travel.ReplayEnded() || r.Stage.View.Tick != r.Stage.Shown.Replay().Ticks {
		t.Fatalf("at tick %d", r.Stage.View.Tick)
	}
	r.click("pause")
	r.run(10)
	if r.Stage.View.Tick < 5 || r.Stage.View.Tick > 30 || r.Stage.Player.Paused() || r.Outcome.Failure != nil {
		t.Errorf("then it is at tick %d, paused %v, %v", r.Stage.View.Tick, r.Stage.Player.Paused(), r.Outcome.Failure)
	}
	r.run(100)
	r.press(input.KeyBackspace)
	r.run(20)
	if r.press(input.KeySpace); r.Travel.ReplayEnded() || r.Travel.Playback.Backward {
		t.Errorf("backward from the end it is at tick %d", r.Stage.View.Tick)
	}
}
