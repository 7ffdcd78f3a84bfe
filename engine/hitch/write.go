package hitch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"halfstep/engine"
)

// What the names of our files begin and end with. No other files are touched.
const (
	prefix      = "hitch-"
	traceSuffix = ".trace"
	jsonSuffix  = ".json"
)

// write writes a hitch's two files and makes room for them.
func (r *Recorder) write(main engine.Late, also []engine.Late) (path string, err error) {
	rep := r.describe(main, also)
	var trace bytes.Buffer
	if _, err := r.opts.tracer.WriteTo(&trace); err != nil {
		rep.TraceError = err.Error()
	}
	// By time, so that names sort.
	base := prefix + strings.ReplaceAll(rep.Time.Format("20060102T150405.000000"), ".", "-")
	if rep.TraceError == "" {
		rep.Trace = base + traceSuffix
	}
	text, err := json.MarshalIndent(rep, "", "\t")
	if err != nil {
		return "", fmt.Errorf("hitch: %w", err)
	}
	text = append(text, '\n')
	if err := r.makeRoom(int64(len(text) + trace.Len())); err != nil {
		return "", fmt.Errorf("hitch: %w", err)
	}
	path = filepath.Join(r.opts.Dir, base+jsonSuffix)
	if rep.Trace != "" {
		if err := put(filepath.Join(r.opts.Dir, rep.Trace), trace.Bytes()); err != nil {
			return "", fmt.Errorf("hitch: %w", err)
		}
	}
	if err := put(path, text); err != nil {
		return "", fmt.Errorf("hitch: %w", err)
	}
	return path, nil
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
		if i := strings.IndexByte(base, '.'); i >= 0 && (base[i:] == traceSuffix || base[i:] == jsonSuffix) {
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
		for _, suffix := range []string{traceSuffix, jsonSuffix} {
			if err := os.Remove(filepath.Join(r.opts.Dir, prefix+base+suffix)); err != nil && !os.IsNotExist(err) {
				return err
			}
		}
		total -= sizes[base]
	}
	return nil
}
