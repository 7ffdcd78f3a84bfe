package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// example is a section of docs/profiling.md, with the commands in the section.
type example struct {
	name     string
	commands []string
	shown    []string // output, by line
}

// profilingSessions reads the sessions in docs/profiling.md.
func profilingSessions(t *testing.T) (list []example) {
	t.Helper()
	page, err := os.ReadFile("../../docs/profiling.md")
	if err != nil {
		t.Fatal(err)
	}
	inside := false
	for line := range strings.Lines(string(page)) {
		line = strings.TrimRight(line, "\n")
		name, heads := strings.CutPrefix(line, "### ")
		switch command, is := strings.CutPrefix(line, "$ "); {
		case heads:
			list = append(list, example{name: name})
		case strings.HasPrefix(line, "```"):
			inside = line == "```console"
		case !inside:
		case is:
			s := &list[len(list)-1]
			s.commands = append(s.commands, command)
		default:
			s := &list[len(list)-1]
			s.shown = append(s.shown, line)
		}
	}
	if len(list) != 5 {
		t.Fatalf("%d sessions", len(list))
	}
	return list
}

// telling matches the parts of the output that are the same in every run: names, and not
// figures.
var telling = regexp.MustCompile(`[A-Za-z][A-Za-z_.()*/-]{3,}`)

func TestTheProfilingPagesViewerCommandsAreValid(t *testing.T) {
	for _, s := range profilingSessions(t) {
		found := false
		for _, c := range s.commands {
			if flags, ok := strings.CutPrefix(c, "viewer "); ok {
				found = true
				if _, err := ParseFlags(strings.Fields(strings.TrimSuffix(flags, "&"))); err != nil {
					t.Errorf("%s: %s: %v", s.name, c, err)
				}
			}
		}
		if !found || len(s.shown) == 0 {
			t.Errorf("%s shows no command of the viewer, or no output", s.name)
		}
	}
}

// The sessions take a minute, so only scripts/check/attack runs them.
func TestTheProfilingPagesCommandsGiveWhatItShows(t *testing.T) {
	if os.Getenv("HALFSTEP_ATTACK") == "" {
		t.Skip("takes a minute; scripts/check/attack runs it")
	}
	needDisplay(t)
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "viewer"), ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	commands := 0
	for _, s := range profilingSessions(t) {
		var out []byte
		for range 8 { // a hitch of another program may replace the expected hitch
			cmd := exec.Command(shell, "-e", "-o", "pipefail", "-c", strings.Join(s.commands, "\n"))
			cmd.Dir = t.TempDir()
			cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			cmd.WaitDelay = time.Minute
			if out, err = cmd.CombinedOutput(); err == nil {
				break
			}
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", s.name, err, out)
			continue
		}
		commands += len(s.commands)
		for _, line := range s.shown {
			line = strings.TrimSuffix(line, "; no collection ran.") // a garbage collection may run at the same time
			for _, word := range telling.FindAllString(line, -1) {
				if !strings.HasPrefix(word, "hitch-") && !strings.Contains(string(out), word) {
					t.Errorf("%s: there is no %q, as in %q, in\n%s", s.name, word, line, out)
				}
			}
		}
	}
	t.Logf("attack: %d commands of docs/profiling.md run", commands)
}
