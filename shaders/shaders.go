// Package shaders holds the GLSL of the renderer and puts its pieces together.
//
// A file is GLSL 4.10 core without the version line. A line
//
//	#include "body.glsl"
//
// is replaced by that file, once per source. Load returns the whole text for
// the compiler, and Source.Explain turns the compiler's log, which counts
// lines of numbered strings, into a line that names the file.
package shaders

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed *.glsl
var files embed.FS

const version = "#version 410 core\n"

// Source is a shader ready to be compiled.
type Source struct {
	Name string
	Text string // with the version line, without a terminating zero
	// Files are the files it is made of; the compiler knows them by index.
	Files []string
}

// Load returns the shader in the embedded file of that name, with what it
// includes.
func Load(name string) (Source, error) {
	text, err := files.ReadFile(name)
	if err != nil {
		return Source{}, fmt.Errorf("shaders: no file %s", name)
	}
	return Expand(name, string(text))
}

// Expand is Load for a text that is not embedded; it may include files that
// are.
func Expand(name, text string) (Source, error) {
	e := expander{source: Source{Name: name}}
	e.out.WriteString(version)
	if err := e.add(name, text); err != nil {
		return Source{}, err
	}
	e.source.Text = e.out.String()
	return e.source, nil
}

type expander struct {
	source Source
	out    strings.Builder
}

var include = regexp.MustCompile(`^\s*#include\s+"([^"]*)"\s*$`)

func (e *expander) add(name, text string) error {
	index := len(e.source.Files)
	e.source.Files = append(e.source.Files, name)
	fmt.Fprintf(&e.out, "#line 1 %d\n", index)
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		m := include.FindStringSubmatch(line)
		if m == nil {
			e.out.WriteString(line)
			e.out.WriteByte('\n')
			continue
		}
		if !slices.Contains(e.source.Files, m[1]) {
			part, err := files.ReadFile(m[1])
			if err != nil {
				return fmt.Errorf("shaders: %s:%d: no file %s to include", name, i+1, m[1])
			}
			if err := e.add(m[1], string(part)); err != nil {
				return err
			}
		}
		fmt.Fprintf(&e.out, "#line %d %d\n", i+2, index)
	}
	return nil
}

// The places that drivers put into their logs: "0:12(5): error: …" (Mesa),
// "0(12) : error …" (NVIDIA), "ERROR: 0:12: …" (Apple, Intel, AMD).
var place = regexp.MustCompile(`^(?:ERROR:\s*)?(\d+)[:(](\d+)\)?(?:\(\d+\))?\s*:\s*(.*)$`)

// Explain returns the first complaint in a compiler's log as one line, with
// the file and the line in it.
func (s Source) Explain(log string) string {
	first := ""
	for _, line := range strings.Split(strings.Trim(log, "\x00"), "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if m := place.FindStringSubmatch(line); m != nil && !strings.HasPrefix(m[3], "warning") {
			if i, err := strconv.Atoi(m[1]); err == nil && i < len(s.Files) {
				return fmt.Sprintf("%s:%s: %s", s.Files[i], m[2], m[3])
			}
		}
		if first == "" {
			first = line
		}
	}
	if first == "" {
		first = "rejected without a reason"
	}
	return s.Name + ": " + first
}
