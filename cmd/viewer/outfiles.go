package main

import (
	"fmt"
	"slices"
	"strings"

	"halfstep/cmd/viewer/outfile"
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
	return slices.DeleteFunc(all, func(f namedFile) bool { return f.path == "" })
}

// checkFiles reports a file that would be written over: one that is also read,
// or that another flag writes too.
func (o *Options) checkFiles() error {
	files := o.files()
	for i, f := range files {
		for _, g := range files[:i] {
			if (f.written || g.written) && outfile.Same(f.path, g.path) {
				return fmt.Errorf("%v and %v are the same file, which would be overwritten", g, f)
			}
		}
	}
	return nil
}
