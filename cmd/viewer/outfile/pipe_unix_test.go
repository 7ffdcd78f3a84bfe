//go:build unix

package outfile

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestAPipeIsWaitedForAndWrittenTo(t *testing.T) {
	path := fifo(t)
	read := make(chan string)
	go func() {
		data, _ := os.ReadFile(path)
		read <- string(data)
	}()
	if err := Check(path); err != nil {
		t.Error(err)
	}
	ending := make(chan struct{})
	close(ending) // who reads gets it all the same
	if err := Replace(path, ending, func(w io.Writer) error { _, err := io.WriteString(w, "text"); return err }); err != nil {
		t.Error(err)
	}
	if got := <-read; got != "text" {
		t.Errorf("%q", got)
	}
}

func TestAWriteToAPipeThatIsNotReadEndsWithTheRun(t *testing.T) {
	path, ending := fifo(t), make(chan struct{})
	reader := make(chan *os.File)
	go func() {
		f, _ := os.Open(path)
		reader <- f
	}()
	s, err := Create(path, ending, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := <-reader
	defer r.Close()
	done := make(chan error)
	go func() {
		_, err := s.Write(make([]byte, 8<<20))
		done <- err
	}()
	io.ReadFull(r, make([]byte, 1)) // the write has begun
	close(ending)
	select {
	case err := <-done:
		if err == nil {
			t.Error("no error")
		}
	case <-time.After(time.Minute):
		t.Fatal("it waits for ever")
	}
	if err := s.Close(); err == nil {
		t.Error("Close knows of no error")
	}
}

// fifo makes a named pipe.
func fifo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	return path
}
