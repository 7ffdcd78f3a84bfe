package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestARecordingOfTheViewerReplays(t *testing.T) {
	needDisplay(t)
	dir := t.TempDir()
	file, stats := filepath.Join(dir, "run"), filepath.Join(dir, "stats.json")
	play := func(args ...string) (s Stats) {
		t.Helper()
		args = append(args, "-hidden", "-size", "320x240", "-stats", stats)
		if status, _, stderr := viewerRun(t, nil, args...); status != exitOK {
			t.Fatalf("%v: status %d, %s", args, status, stderr)
		}
		data, err := os.ReadFile(stats)
		if err == nil {
			err = json.Unmarshal(data, &s)
		}
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	want := play("-scene", "rain", "-clock", "fixed:144", "-ticks", "60", "-record", file)
	if got := play("-replay", file); got.StateHash != want.StateHash || got.Ticks != 60 {
		t.Errorf("replayed %d ticks to %s, recorded %s", got.Ticks, got.StateHash, want.StateHash)
	}

	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]byte{
		"cut off":                data[:len(data)-1],
		"corrupt":                append(append([]byte{}, data[:len(data)/2]...), append([]byte{data[len(data)/2] ^ 1}, data[len(data)/2+1:]...)...),
		"not a halfstep":         []byte("something else"),
		"before its header":      data[:5],
		"no such file":           nil,
		"within its header":      data[:25],
		"0 bytes, before its he": {},
	} {
		path := file + ".bad"
		if bad == nil {
			path = filepath.Join(dir, "none")
		} else if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		code, _, stderr := viewerRun(t, nil, "-hidden", "-replay", path)
		if code != exitFailed || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, name) {
			t.Errorf("%s: exit %d, %q", name, code, stderr)
		}
	}
}
