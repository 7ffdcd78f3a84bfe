package main

import (
	"path/filepath"
	"slices"
)

// mostRecents is how many files are remembered.
const mostRecents = 6

// recents are the files of scenes and recordings that were saved and opened, the newest first.
type recents struct{ paths []string }

// add puts a file at the front.
func (r *recents) add(path string) {
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	r.paths = append([]string{path}, slices.DeleteFunc(r.paths, func(p string) bool { return p == path })...)
	r.paths = r.paths[:min(len(r.paths), mostRecents)]
}
