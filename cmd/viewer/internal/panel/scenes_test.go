package panel

import (
	"testing"

	"halfstep/cmd/viewer/internal/play"
)

func TestASearchFindsFilesThatWereSaved(t *testing.T) {
	p := scenePane{session: new(play.Session)}
	p.session.Stage = new(play.Stage)
	for search, want := range map[string]bool{"": true, "011 ": true, "HALF": true, "012": false} {
		if p.Search = search; p.listed("/tmp/halfstep-011.json") != want {
			t.Errorf("%q: %v", search, !want)
		}
	}
}

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
