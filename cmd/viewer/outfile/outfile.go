// Package outfile writes the files of a run. Replace writes a file in one go, and replaces an older one
// only when the new one is complete. A Stream is written while the run goes on. Both wait for the
// reader of a pipe, until the run has been asked to end.
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
	"time"

	"halfstep/internal/dumpfiles"
)

// Stream is a file that is written during the run. An older file of that name is
// kept until the first byte is written, and until the run has begun: what is written
// before waits in memory, and is dropped if the run fails before it begins. Every call
// after an error returns that error, because some writers of profiles ignore it.
type Stream struct {
	file   *os.File
	ending <-chan struct{} // closed when the run is asked to end
	begun  *atomic.Bool    // or nil: it has
	held   []byte          // what waits for begun
	closed chan struct{}
	made   bool // the file did not exist before
	used   bool // something has been written
	err    error
}

// pipePatience is how long a run that is asked to end still waits for a pipe to be opened for reading,
// and for each write to it.
const pipePatience = time.Second

var errNoReader = errors.New("nobody read the pipe before the run was asked to end")

// openOutput opens a file for writing. To open a pipe, it waits until another program reads it, or the
// run is asked to end.
func openOutput(path string, flag int, ending <-chan struct{}) (*os.File, error) {
	if !IsPipe(path) {
		return os.OpenFile(path, flag, 0o644)
	}
	var f *os.File
	opened := make(chan error, 1)
	go func() {
		var err error
		f, err = os.OpenFile(path, flag, 0o644)
		opened <- err
	}()
	select {
	case err := <-opened:
		return f, err
	case <-ending:
	}
	select {
	case err := <-opened:
		return f, err
	case <-time.After(pipePatience):
		return nil, &fs.PathError{Op: "open", Path: path, Err: errNoReader}
	}
}

// IsPipe reports whether a path names a pipe.
func IsPipe(path string) bool {
	i, err := os.Stat(path)
	return err == nil && i.Mode()&fs.ModeNamedPipe != 0
}

var errInUse = errors.New("another program is writing it")

// Create opens path for writing in a run that is asked to end by closing ending. It
// refuses a file that another viewer is writing. begun says whether the run has begun;
// nil says that it has.
func Create(path string, ending <-chan struct{}, begun *atomic.Bool) (*Stream, error) {
	_, err := os.Stat(path)
	f, e := openOutput(path, os.O_WRONLY|os.O_CREATE, ending)
	if e != nil {
		return nil, e
	}
	if i, e := f.Stat(); e == nil && i.Mode().IsRegular() && lockedByOther(f) {
		f.Close()
		return nil, &fs.PathError{Op: "write", Path: path, Err: errInUse}
	}
	s := openStream(f, ending, errors.Is(err, os.ErrNotExist))
	s.begun = begun
	return s, nil
}

// openStream makes a Stream of an open file; made says that the file was created with it.
func openStream(f *os.File, ending <-chan struct{}, made bool) *Stream {
	s := &Stream{file: f, ending: ending, closed: make(chan struct{}), made: made}
	// Setting a deadline ends a write that waits longer. Only pipes have deadlines.
	if f.SetWriteDeadline(time.Time{}) == nil {
		go func() {
			select {
			case <-ending:
				f.SetWriteDeadline(time.Now().Add(pipePatience))
			case <-s.closed:
			}
		}()
	}
	return s
}

// Write writes to the file. One goroutine at a time.
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
	select {
	case <-s.ending:
		s.file.SetWriteDeadline(time.Now().Add(pipePatience))
	default:
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

// Close closes the file. If nothing was written, it removes a file that it made.
func (s *Stream) Close() error {
	if s.held != nil && s.begun.Load() {
		_, _ = s.Write(nil) // writes what is held; s.err keeps its error
	}
	close(s.closed)
	err := s.file.Close()
	if s.made && !s.used {
		os.Remove(s.file.Name())
	}
	return cmp.Or(s.err, err)
}

// Replace writes a file under a temporary name and renames it, so that an
// older file survives an error. Devices and pipes are written to directly.
func Replace(path string, ending <-chan struct{}, write func(io.Writer) error) error {
	f, commit, err := openAtomic(path, ending)
	if err != nil {
		return err
	}
	s := openStream(f, ending, false) // commit removes the file if there is an error, not Close
	s.used = true                     // the file is new: nothing to truncate
	w := bufio.NewWriter(s)
	return commit(cmp.Or(write(w), w.Flush(), s.Close()))
}

// openAtomic opens the file that Replace writes to. After closing the file, the
// caller passes its first error, or nil, to commit, which renames the file if there
// was none, and returns the final error.
func openAtomic(path string, ending <-chan struct{}) (f *os.File, commit func(error) error, err error) {
	if IsDevice(path) {
		f, err = openOutput(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, ending)
		return f, func(err error) error { return err }, err
	}
	mode := os.FileMode(0o644)
	target := followLinks(path)
	if i, err := os.Stat(target); err == nil {
		// A read-only file is not replaced.
		old, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return nil, nil, err
		}
		old.Close()
		mode = i.Mode().Perm()
	}
	if f, err = dumpfiles.CreatePart(target, mode); err != nil {
		return nil, nil, blame(path, err)
	}
	return f, func(err error) error {
		if err == nil {
			err = os.Rename(f.Name(), target)
		}
		if err != nil {
			os.Remove(f.Name())
		}
		return blame(path, err)
	}, nil
}

// blame returns err with the path that the user knows in place of a temporary name.
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

// errProbe makes commit discard the file.
var errProbe = errors.New("probe")

// Check returns the error that Replace would have, as far as it can be known
// beforehand. It does not open a pipe, whose reader would take that for its end.
func Check(path string) error {
	if IsPipe(path) {
		return nil
	}
	f, commit, err := openAtomic(path, nil)
	if err != nil {
		return err
	}
	f.Close()
	commit(errProbe)
	return nil
}

// Same reports whether two paths lead to the same file, after following
// links. The file need not exist. Devices and pipes can be written to twice, so
// they are never the same file.
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

// IsDevice reports whether a path names a device, a pipe or an open descriptor:
// something to write to, not a file to replace.
func IsDevice(path string) bool {
	if strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/proc/") {
		return true
	}
	i, err := os.Stat(path)
	return err == nil && !i.Mode().IsRegular() && !i.IsDir()
}

// followLinks returns the absolute path of a file without symbolic links. The
// file need not exist.
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

// Free creates an empty file under the first free name and returns that. format has a verb for the
// number, from 1 to 999; what is the plural of the files in the error.
func Free(format, what string) (string, error) {
	for i := 1; i < 1000; i++ {
		path := fmt.Sprintf(format, i)
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		switch {
		case err == nil:
			return path, f.Close()
		case !errors.Is(err, os.ErrExist):
			return "", err
		}
	}
	return "", fmt.Errorf("there are already 999 %s, up to "+format, what, 999)
}
