package rube

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"halfstep/test/norace"
)

// A fuzzer that changes bytes rarely gets past the JSON decoder, so this test
// changes whole values.
func TestNoSpoiltValueMakesAPanic(t *testing.T) {
	norace.Only(t)
	data, err := os.ReadFile("testdata/everything.json")
	if err != nil {
		t.Fatal(err)
	}
	value := regexp.MustCompile(`[-0-9.]+\b|true|false|"[^"]*"`)
	tried, built := 0, 0
	for _, at := range value.FindAllIndex(data, -1) {
		if strings.HasPrefix(strings.TrimLeft(string(data[at[1]:]), " "), ":") {
			continue // a name
		}
		for _, v := range []string{"0", "-1", "1e17", `"00000001"`, "[1]", "null"} {
			spoilt := string(data[:at[0]]) + v + string(data[at[1]:])
			tried++
			s, err := Parse("x.json", []byte(spoilt))
			if err == nil {
				w := newDriven(s)
				if err = s.Build(w.World); err == nil {
					step(w, 3)
					finite(t, w)
					built++
				}
			}
			if err != nil && (!strings.HasPrefix(err.Error(), "x.json: ") || strings.Contains(err.Error(), "\n")) {
				t.Errorf("%q", err)
			}
			if t.Failed() {
				t.Fatalf("with %s for %s before %.60q", v, data[at[0]:at[1]], data[at[1]:])
			}
		}
	}
	t.Logf("%d spoilt scenes, %d of them built", tried, built)
}
