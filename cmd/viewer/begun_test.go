package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/input"
)

func TestARecordingThatEndsBeforeItBeginsLeavesNoFileAndNoError(t *testing.T) {
	t.Chdir(t.TempDir())
	b := newBench(t, "-scene drift")
	b.run(3)
	for _, k := range []input.Key{input.KeyO, input.KeyR} {
		b.queue.Put(input.Event{Kind: input.KeyInput, Key: k, Action: input.Press})
	}
	b.run(3)
	if err := b.finish(); err != nil {
		t.Error(err)
	}
	if files, _ := filepath.Glob("*"); len(files) != 0 {
		t.Errorf("it leaves %v", files)
	}
}

func TestARecordingThatIsCutInItsFirstBytesIsToldAsARecording(t *testing.T) {
	for _, begins := range []string{"", "half", "halfstep recording ", "halfstep recording 3\n"} {
		path := filepath.Join(t.TempDir(), "cut.rec")
		if err := os.WriteFile(path, []byte(begins), 0o600); err != nil {
			t.Fatal(err)
		}
		o, err := ParseFlags([]string{path})
		if err != nil || o.Replay != path {
			t.Fatalf("%q: %+v, %v", begins, o, err)
		}
		if _, _, err = openAll(o, io.Discard); err == nil || !strings.Contains(err.Error(), "recording") || strings.Contains(err.Error(), "JSON") {
			t.Errorf("%q: %v", begins, err)
		}
	}
}
