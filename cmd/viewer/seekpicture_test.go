package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/files"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/engine"
)

// stateAndPicture runs the viewer on a clock of 60 Hz. It returns the state and the
// picture at the end.
func stateAndPicture(t *testing.T, args ...string) (hash string, picture []byte) {
	t.Helper()
	dir := t.TempDir()
	stats, file := filepath.Join(dir, "s.json"), filepath.Join(dir, "p.png")
	args = append(args, "-hidden", "-size", "160x90", "-clock", "fixed:60", "-hud=false", "-stats", stats, "-screenshot", file)
	if status, _, stderr := viewerRun(t, nil, args...); status != exitOK {
		t.Fatalf("%v: status %d, %s", args, status, stderr)
	}
	var s files.Stats
	data, err := os.ReadFile(stats)
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	picture, err = os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return s.StateHash, picture
}

func TestASeekShowsTheStateAndThePictureOfTheStraightRun(t *testing.T) {
	t.Parallel()
	needDisplay(t)
	for from, ticks := range map[string][]string{"0": {"50"}, "60": {"61", "99"}} {
		file := filepath.Join(t.TempDir(), "rec")
		record := []string{"-scene", "rain", "-ticks", "100", "-record", file}
		if from != "0" {
			record = append(record, "-record-from", from)
		}
		end, _ := stateAndPicture(t, record...)
		if got, _ := stateAndPicture(t, "-replay", file); got != end {
			t.Errorf("from tick %s: the replay ends with state %s, not %s", from, got, end)
		}
		for _, tick := range ticks {
			hash, picture := stateAndPicture(t, "-scene", "rain", "-ticks", tick)
			got, shown := stateAndPicture(t, "-replay", file, "-seek", tick, "-frames", "1")
			if got != hash {
				t.Errorf("from tick %s: tick %s has state %s, not %s", from, tick, got, hash)
			}
			if !bytes.Equal(shown, picture) {
				t.Errorf("from tick %s: tick %s has another picture", from, tick)
			}
		}
		status, _, stderr := viewerRun(t, nil, "-hidden", "-size", "64x64", "-replay", file, "-seek", "101", "-frames", "1")
		if status != exitFailed || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "from tick "+from+" to tick 100") {
			t.Errorf("a tick after the end: status %d, %q", status, stderr)
		}
	}
}

func TestAKeyWritesTheBlackBox(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "boxes")
	b := newBench(t, "-scene rain -black-box "+dir+",2s")
	b.Stage.Stdout, b.Stage.Stderr = io.Discard, io.Discard
	b.run(300)
	b.press(input.KeyB)
	_ = b.Files.Wait()
	files, _ := filepath.Glob(filepath.Join(dir, "*-key.rec"))
	if len(files) != 1 {
		t.Fatalf("files %v", files)
	}
	if err := replays(files[0]); err != nil {
		t.Error(err)
	}
	if r, err := engine.OpenRecording(files[0]); err != nil || r.Ticks-r.First < 120 || r.Ticks-r.First > 200 {
		t.Errorf("%+v, %v", r, err)
	}
	b.run(1)
	if !strings.Contains(b.picture.Notice.Text, files[0]) {
		t.Errorf("the notice says %q", b.picture.Notice.Text)
	}
	plain := newBench(t, "-scene drift")
	plain.press(input.KeyB)
	if !strings.Contains(plain.picture.Notice.Text, "-black-box") {
		t.Errorf("without one it says %q", plain.picture.Notice.Text)
	}
}
