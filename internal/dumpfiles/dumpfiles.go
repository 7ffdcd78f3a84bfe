// Package dumpfiles writes dumps of a program after faults. It removes the oldest dumps, so
// that the number and the size of the dumps stay below their limits.
package dumpfiles

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Folder is a folder of dumps. A dump is one file, or several files whose names differ only
// in their suffixes. Only files with a name that the method Name makes are removed.
type Folder struct {
	Dir      string
	Prefix   string   // Prefix is the beginning of the name of every dump.
	Suffixes []string // Suffixes are the possible ends of file names, each from the first dot on.
	Reasons  bool     // Reasons says that file names have a dash and a word between the result of Name and the suffix.
	MaxDumps int
	MaxBytes int64
}

// stamp is the format of the time in a name. The format needs the dot, because package time
// accepts fractions of a second only after a dot or a comma.
const stamp = "20060102T150405.000000"

// Name returns the name of a dump at a time, without a suffix. Sorting the names sorts the
// dumps by time.
func (f *Folder) Name(t time.Time) string {
	return f.Prefix + strings.ReplaceAll(t.UTC().Format(stamp), ".", "-")
}

// Put writes a file and returns its path. The file appears in the folder only when it is
// complete.
func (f *Folder) Put(name string, data []byte) (path string, err error) {
	path = filepath.Join(f.Dir, name)
	err = Replace(path, 0o644, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return "", err
	}
	return path, nil
}

// Replace writes a new file in the folder of target, and renames it to target when it is
// complete.
func Replace(target string, mode fs.FileMode, write func(io.Writer) error) error {
	part := fmt.Sprintf("%s.%d.part", target, os.Getpid())
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	if err = cmp.Or(write(w), w.Flush(), f.Close()); err == nil {
		err = os.Rename(part, target)
	}
	if err != nil {
		os.Remove(part)
	}
	return err
}

// MakeRoom removes the oldest dumps until there is room for a new dump of that size.
func (f *Folder) MakeRoom(size int64) error {
	entries, err := os.ReadDir(f.Dir)
	if err != nil {
		return err
	}
	sizes := map[string]int64{} // by name without suffix
	total := size
	for _, entry := range entries {
		base, ours := f.base(entry.Name())
		info, err := entry.Info()
		if !ours || err != nil || !info.Mode().IsRegular() {
			continue
		}
		sizes[base] += info.Size()
		total += info.Size()
	}
	names := slices.Sorted(maps.Keys(sizes))
	for i, base := range names {
		if len(names)-i < f.MaxDumps && total <= f.MaxBytes {
			break
		}
		for _, suffix := range f.Suffixes {
			if err := os.Remove(filepath.Join(f.Dir, base+suffix)); err != nil && !os.IsNotExist(err) {
				return err
			}
		}
		total -= sizes[base]
	}
	return nil
}

// base returns the name of a dump without its suffix, and reports whether the file is a dump
// of this folder.
func (f *Folder) base(name string) (base string, ours bool) {
	for _, suffix := range f.Suffixes {
		if base, ours = strings.CutSuffix(name, suffix); ours {
			break
		}
	}
	named := min(len(f.Prefix)+len(stamp), len(base))
	rest, reason := strings.CutPrefix(base[named:], "-")
	if reason != f.Reasons || (rest != "") != f.Reasons || strings.Contains(rest, "-") {
		return "", false
	}
	t, err := time.Parse(stamp, strings.Replace(strings.TrimPrefix(base[:named], f.Prefix), "-", ".", 1))
	return base, ours && err == nil && f.Name(t) == base[:named]
}
