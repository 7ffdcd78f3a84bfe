package panel

import (
	"testing"

	"halfstep/cmd/viewer/internal/play"
)

func TestASearchFindsTheNameBeforeItsBeginningAndThatBeforeTheDescription(t *testing.T) {
	all, _, err := play.OpenScenes("drift", "", false)
	if err != nil {
		t.Fatal(err)
	}
	for search, want := range map[string][]string{
		"car": {"car", "cardhouse"}, "joints": {"joints"}, "joint": {"joints", "jointgrid"}, "CAR ": {"car", "cardhouse"},
		"fall1": {"fall1000", "fall10000"}, "newton": {"cradle"},
	} {
		got := Found(nil, all, search)
		for i, name := range want {
			if i >= len(got) || all[got[i]].Name != name && !(search == "joint" || search == "fall1") {
				t.Errorf("%q: %d. is not %s", search, i+1, name)
			}
		}
	}
	if got := Found(nil, all, " "); len(got) != len(all) {
		t.Errorf("no search finds %d of %d", len(got), len(all))
	}
}
