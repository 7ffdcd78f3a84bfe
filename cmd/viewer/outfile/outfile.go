// Package outfile writes the files of a run in two ways. Replace writes a whole file and, when it is
// complete, replaces an older file. A Stream is written during the run, and its data are kept even if the
// program is killed. A device or a pipe, such as /dev/stdout, is opened and written directly.
package outfile

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"halfstep/internal/dumpfiles"
)

// Stream is a file that is written during the run. An older file of the same name is kept until the
// run has begun and the first byte is written. Until then data wait in memory, and are dropped if
// the run fails. After an error every call returns that error, because some writers of profiles
// ignore it.
type Stream struct {
	file  *os.File
	begun *atomic.Bool // or nil: it has
	held  []byte       // held are the data that wait for the run to begin.
	made  bool         // made says that the file did not exist before.
	used  bool         // something has been written
	err   error
}

var errInUse = errors.New("another program is writing it")

// Create opens path for writing. It refuses a file that another viewer is writing. The parameter
// begun says whether the run has begun. If it is nil, the run has begun.
func Create(path string, begun *atomic.Bool) (*Stream, error) {
	_, before := os.Stat(path)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if i, err := f.Stat(); err == nil && i.Mode().IsRegular() && lockedByOther(f) {
		f.Close()
		return nil, &fs.PathError{Op: "write", Path: path, Err: errInUse}
	}
	return &Stream{file: f, begun: begun, made: errors.Is(before, os.ErrNotExist)}, nil
}

// Write writes to the file. Only one goroutine at a time may call it.
func (s *Stream) Write(b []byte) (int, error) {
	if s.begun != nil && !s.begun.Load() {
		s.held = append(s.held, b...)
		return len(b), nil
	}
	if held := s.held; held != nil {
		s.held = nil
		if _, err := s.Write(held); err != nil {
			return 0, err
		}
	}
	if !s.used {
		s.used = true
		if i, err := s.file.Stat(); err == nil && i.Mode().IsRegular() {
			s.err = s.file.Truncate(0)
		}
	}
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.file.Write(b)
	s.err = err
	return n, err
}

// Close closes the file. If nothing was written and Create has created the file, Close removes it.
func (s *Stream) Close() error {
	if s.held != nil && s.begun.Load() {
		_, _ = s.Write(nil) // this writes the held data, and s.err keeps the error
	}
	err := s.file.Close()
	if s.made && !s.used {
		os.Remove(s.file.Name())
	}
	return cmp.Or(s.err, err)
}

// Replace writes a file. After an error an older file still exists unchanged.
func Replace(path string, write func(io.Writer) error) error {
	if IsDevice(path) {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
		if err != nil {
			return err
		}
		w := bufio.NewWriter(f)
		return cmp.Or(write(w), w.Flush(), f.Close())
	}
	mode := os.FileMode(0o644)
	target := followLinks(path)
	if i, err := os.Stat(target); err == nil {
		// a read-only file is not replaced
		old, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return blame(path, err)
		}
		old.Close()
		mode = i.Mode().Perm()
	}
	return blame(path, dumpfiles.Replace(target, mode, write))
}

// blame returns err with the user's path instead of a temporary name.
func blame(path string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		p.Path = path
	}
	if l, ok := err.(*os.LinkError); ok { // from os.Rename
		err = &fs.PathError{Op: l.Op, Path: path, Err: l.Err}
	}
	return err
}

// errProbe makes Replace discard the file.
var errProbe = errors.New("probe")

// Check returns the error that Replace would return, as far as this can be predicted. It opens no
// device and no pipe.
func Check(path string) error {
	if IsDevice(path) {
		return nil
	}
	if err := Replace(path, func(io.Writer) error { return errProbe }); err != errProbe {
		return err
	}
	return nil
}

// Same reports whether two paths lead to the same file, after following links. The file need not
// exist. Two paths to a device or a pipe never count as the same file, because these can be written
// twice.
func Same(a, b string) bool {
	if IsDevice(a) || IsDevice(b) {
		return false
	}
	ia, errA := os.Stat(a)
	ib, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(ia, ib)
	}
	return followLinks(a) == followLinks(b)
}

// IsDevice reports whether a path names a device, a pipe, or an open descriptor. These are not
// replaced.
func IsDevice(path string) bool {
	if strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/proc/") {
		return true
	}
	i, err := os.Stat(path)
	return err == nil && !i.Mode().IsRegular() && !i.IsDir()
}

// followLinks returns the absolute path of a file, without symbolic links. The file need not exist.
func followLinks(path string) string {
	path, _ = filepath.Abs(path)
	for range 40 { // systems follow no more
		if whole, err := filepath.EvalSymlinks(path); err == nil {
			return whole
		}
		if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			path = filepath.Join(dir, filepath.Base(path))
		}
		to, err := os.Readlink(path)
		if err != nil {
			return path
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return path
}

// Free creates an empty file with the first free name, and returns its path. The parameter format
// has a verb for a number from 1 to 999. The parameter what is the plural word for the files in the
// error.
func Free(format, what string) (string, error) {
	for i := 1; i < 1000; i++ {
		path := fmt.Sprintf(format, i)
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		switch {
		case err == nil:
			return path, f.Close()
		case !errors.Is(err, os.ErrExist):
			return "", blame(path, err)
		}
	}
	return "", fmt.Errorf("there are already 999 %s, up to "+format, what, 999)
}
