package shaders

import (
	"io/fs"
	"strings"
	"testing"
)

func TestEveryFileLoads(t *testing.T) {
	names, err := fs.Glob(files, "*.glsl")
	if err != nil || len(names) < 9 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		s, err := Load(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.HasPrefix(s.Text, "#version 410 core\n#line 1 0\n") {
			t.Errorf("%s begins with %.40q", name, s.Text)
		}
		if strings.Contains(s.Text, "#include") {
			t.Errorf("%s has an include left", name)
		}
	}
}

func TestIncludesComeOnceAndKeepLineNumbers(t *testing.T) {
	s, err := Expand("own.glsl", "first\n#include \"frame.glsl\"\n#include \"pose.glsl\"\nlast\n")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(s.Text, "uniform Frame"); n != 1 {
		t.Errorf("frame.glsl is in it %d times", n)
	}
	if got := strings.Join(s.files, " "); got != "own.glsl frame.glsl pose.glsl" {
		t.Errorf("files %s", got)
	}
	if !strings.HasSuffix(s.Text, "#line 4 0\nlast\n") {
		t.Errorf("ends with %q", s.Text[len(s.Text)-40:])
	}
}

func TestMissingFilesAreNamed(t *testing.T) {
	if _, err := Load("nothing.glsl"); err == nil || err.Error() != "shaders: no file nothing.glsl" {
		t.Error(err)
	}
	_, err := Expand("own.glsl", "a\n#include \"nothing.glsl\"\n")
	if err == nil || err.Error() != "shaders: own.glsl:2: no file nothing.glsl to include" {
		t.Error(err)
	}
}

func TestExplainNamesFileAndLineForEveryDriver(t *testing.T) {
	s := Source{name: "shape.vert.glsl", files: []string{"shape.vert.glsl", "pose.glsl"}}
	for log, want := range map[string]string{
		"1:12(5): error: `x' undeclared\n1:13(1): error: more\n\x00": "pose.glsl:12: error: `x' undeclared",
		"1(12) : error C1503: undefined variable \"x\"\n":            "pose.glsl:12: error C1503: undefined variable \"x\"",
		"ERROR: 0:7: Use of undeclared identifier 'x'\n":             "shape.vert.glsl:7: Use of undeclared identifier 'x'",
		"0:3(1): warning: w\n0:9(1): error: e\n":                     "shape.vert.glsl:9: error: e",
		"out of memory\n":                                            "shape.vert.glsl: out of memory",
		"":                                                           "shape.vert.glsl: rejected without a reason",
	} {
		if got := s.Explain(log); got != want {
			t.Errorf("%q: %q, not %q", log, got, want)
		}
	}
}
