//go:build unix

package outfile

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestAPipeIsWrittenToAndStaysOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	if err := Check(path); err != nil { // without a reader
		t.Error(err)
	}
	for _, write := range []func() error{
		func() error {
			return Replace(path, func(w io.Writer) error { _, err := io.WriteString(w, "text"); return err })
		},
		func() error {
			s, err := Create(path, nil)
			if err != nil {
				return err
			}
			io.WriteString(s, "text")
			return s.Close()
		},
	} {
		read := make(chan string)
		go func() {
			data, _ := os.ReadFile(path)
			read <- string(data)
		}()
		if err := write(); err != nil {
			t.Error(err)
		}
		if got := <-read; got != "text" {
			t.Errorf("%q", got)
		}
		if i, err := os.Stat(path); err != nil || i.Mode()&os.ModeNamedPipe == 0 {
			t.Error("it is a pipe no more")
		}
	}
}
