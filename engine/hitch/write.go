package hitch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"halfstep/engine"
)

// What the names of our files begin and end with. No other files are touched.
const (
	prefix         = "hitch-"
	traceSuffix    = ".trace"
	jsonSuffix     = ".json"
	pageSuffix     = ".html"
	perfettoSuffix = ".perfetto"
)

// suffixes are those of the files of one hitch, which go together.
var suffixes = []string{traceSuffix, jsonSuffix, pageSuffix, perfettoSuffix}

// file is a file to write.
type file struct {
	name string
	data []byte
}

// write writes a hitch's files and makes room for them.
func (r *Recorder) write(main engine.Late, also []engine.Late) (path string, rep *Report, err error) {
	tape := r.tape(main.Engine)
	tape.Collect()
	rep = r.describe(main, also)
	var trace bytes.Buffer
	if _, err := r.opts.tracer.WriteTo(&trace); err != nil {
		rep.TraceError = err.Error()
	}
	// By time, so that names sort.
	base := prefix + strings.ReplaceAll(rep.Time.Format("20060102T150405.000000"), ".", "-")
	var files []file
	if rep.TraceError == "" {
		rep.Trace = base + traceSuffix
		files = append(files, file{rep.Trace, trace.Bytes()})
	}
	rep.Perfetto, rep.Page = base+perfettoSuffix, base+pageSuffix
	perfetto, err := rep.perfetto(tape)
	if err != nil {
		return "", nil, fmt.Errorf("hitch: %w", err)
	}
	page, err := rep.page(tape)
	if err != nil {
		return "", nil, fmt.Errorf("hitch: %w", err)
	}
	text, err := json.MarshalIndent(rep, "", "\t")
	if err != nil {
		return "", nil, fmt.Errorf("hitch: %w", err)
	}
	// The JSON comes last: who sees it finds the others.
	files = append(files, file{rep.Perfetto, perfetto}, file{rep.Page, page}, file{base + jsonSuffix, append(text, '\n')})
	size := int64(0)
	for _, f := range files {
		size += int64(len(f.data))
	}
	if err := r.makeRoom(size); err != nil {
		return "", nil, fmt.Errorf("hitch: %w", err)
	}
	for _, f := range files {
		if err := put(filepath.Join(r.opts.Dir, f.name), f.data); err != nil {
			return "", nil, fmt.Errorf("hitch: %w", err)
		}
	}
	return filepath.Join(r.opts.Dir, base+jsonSuffix), rep, nil
}

// put writes a file so that it is never seen half written.
func put(path string, data []byte) error {
	part := path + ".part"
	err := os.WriteFile(part, data, 0o644)
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		os.Remove(part)
	}
	return err
}

// makeRoom removes the oldest dumps until another of that size fits.
func (r *Recorder) makeRoom(size int64) error {
	entries, err := os.ReadDir(r.opts.Dir)
	if err != nil {
		return err
	}
	sizes := map[string]int64{} // by name without its suffix
	total := size
	for _, entry := range entries {
		name := entry.Name()
		base, ours := strings.CutPrefix(name, prefix)
		if i := strings.IndexByte(base, '.'); i >= 0 && slices.Contains(suffixes, base[i:]) {
			base = base[:i]
		} else {
			ours = false
		}
		info, err := entry.Info()
		if !ours || err != nil || !info.Mode().IsRegular() {
			continue
		}
		sizes[base] += info.Size()
		total += info.Size()
	}
	names := make([]string, 0, len(sizes))
	for base := range sizes {
		names = append(names, base)
	}
	sort.Strings(names)
	for i, base := range names {
		if len(names)-i < r.opts.MaxDumps && total <= r.opts.MaxBytes {
			break
		}
		for _, suffix := range suffixes {
			if err := os.Remove(filepath.Join(r.opts.Dir, prefix+base+suffix)); err != nil && !os.IsNotExist(err) {
				return err
			}
		}
		total -= sizes[base]
	}
	return nil
}
