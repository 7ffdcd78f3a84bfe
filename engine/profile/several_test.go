package profile_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"halfstep/engine/profile"
)

// Earlier, for a program with two engines, viewer -watch showed one engine and did
// not mention the other.
func TestWhoWatchesIsToldWhichEnginesThereAre(t *testing.T) {
	url, _ := recordingOf(t, running(t, "server", nil).Trace(), running(t, "my client", nil).Trace())
	for _, query := range []string{"", "?engine=server", "?engine=my+client"} {
		if names := join(t, url+query).Header.Values("Halfstep-Engine"); !slices.Equal(names, []string{"server", "my+client"}) {
			t.Errorf("%s: %q", query, names)
		}
	}
	r := join(t, url+"?engine=other")
	if line, _ := io.ReadAll(r.Body); r.StatusCode != 404 || !strings.Contains(string(line), `no engine "other"; there is ["server" "my client"]`) {
		t.Errorf("%d: %s", r.StatusCode, line)
	}
}

// Earlier, a program that added its engine in each frame had the engine in the
// list once for each frame.
func TestAnEngineThatIsAddedTwiceIsListedOnce(t *testing.T) {
	e := open(t, "only")
	h := profile.New(e.Trace(), e.Trace())
	h.Add(e.Trace())
	if n := len(h.Metrics().Engines); n != 1 {
		t.Errorf("it is listed %d times", n)
	}
	h.Remove(e.Trace())
	if n := len(h.Metrics().Engines); n != 0 {
		t.Errorf("it is listed %d times after Remove", n)
	}
}
