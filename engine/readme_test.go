package engine_test

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

func TestTheFirstProgramOfTheReadmePrintsWhatItSays(t *testing.T) {
	needsGo(t)
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	program := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(text)
	if program == nil {
		t.Fatal("the README has no program")
	}
	line := regexp.MustCompile(`// (tick \d+: .*)`).FindSubmatch(program[1])
	if line == nil {
		t.Fatal("the program says of no event how it prints")
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = module(t, string(program[1]))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if !strings.Contains(string(out), "y = ") {
		t.Errorf("the ball has no pose: %s", out)
	}
	if !strings.Contains(string(out), string(line[1])+"\n") && runtime.GOARCH == "amd64" {
		t.Errorf("the program does not print %q but\n%s", line[1], out)
	}
}
