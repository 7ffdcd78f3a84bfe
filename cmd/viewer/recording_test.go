package main

import (
	"encoding/binary"
	"encoding/json"
	"halfstep/cmd/viewer/internal/input"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/files"
)

func TestARecordingOfTheViewerReplays(t *testing.T) {
	t.Parallel()
	needDisplay(t)
	dir := t.TempDir()
	file, stats := filepath.Join(dir, "run"), filepath.Join(dir, "stats.json")
	play := func(args ...string) (s files.Stats) {
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

func TestAReplayOfNoTicksEndsAtOnce(t *testing.T) {
	t.Parallel()
	needDisplay(t)
	file := filepath.Join(t.TempDir(), "run")
	if status, _, stderr := viewerRun(t, nil, "-hidden", "-size", "64x64", "-scene", "rain", "-frames", "1", "-record", file); status != exitOK {
		t.Fatalf("status %d, %s", status, stderr)
	}
	status, stdout, stderr := viewerRun(t, nil, "-hidden", "-size", "64x64", "-replay", file)
	if status != exitOK || stderr != "" || !strings.Contains(stdout, "rain: 0 ticks, 1 frames") {
		t.Errorf("status %d, %q, %q", status, stdout, stderr)
	}

	// the file is like that of a run that was killed before its first step was written
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const magic = len("halfstep recording 3\n")
	header := magic + 9 + int(binary.LittleEndian.Uint32(data[magic+1:])) + 4
	os.WriteFile(file, data[:header], 0o644)
	status, _, stderr = viewerRun(t, nil, "-hidden", "-size", "64x64", "-replay", file)
	if status != exitFailed || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "cut off") {
		t.Errorf("the header alone: status %d, %q", status, stderr)
	}
}

func TestAReplayEndsWithItsRecordingWhateverTheTicksAskedFor(t *testing.T) {
	t.Parallel()
	needDisplay(t)
	file := filepath.Join(t.TempDir(), "run")
	viewerRun(t, nil, "-hidden", "-size", "64x64", "-scene", "drift", "-clock", "fixed:60", "-ticks", "9", "-record", file)
	status, stdout, stderr := viewerRun(t, nil, "-hidden", "-size", "64x64", "-clock", "fixed:60", "-ticks", "50", "-replay", file)
	if status != exitOK || stderr != "" || !strings.Contains(stdout, "drift: 9 ticks") {
		t.Errorf("status %d, %q, %q", status, stdout, stderr)
	}
}

func TestAFileWithoutAnEndIsRefusedInOneLine(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{{"/dev/zero"}, {"-clock", "trace:/dev/zero"}} {
		status, _, stderr := viewerRun(t, nil, append(args, "-hidden", "-frames", "1")...)
		if status != exitFailed || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "/dev/zero") {
			t.Errorf("%v: status %d, %q", args, status, stderr)
		}
	}
}

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
