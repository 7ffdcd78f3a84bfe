package soft_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"halfstep/internal/harness/norace"
)

// TestNoProductIsFusedWithASum compiles for arm64, whose processors fuse, and
// looks at the instructions.
func TestNoProductIsFusedWithASum(t *testing.T) {
	norace.Only(t)
	if testing.Short() {
		t.Skip("compiles for another processor")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	lib := filepath.Join(t.TempDir(), "soft.a")
	build := exec.Command("go", "build", "-o", lib, "halfstep/physicsloop/stepper/soft")
	build.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command("go", "tool", "objdump", lib).Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), "FMULS") {
		t.Fatal("no products in the code: is this the right file?")
	}
	fused := regexp.MustCompile(`FN?M(ADD|SUB|LA|LS)`)
	for _, line := range strings.Split(string(out), "\n") {
		if fused.MatchString(line) {
			t.Errorf("fused: %s", strings.TrimSpace(line))
		}
	}
}
