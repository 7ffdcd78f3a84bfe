package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

func TestNamesFromFilesReachNoTerminalAsTheyAre(t *testing.T) {
	t.Parallel()
	needDisplay(t)
	dir := t.TempDir()
	const evil = "evil\x1b]0;pwned\x07\nname\u202e"
	file := filepath.Join(dir, evil+".json")
	scene := `{"gravity":{"x":0,"y":-10},"body":[{"name":"body\u001b[2J\nx","type":2,"fixture":[{"density":1,"circle":{"radius":1,"center":0}}]}]}`
	if err := os.WriteFile(file, []byte(scene), 0o644); err != nil {
		t.Skip(err)
	}
	rec, log := filepath.Join(dir, "rec"), filepath.Join(dir, "log")
	bad := filepath.Join(dir, "bad\x1b.json")
	os.WriteFile(bad, []byte(`{"body":[{"name":"\u001b[2J\n","type":7}]}`), 0o644)
	for _, args := range [][]string{
		{"-record", rec, "-log", log, file},
		{"-replay", rec},
		{"-track", "nobody", file},
		{"-track", "\x1b[2J", file},
		{bad}, {"\x1b[2J"}, {"-replay", bad}, {"-scene", "\x1b[2J"}, {"-clock", "trace:" + bad}, {"-log", filepath.Join(dir, "\x1b/no"), file},
	} {
		_, stdout, stderr := viewerRun(t, nil, append([]string{"-hidden", "-size", "64x64", "-clock", "fixed:60", "-ticks", "5"}, args...)...)
		text := stdout + stderr
		if args[0] == "-record" {
			data, _ := os.ReadFile(log)
			text += string(data)
			if strings.Count(string(data), "\n") < 5 {
				t.Errorf("log %q", data)
			}
		}
		if strings.Count(stderr, "\n") > 1 || text == "" {
			t.Errorf("%q: %q", args, text)
		}
		for _, r := range text {
			if r != '\n' && !unicode.IsPrint(r) {
				t.Errorf("%q: %q", args, text)
				break
			}
		}
	}
}
