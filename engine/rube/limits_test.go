package rube

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"halfstep/test/norace"
	"halfstep/world"
)

func repeat(s string, n int) string { return strings.TrimSuffix(strings.Repeat(s+",", n), ",") }

func TestAFileThatHoldsTooMuchGetsOneLine(t *testing.T) {
	norace.Only(t)
	line := func(n int) string {
		return `{"chain":{"vertices":{"x":[` + repeat("0,1", n)[:2*n-1] + `],"y":[` + repeat("0", n) + `]}}}`
	}
	fixtures := func(s string, n int) string { return `{"fixture":[` + repeat(s, n) + `]}` }
	for name, c := range map[string]struct{ data, want string }{
		"bodies":        {`{"body":[` + repeat("{}", maxBodies+1) + `]}`, "200001 bodies (at most 200000)"},
		"joints":        {`{"body":[],"joint":[` + repeat("{}", maxJoints+1) + `]}`, "200001 joints (at most 200000)"},
		"fixtures":      {`{"body":[{},` + fixtures("{}", world.MaxBodyShapes+1) + `]}`, "body 1: 10001 fixtures (at most 10000)"},
		"points":        {`{"body":[` + fixtures(line(world.MaxChainPoints+1), 1) + `]}`, "body 0: fixture 0: chain with 100001 points (at most 100000)"},
		"points of all": {`{"body":[` + repeat(fixtures(line(100_000), 1), 21) + `]}`, "body 20: more than 2000000 points in the file"},
		"bytes":         {`{"body":[]}` + strings.Repeat(" ", maxFile), "larger than 32 MiB"},
		"iterations":    {`{"body":[],"velocityIterations":1001}`, "velocityIterations 1001: not a whole number from 0 to 1000"},
		"positions":     {`{"body":[],"positionIterations":1e9}`, "positionIterations 1e+09: not a whole number from 0 to 1000"},
		"rate":          {`{"body":[],"stepsPerSecond":1e7}`, "stepsPerSecond 1e+07: not from 0 to 1e+06"},
	} {
		s, err := Parse("big.json", []byte(c.data))
		if err == nil && len(s.LeftOut) > 0 {
			err = errors.New("big.json: " + s.LeftOut[0])
		}
		if err == nil || err.Error() != "big.json: "+c.want {
			t.Errorf("%s: %v, not %s", name, err, c.want)
		}
	}
}

func TestTheFixturesOfAllBodiesAreCountedTogether(t *testing.T) {
	d := world.BodyDef{Shapes: make([]world.ShapeDef, 10_000)}
	var all totals
	for n := 1; n <= 51; n++ {
		if err := all.add(&d, 0); (err != nil) != (n > 50) {
			t.Errorf("%d fixtures: %v", 10_000*n, err)
		}
	}
}

func TestAFileLargerThanTheLimitIsNotReadWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big.json")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Skip("no sparse files:", err)
	}
	if _, err := ReadFile(path); err == nil || err.Error() != path+": larger than 32 MiB" {
		t.Error(err)
	}
}

// The file has half a megabyte. Earlier, it used 13 GB of memory.
func TestAFileWhoseBodiesOverlapTooMuchGetsOneLine(t *testing.T) {
	const circle = `{"type":2,"fixture":[{"density":1,"circle":{"radius":1}}]}`
	s := mustParse(t, `{"body":[`+repeat(circle, 5000)+`]}`)
	w := newDriven(s)
	defer w.Close()
	err := s.Build(w.World)
	if !errors.Is(err, world.ErrCrowded) {
		t.Fatal(err)
	}
	want := fmt.Sprintf("test.json: body 1000: world: too many shapes overlap here: the world would hold more than %d contacts", world.DefaultMaxContacts)
	if err.Error() != want {
		t.Errorf("%v, not %s", err, want)
	}
}
