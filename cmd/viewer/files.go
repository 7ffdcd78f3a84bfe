package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// namedFile is a file that a flag names.
type namedFile struct {
	flag, path string
	written    bool
}

func (f namedFile) String() string { return strings.TrimSpace(f.flag + " " + f.path) }

// files are all files that flags name.
func (o *Options) files() []namedFile {
	all := []namedFile{
		{"", o.File, false}, {"-replay", o.Replay, false}, {"-clock", o.Clock.trace, false},
		{"-record", o.Record, true}, {"-log", o.Log, true}, {"-stats", o.Stats, true},
		{"-screenshot", o.Screenshot, true}, {"-gif", o.GIF, true},
		{"-cpuprofile", o.CPUProfile, true}, {"-memprofile", o.MemProfile, true}, {"-trace", o.ExecutionTrace, true},
		{"-perfetto", o.Perfetto, true},
	}
	named := all[:0]
	for _, f := range all {
		if f.path != "" {
			named = append(named, f)
		}
	}
	return named
}

// checkFiles reports a file that would be written over: one that is also read,
// or that another flag writes too.
func (o *Options) checkFiles() error {
	files := o.files()
	for i, f := range files {
		for _, g := range files[:i] {
			if (f.written || g.written) && sameFile(f.path, g.path) {
				return fmt.Errorf("%v and %v are the same file, which would be overwritten", g, f)
			}
		}
	}
	return nil
}

// sameFile reports whether two paths lead to the same file, after following
// links. The file need not exist. Devices and pipes can be written to twice, so
// they are never the same file.
func sameFile(a, b string) bool {
	if isDevice(a) || isDevice(b) {
		return false
	}
	ia, errA := os.Stat(a)
	ib, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(ia, ib)
	}
	return followLinks(a) == followLinks(b)
}

// isDevice reports whether a path names a device, a pipe or an open descriptor:
// something to write to, not a file to replace.
func isDevice(path string) bool {
	for _, dir := range []string{"/dev/", "/proc/"} {
		if strings.HasPrefix(path, dir) {
			return true
		}
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
