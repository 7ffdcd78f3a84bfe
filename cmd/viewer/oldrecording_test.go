package main

import (
	"path/filepath"
	"runtime"
	"testing"
)

// The recordings were written by older builds and are never rewritten.
func TestRecordingsOfOlderBuildsReplayUnchanged(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("results are the same for one architecture, and these were recorded on amd64")
	}
	files, err := filepath.Glob("testdata/recordings/*.rec")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d recordings: %v", len(files), err)
	}
	for _, name := range files {
		sc, err := replayScene(name, false)
		if err != nil {
			t.Fatal(err)
		}
		r := sc.replay
		hash, err := r.Verify(sc.config().Setup)
		if err != nil || r.Ticks != 90 || hash != r.FinalHash() {
			t.Errorf("%s: %d ticks, hash %x, recorded %x: %v", name, r.Ticks, hash, r.FinalHash(), err)
		}
	}
}
