//go:build !interleave

package atomic

import (
	"os"
	"os/exec"
	"regexp"
	"testing"

	"halfstep/test/norace"
)

// The test would detect a hook that is called in a normal build, and a method of
// sync/atomic that is not inlined through its alias.
func TestWithoutTheTagTheHooksAreNotThere(t *testing.T) {
	norace.Only(t)
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("it needs the go command:", err)
	}
	build := exec.Command("go", "build", "-gcflags=-S", "halfstep/buffer", "halfstep/physicsloop", "halfstep/engine", "halfstep/box/fast", "halfstep/internal/box/workers")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // the other packages are in the build cache
	out, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%.2000s", err, out)
	}
	for _, code := range []string{`Demand\)\.Post STEXT`, `Exchange\[.*\)\.Acquire STEXT`, `Exchange\[.*\)\.publish STEXT`, `Log\[.*\)\.Peek STEXT`, `Loop\[.*\)\.frame STEXT`, `workers\.\(\*Pool\)\.take STEXT`} {
		if !regexp.MustCompile(code).Match(out) {
			t.Errorf("nothing like %q among what was compiled: this test shows nothing", code)
		}
	}
	// The function Go starts the loop. It has a go statement, and is never inlined.
	// A Patience reads the clock, only in frames of RunAhead. It is too long to be
	// inlined.
	patience := regexp.MustCompile(`interleave\.(For|\(\*Patience\)\.Lasts)\b`)
	// Pointers to generic chunks are not inlined either. A log uses one once in 128 records.
	calls := regexp.MustCompile(`CALL\s+(sync/atomic\.\(\*?[^*P]|halfstep/internal/atomic|halfstep/internal/interleave\.[^G])\S+`)
	for _, c := range calls.FindAll(out, -1) {
		if !patience.Match(c) {
			t.Errorf("%s", c)
		}
	}
}
