//go:build unix

package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/input"
)

// fifo makes a named pipe.
func fifo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	return path
}

func TestTheLayoutIsNotReadFromAPipeNorWithoutEnd(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"XDG_CONFIG_HOME", "HOME", "AppData"} {
		t.Setenv(name, dir)
	}
	os.MkdirAll(filepath.Dir(layoutFile()), 0o700)
	const good = `{"width":900,"height":500}`
	os.WriteFile(layoutFile(), []byte(strings.Repeat(" ", layoutMost)+good), 0o600)
	if l, ok := readLayout(); ok {
		t.Errorf("%+v from beyond the limit", l)
	}
	os.WriteFile(layoutFile(), []byte(good), 0o600)
	if _, ok := readLayout(); !ok {
		t.Error("a layout is not read")
	}
	os.Remove(layoutFile())
	if err := os.Symlink(fifo(t), layoutFile()); err != nil {
		t.Skip(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		readLayout()
		b := newBench(t, "-scene drift")
		b.viewer.run.o.given = nil
		b.picture.Surface = input.Surface{W: 900, H: 500, Scale: 1}
		b.remember()
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it waits for somebody at the pipe")
	}
}

func TestARecordingThatFailedIsNotForgottenWhenAnotherBegins(t *testing.T) {
	t.Chdir(t.TempDir())
	path, reader := fifo(t), make(chan *os.File)
	go func() {
		f, _ := os.Open(path)
		reader <- f
	}()
	b := newBench(t, "-scene rain -record "+path)
	b.Stage.Stderr = io.Discard
	(<-reader).Close() // the pipe no longer has a reader
	b.run(50)
	b.press(input.KeyR, input.KeyO)
	b.run(10)
	b.press(input.KeyO)
	<-b.Recorder.Recording.Ended
	if err := b.finish(); err == nil {
		t.Error("the run ends well")
	}
}
