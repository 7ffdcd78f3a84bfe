// Package shaders has the GLSL files of the renderer and resolves their includes.
//
// A file is GLSL 4.10 core without the version line. A line
//
//	#include "pose.glsl"
//
// is replaced by that file, once in a shader. Load returns the whole text for the
// compiler. Compilers refer to files by number; Source.Explain turns their messages
// into a line with the file's name.
package shaders

import (
	"cmp"
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
	name string
	Text string // with the version line, and without a zero at the end
	// Files has the names of the files in Text. The compiler refers to their indices.
	files []string
}

// Load returns the shader in an embedded file with all its includes. It fails if
// a file does not exist.
func Load(name string) (Source, error) {
	text, err := files.ReadFile(name)
	if err != nil {
		return Source{}, fmt.Errorf("shaders: no file %s", name)
	}
	return Expand(name, string(text))
}

// Expand returns the shader in a text that is not embedded. The text may include
// embedded files.
func Expand(name, text string) (Source, error) {
	e := expander{source: Source{name: name}}
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
	index := len(e.source.files)
	e.source.files = append(e.source.files, name)
	fmt.Fprintf(&e.out, "#line 1 %d\n", index)
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		m := include.FindStringSubmatch(line)
		if m == nil {
			e.out.WriteString(line + "\n")
			continue
		}
		if !slices.Contains(e.source.files, m[1]) {
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

// place matches the positions in the logs of drivers: "0:12(5): error: …" (Mesa),
// "0(12) : error …" (NVIDIA), "ERROR: 0:12: …" (Apple, Intel, AMD).
var place = regexp.MustCompile(`^(?:ERROR:\s*)?(\d+)[:(](\d+)\)?(?:\(\d+\))?\s*:\s*(.*)$`)

// Explain returns the first error in a compiler's log as one line, with the name of
// the file and the line number.
func (s Source) Explain(log string) string {
	first := ""
	for _, line := range strings.Split(strings.Trim(log, "\x00"), "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if m := place.FindStringSubmatch(line); m != nil && !strings.HasPrefix(m[3], "warning") {
			if i, err := strconv.Atoi(m[1]); err == nil && i < len(s.files) {
				return fmt.Sprintf("%s:%s: %s", s.files[i], m[2], m[3])
			}
		}
		if first == "" {
			first = line
		}
	}
	return s.name + ": " + cmp.Or(first, "rejected without a reason")
}
