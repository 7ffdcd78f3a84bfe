package play

import (
	"path/filepath"
	"slices"
)

// MostRecents is the greatest number of files that are kept.
const MostRecents = 6

// Recents are the files of scenes and recordings that were saved or opened, the newest
// first.
type Recents struct{ Paths []string }

// Add puts a file at the front.
func (r *Recents) Add(path string) {
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	r.Paths = append([]string{path}, slices.DeleteFunc(r.Paths, func(p string) bool { return p == path })...)
	r.Paths = r.Paths[:min(len(r.Paths), MostRecents)]
}
