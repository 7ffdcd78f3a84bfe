package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The page has one program in two parts.
func TestTheFirstCharacterRunsAsThePageSays(t *testing.T) {
	page, err := os.ReadFile("../../docs/first-character.md")
	if err != nil {
		t.Fatal(err)
	}
	program := ""
	for _, b := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		program += b[1]
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err1 := os.ReadFile("go.mod")
	sum, err2 := os.ReadFile("go.sum")
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"main.go": program, "go.sum": string(sum), "go.mod": strings.Replace(string(mod), "../..", root, 1)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", "hero", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	limit, cancel := context.WithTimeout(context.Background(), 4*time.Second)
	defer cancel()
	out, err := exec.CommandContext(limit, filepath.Join(dir, "hero")).CombinedOutput()
	if limit.Err() == nil {
		t.Errorf("it ends by itself: %v: %s", err, out)
	}
}
