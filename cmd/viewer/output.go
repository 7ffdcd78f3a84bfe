package main

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"

	"halfstep/internal/partfile"
)

// stream is a file that is written during the run. An older file of that name is
// kept until the first byte is written. Every call after an error returns that
// error, because some writers of profiles ignore it.
type stream struct {
	file *os.File
	made bool // the file did not exist before
	used bool // something has been written
	err  error
}

// newStream opens path for writing.
func newStream(path string) (*stream, error) {
	_, err := os.Stat(path)
	f, e := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if e != nil {
		return nil, e
	}
	return &stream{file: f, made: errors.Is(err, os.ErrNotExist)}, nil
}

// Write writes to the file. One goroutine at a time.
func (s *stream) Write(b []byte) (int, error) {
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
func (s *stream) Close() error {
	err := s.file.Close()
	if s.made && !s.used {
		os.Remove(s.file.Name())
	}
	if s.err != nil {
		return s.err
	}
	return err
}

// writeAtomic writes a file under a temporary name and renames it, so that an
// older file survives an error. Devices and pipes are written to directly.
func writeAtomic(path string, write func(io.Writer) error) error {
	f, commit, err := openAtomic(path)
	if err != nil {
		return err
	}
	s := &stream{file: f, used: true}
	w := bufio.NewWriter(s)
	err = write(w)
	if e := w.Flush(); err == nil {
		err = e
	}
	if e := s.Close(); err == nil {
		err = e
	}
	return commit(err)
}

// openAtomic opens the file that writeAtomic writes to. After closing it, the
// caller passes its error to commit, which returns the final one.
func openAtomic(path string) (f *os.File, commit func(error) error, err error) {
	if isDevice(path) {
		f, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
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
	if f, err = partfile.Create(target, mode); err != nil {
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
	if l, ok := err.(*os.LinkError); ok { // of os.Rename
		err = &fs.PathError{Op: l.Op, Path: path, Err: l.Err}
	}
	return err
}

// errProbe makes commit discard the file.
var errProbe = errors.New("probe")

// checkWritable reports why writeAtomic would fail, as far as that is known
// beforehand.
func checkWritable(path string) error {
	f, commit, err := openAtomic(path)
	if err != nil {
		return err
	}
	f.Close()
	commit(errProbe)
	return nil
}
