package world

import (
	"strings"
	"testing"
)

func TestADifferenceInSnapshotsThatCommandsTookIsFoundOnEitherSide(t *testing.T) {
	var with, without Snapshot
	r := newRig(t, Config{})
	if err := r.World.Snapshot(&without); err != nil {
		t.Fatal(err)
	}
	r.apply(Command{Op: opSnapshot, N: 3})
	if err := r.World.Snapshot(&with); err != nil {
		t.Fatal(err)
	}
	for i, d := range []string{with.Difference(&without), without.Difference(&with)} {
		if !strings.HasPrefix(d, "snapshot 3: existence was ") {
			t.Errorf("way %d: %q", i, d)
		}
	}
}
