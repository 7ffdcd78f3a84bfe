package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"halfstep/buffer/phase"
	"halfstep/renderloop/glrender"
	"halfstep/test/cputime"
)

// All time that is spent in our code has a loop label. The time of a step also has the
// label of its phase.
func TestACPUProfileSplitsByLoopAndPhase(t *testing.T) {
	if testing.Short() {
		t.Skip("takes two seconds of profiling")
	}
	defer pprof.SetGoroutineLabels(context.Background())
	b := newBench(t, "-scene fall1000 -timeline -sync lockstep")
	b.run(1)
	var file bytes.Buffer
	if err := pprof.StartCPUProfile(&file); err != nil {
		t.Skip(err)
	}
	canvas := new(glrender.Renderer)
	for start, used := time.Now(), cputime.Used(); cputime.Used()-used < 2*time.Second && time.Since(start) < time.Minute; {
		b.run(1)
		for range 80 { // a HUD without GL costs little
			b.Stage.Player.EnterPhase(phase.HUD)
			c := canvas.BeginHUD(b.picture.Viewport())
			b.picture.Timeline.Draw(c, b.picture)
			b.picture.HUD.Draw(c, b.picture)
		}
	}
	pprof.StopCPUProfile()
	samples, err := readProfile(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	ours, labelled := int64(0), int64(0)
	found := map[string]int64{}
	for _, s := range samples {
		if !strings.Contains(strings.Join(s.stack, " "), "halfstep/") {
			continue
		}
		ours += s.count
		if s.labels["loop"] != "" {
			labelled += s.count
		}
		if s.labels["engine"] == "fall1000" {
			found[s.labels["loop"]+" "+s.labels["phase"]] += s.count
		}
	}
	t.Logf("%d samples with frames of ours, %d labelled: %v", ours, labelled, found)
	if ours < 20 {
		t.Skip("this machine gave no time to profile")
	}
	if float64(labelled) < .95*float64(ours) {
		t.Errorf("%d of %d samples are labelled", labelled, ours)
	}
	if found["physics step"] == 0 || found["render hud"] == 0 {
		t.Errorf("phases %v", found)
	}
}

// The test runs the whole program, because the main thread of the program also runs our
// code.
func TestEveryGoroutineOfTheProgramIsLabelled(t *testing.T) {
	t.Parallel()
	needDisplay(t)
	if testing.Short() {
		t.Skip("takes seconds of profiling")
	}
	path := filepath.Join(t.TempDir(), "cpu")
	status, _, stderr := viewerRun(t, nil, "-hidden", "-size", "64x64", "-scene", "fall1000", "-duration", "2s", "-cpuprofile", path)
	if status != exitOK {
		t.Fatalf("status %d, %s", status, stderr)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	samples, err := readProfile(data)
	if err != nil {
		t.Fatal(err)
	}
	ours, labelled := int64(0), int64(0)
	for _, s := range samples {
		if strings.Contains(strings.Join(s.stack, " "), "halfstep/") {
			ours += s.count
			if s.labels["loop"] != "" {
				labelled += s.count
			}
		}
	}
	t.Logf("%d samples with frames of ours, %d labelled", ours, labelled)
	if ours >= 20 && float64(labelled) < .95*float64(ours) {
		t.Errorf("%d of %d samples are labelled", labelled, ours)
	}
}
