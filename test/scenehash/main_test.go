package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

func output(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(args, &out); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return strings.TrimSpace(out.String())
}

func TestARecordingVerifiesToTheHashOfItsScene(t *testing.T) {
	dir := t.TempDir()
	played := output(t, "-scenes", "rain", "-ticks", "60", "-record", dir)
	replayed := output(t, "-verify", filepath.Join(dir, "rain.rec"))
	hash := played[strings.LastIndex(played, " "):]
	if len(hash) != 17 || !strings.HasSuffix(replayed, hash) || strings.Contains(replayed, " 0000000000000000") {
		t.Errorf("played %q, replayed %q", played, replayed)
	}
}

func TestBadUsageIsRefusedInOneLine(t *testing.T) {
	for _, args := range []string{"-scenes nothing", "-stepper slow", "-ticks 0", "rain", "-verify", "-verify /nonexistent.rec"} {
		if err := run(strings.Fields(args), &bytes.Buffer{}); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", args, err)
		}
	}
}
