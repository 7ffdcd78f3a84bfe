// Package fused finds fused products and sums in the compiler's code for arm64, which would give
// other bits than on amd64.
package fused

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"halfstep/test/norace"
)

// packages are the packages whose results must be the same on all processors, because the values
// that they compute become part of the world: those of soft steps, edits, forces and queries.
var packages = []string{
	"halfstep/internal/box/soft", "halfstep/world", "halfstep/world/forces", "halfstep/world/tiles", "halfstep/world/walker",
	"halfstep/internal/box/b2", "halfstep/internal/trig", "halfstep/internal/geometry", "halfstep/internal/query",
}

// An instruction that rounds a product and a sum together may also be in code that is inlined from
// other packages.
func TestNoProductIsFusedWithASum(t *testing.T) {
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
		// the boxes of b2/bounds.go are those of the library, which fuses too; a soft step computes its own
		// boxes
		if fused.MatchString(line) && !strings.Contains(line, "/b2/bounds.go") {
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
