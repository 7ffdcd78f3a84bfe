// Package fused looks for fused products and sums in the code that the compiler makes
// for arm64. They would give other bits than on amd64.
package fused

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"halfstep/test/norace"
)

// None compiles packages for arm64 and reports each instruction that rounds a product
// and a sum at once, also in code that is inlined from other packages.
func None(t *testing.T, packages ...string) {
	t.Helper()
	norace.Only(t)
	if testing.Short() {
		t.Skip("compiles for another processor")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	args := []string{"build"}
	for _, name := range packages {
		args = append(args, "-gcflags="+name+"=-S")
	}
	build := exec.Command("go", append(args, packages...)...)
	build.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	name, found := "", map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if after, ok := strings.CutPrefix(line, "# "); ok {
			name = strings.TrimSpace(after)
		}
		if products.MatchString(line) {
			found[name] = true
		}
		if fused.MatchString(line) {
			t.Errorf("%s: fused: %s", name, strings.TrimSpace(line))
		}
	}
	for _, name := range packages {
		if !found[name] {
			t.Errorf("%s: no products in the code: was it compiled?", name)
		}
	}
}

var (
	products = regexp.MustCompile(`\tFMUL[SD]\t`)
	fused    = regexp.MustCompile(`\tFN?M(ADD|SUB)[SD]\t`)
)
