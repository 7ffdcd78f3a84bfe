//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestAQuitSignalWritesTheBlackBoxAndThenTheStacks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "boxes")
	p := start(t, "-scene", "rain", "-fps", "100", "-black-box", dir)
	time.Sleep(time.Second) // something to write
	p.Process.Signal(syscall.SIGQUIT)
	status := p.end()
	files, _ := filepath.Glob(filepath.Join(dir, "*-quit.rec"))
	if len(files) != 1 {
		t.Fatalf("status %d, files %v, %s", status, files, p.said())
	}
	if err := replays(files[0]); err != nil {
		t.Error(err)
	}
	if said := p.said(); status != 2 || !strings.Contains(said, "SIGQUIT") || !strings.Contains(said, "goroutine ") {
		t.Errorf("status %d, %.300q", status, said)
	}
}
