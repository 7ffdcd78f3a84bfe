package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/input"
)

func TestThePageOfAHitchNamesTheRecordingAndItReplays(t *testing.T) {
	needDisplay(t)
	dir := t.TempDir()
	status, stdout, stderr := viewerRun(t, nil, "-hidden", "-size", "64x64", "-scene", "rain", "-fps", "100", "-ticks", "80",
		"-inject", "step:400ms@60", "-hitch", "250ms", "-hitch-dir", dir, "-black-box", filepath.Join(dir, "boxes"))
	pages, _ := filepath.Glob(filepath.Join(dir, "hitch-*.html"))
	if status != exitOK || len(pages) == 0 {
		t.Fatalf("status %d, %d pages, %s%s", status, len(pages), stdout, stderr)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		said := regexp.MustCompile(`viewer (-replay \S+\.rec)<`).FindStringSubmatch(string(text))
		if said == nil {
			t.Fatal("the page does not say how to replay the last seconds")
		}
		args := append([]string{"-hidden", "-size", "64x64"}, strings.Fields(said[1])...)
		args[len(args)-1] = filepath.Join(dir, args[len(args)-1])
		if status, stdout, stderr := viewerRun(t, nil, args...); status != exitOK || !strings.Contains(stdout, "rain: ") {
			t.Errorf("%v: status %d, %s%s", args, status, stdout, stderr)
		}
	}
}

// A report comes at most every five seconds. It must be about the worst late frame, and not
// about the first.
func TestTheWorstLateFrameHasAReportAndTheConsoleCountsTheOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	needDisplay(t)
	dir := t.TempDir()
	status, stdout, stderr := viewerRun(t, nil, "-hidden", "-size", "64x64", "-scene", "rain", "-fps", "100", "-frames", "260",
		"-inject", "frame:150ms@120", "-inject", "frame:160ms@180", "-inject", "frame:2s@240", "-hitch", "120ms", "-hitch-dir", dir)
	if status != exitOK || !strings.Contains(stdout, "left out") {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
	worst := 0.
	reports, _ := filepath.Glob(filepath.Join(dir, "hitch-*.json"))
	for _, path := range reports {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var r struct {
			Took float64 `json:"took_ms"`
		}
		if err := json.Unmarshal(data, &r); err != nil {
			t.Fatal(err)
		}
		worst = max(worst, r.Took)
	}
	if worst < 2000 {
		t.Errorf("%d reports, the worst of %v ms", len(reports), worst)
	}
}

func TestTheLoopsOfTheArticlesAreWatchedForHitches(t *testing.T) {
	needDisplay(t)
	for _, loop := range []string{"single", "naive"} {
		dir := t.TempDir()
		status, stdout, stderr := viewerRun(t, nil, "-hidden", "-size", "64x64", "-scene", "rain", "-loop", loop, "-fps", "100", "-duration", "3s",
			"-inject", "step:400ms@80", "-hitch", "250ms", "-hitch-dir", dir)
		reports, _ := filepath.Glob(filepath.Join(dir, "hitch-*.json"))
		var report []byte
		for _, r := range reports {
			report, _ = os.ReadFile(r)
		}
		if status != exitOK || !bytes.Contains(report, []byte("step:400ms@80")) {
			t.Errorf("%s: status %d, %d files, %s%s", loop, status, len(reports), stdout, stderr)
		}
	}
}

func TestAReportOfAHitchThatCanNotBeWrittenFailsTheRun(t *testing.T) {
	needSignals(t)
	dir := filepath.Join(t.TempDir(), "hitches")
	p := start(t, "-scene", "drift", "-fps", "100", "-ticks", "150", "-hitch", "500ms", "-hitch-dir", dir, "-inject", "step:2s@120")
	p.stuck()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	// the error is reported when it happens, and again at the end
	if status := p.end(); status != exitFailed || strings.Count(p.said(), "\n") != 2 || strings.Count(p.said(), "hitch: ") != 2 {
		t.Errorf("status %d, %q", status, p.said())
	}
}

func TestABlackBoxThatCanNotBeWrittenFailsTheRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "boxes")
	b := newBench(t, "-scene drift -black-box "+dir)
	var said bytes.Buffer
	b.Stage.Stderr = &said
	b.run(5)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	b.press(input.KeyB)
	if err := b.Files.Wait(); err == nil || !strings.Contains(said.String(), err.Error()) {
		t.Errorf("error %v, %q", err, said.String())
	}
}
