package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// stream is a file that grows while the run goes on. An older file of that name
// is kept until there is something to put in its place. The first error stays:
// some writers of profiles look at none.
type stream struct {
	file *os.File
	made bool // there was none before
	used bool
	err  error
}

// newStream opens path to be written to.
func newStream(path string) (*stream, error) {
	_, err := os.Stat(path)
	f, e := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if e != nil {
		return nil, e
	}
	return &stream{file: f, made: errors.Is(err, os.ErrNotExist)}, nil
}

// Write is one goroutine's at a time, as that of a file that grows is.
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

// Close ends the file. Without a byte written it is as if it had not been
// opened.
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

// writeWhole writes a file at once: under another name, so that an older one is
// kept where it fails. What is no regular file is written to as it is.
func writeWhole(path string, write func(io.Writer) error) error {
	f, commit, err := openWhole(path)
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

// openWhole opens what writeWhole writes to. commit is given what went wrong,
// and returns it, once the file is closed.
func openWhole(path string) (f *os.File, commit func(error) error, err error) {
	if isDevice(path) {
		f, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
		return f, func(err error) error { return err }, err
	}
	mode := os.FileMode(0o644)
	target := followLinks(path)
	if i, err := os.Stat(target); err == nil {
		// What may not be written to is not replaced either.
		old, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return nil, nil, err
		}
		old.Close()
		mode = i.Mode().Perm()
	}
	part := fmt.Sprintf("%s.%d.part", target, os.Getpid())
	if f, err = os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode); err != nil {
		return nil, nil, err
	}
	return f, func(err error) error {
		if err == nil {
			err = os.Rename(part, target)
		}
		if err != nil {
			os.Remove(part)
		}
		return err
	}, nil
}

// errOnlyAsked has a file that was opened taken back.
var errOnlyAsked = errors.New("only asked")

// checkWhole reports why writeWhole would fail, as far as it can be known.
func checkWhole(path string) error {
	f, commit, err := openWhole(path)
	if err != nil {
		return err
	}
	f.Close()
	commit(errOnlyAsked)
	return nil
}
