package main

import (
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/picture"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/outfile"
	"halfstep/engine"
	"halfstep/world"
	"halfstep/world/forces"
)

// Earlier, both viewers ended with status 0, and the file was corrupt.
func TestASecondViewerDoesNotWriteIntoARecording(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.rec")
	first, err := outfile.Create(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.Write([]byte("recording")); err != nil {
		t.Fatal(err)
	}
	if _, err := outfile.Create(path, nil); err == nil || !strings.Contains(err.Error(), "run.rec: another program is writing it") {
		t.Error(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(path); string(data) != "recording" {
		t.Errorf("%q is left of it", data)
	}
	again, err := outfile.Create(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

// recordingOfAProgram returns the file of a recording that a program has made. In the
// recording a ball falls.
func recordingOfAProgram(t *testing.T, states bool, ticks int, set func(w *world.World, ball world.Body)) string {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "game.rec"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	e, err := engine.New(engine.Config{
		Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: f, Scene: "my game", States: states}},
		Setup: func(w *world.World) error {
			ball, err := w.CreateBody(world.BodyDef{Name: "ball", Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(1)}})
			set(w, ball)
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	e.Step(ticks)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

// Earlier, the error for a file that a program had recorded was: a recording of scene "my
// game", which is not built in.
func TestTheViewerOpensTheRecordingOfAProgram(t *testing.T) {
	path := recordingOfAProgram(t, false, 60, func(*world.World, world.Body) {})
	sc, err := play.ReplayScene(path, false)
	if err != nil {
		t.Fatal(err)
	}
	if hash, err := sc.Replay.Verify(sc.Config().Setup); err != nil || hash != sc.Replay.FinalHash() {
		t.Error(err)
	}
}

// Earlier, a world with forces.Wind was refused with "this world has []".
func TestTheViewerShowsTheStatesOfAWorldThatItCannotCompute(t *testing.T) {
	for _, states := range []bool{true, false} {
		path := recordingOfAProgram(t, states, 60, func(w *world.World, _ world.Body) {
			w.AddController(&forces.Wind{Velocity: world.Vec{X: 5}, Density: .1})
		})
		sc, err := play.ReplayScene(path, false)
		switch {
		case states && (err != nil || !sc.Replay.States || sc.Replay.Ticks != 60 || !strings.Contains(sc.Note, "the recorded states")):
			t.Errorf("%v, %q", err, sc.Note)
		case !states && (err == nil || !strings.Contains(err.Error(), "RecordOptions.States")):
			t.Error(err)
		}
	}
}

// Earlier, a recording of a world that has a controller without state was loaded, and ended
// in a mismatch without advice.
func TestARecordingThatDiffersIsShownByItsStates(t *testing.T) {
	needDisplay(t)
	for _, states := range []bool{true, false} {
		path := recordingOfAProgram(t, states, 90, func(w *world.World, ball world.Body) {
			w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
				if w.Tick() > 30 {
					w.Force(ball, world.Vec{X: 50})
				}
			}))
		})
		for _, args := range [][]string{{"-hidden"}, {"-hidden", "-ticks", "60"}, {"-frames", "200", "-clock", "fixed:60"}} {
			status, _, stderr := viewerRun(t, nil, append(args, "-size", "64x64", "-replay", path)...)
			switch {
			case strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "tick 32 differs"):
				t.Errorf("%v, states %v: %q", args, states, stderr)
			case states && (status != exitOK || !strings.Contains(stderr, "the recorded states")):
				t.Errorf("%v: status %d, %q", args, status, stderr)
			case !states && (status != exitFailed || !strings.Contains(stderr, "RecordOptions.States")):
				t.Errorf("%v: status %d, %q", args, status, stderr)
			}
		}
	}
}

func TestTheNewestRecordingsAreListedAndOpenByAClick(t *testing.T) {
	file := recordSession(t, "-scene rain", 30)
	b := newPanelBench(t, "-scene drift")
	for range 2 * play.MostRecents {
		b.Recents.Add("other.rec")
		b.Recents.Add(file)
	}
	if len(b.Recents.Paths) != 2 || b.Recents.Paths[0] != file {
		t.Fatalf("listed are %v", b.Recents.Paths)
	}
	r := b.control("search")
	b.pointAt(float64(r.X+20), float64(r.Y+r.H+30))
	b.queue.Put(input.Event{Kind: input.ScrollInput, Y: 1000})
	b.run(2)
	b.click("file " + file)
	for range 1000 {
		if b.run(1); b.Stage.Shown.Replay() != nil {
			return
		}
	}
	t.Error("it does not open")
}

func TestAnOpenRecordingIsListedOnce(t *testing.T) {
	file := recordSession(t, "-scene rain", 30)
	b := replayBench(t, file)
	b.Recents.Add(file)
	b.run(2)
	if _, twice := b.panel.Ui.Find("file " + file); twice {
		t.Error("it stands with the recordings and with the scenes")
	}
	b.control("scene " + file)
	b.Recents.Add("another.rec")
	b.run(2)
	b.control("file " + b.Recents.Paths[0])
	b.picture.HUD.Hint = time.Now().Add(time.Hour)
	b.picture.Notice.Text = ""
	if hint, _, _ := b.picture.HUD.Footnote(b.picture); hint != picture.ReplayHint {
		t.Errorf("the hint in a replay is %q", hint)
	}
}

func TestARecordingOnTheCommandLineIsReplayed(t *testing.T) {
	file := recordSession(t, "-scene rain", 3)
	if o, err := ParseFlags([]string{file}); err != nil || o.Replay != file || o.File != "" || o.Scene != "" {
		t.Errorf("%+v, %v", o, err)
	}
	if _, err := ParseFlags([]string{file, "-record", "another.rec"}); err == nil {
		t.Error("it records a replay")
	}
}
