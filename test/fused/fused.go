// Package fused looks at the code that is made for processors that fuse a product
// and a sum.
package fused

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"halfstep/test/norace"
)

// None compiles packages for arm64 and reports each instruction that rounds a product
// and a sum at once, also in what is inlined of other packages.
func None(t *testing.T, packages ...string) {
	t.Helper()
	norace.Only(t)
	if testing.Short() {
		t.Skip("compiles for another processor")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	for _, name := range packages {
		lib := filepath.Join(t.TempDir(), "package.a")
		build := exec.Command("go", "build", noDWARF, "-o", lib, name)
		build.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		out, err := exec.Command("go", "tool", "objdump", lib).Output()
		if err != nil {
			t.Fatal(err)
		}
		if !products.Match(out) {
			t.Errorf("%s: no products in the code: is this the right file?", name)
		}
		for _, line := range strings.Split(string(out), "\n") {
			if fused.MatchString(line) {
				t.Errorf("%s: fused: %s", name, strings.TrimSpace(line))
			}
		}
	}
}

// noDWARF is what scripts/check/soft-everywhere builds with, so that the build cache serves both.
const noDWARF = "-gcflags=all=-dwarf=false"

var (
	products = regexp.MustCompile(`FMUL[SD]`)
	fused    = regexp.MustCompile(`FN?M(ADD|SUB|LA|LS)`)
)
