package rube

import (
	"os"
	"strings"
	"testing"
)

// A scene that can be parsed can also be built and stepped, or is refused with an error
// of one line.
func FuzzParse(f *testing.F) {
	everything, err := os.ReadFile("testdata/everything.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(everything)
	f.Add([]byte(dumped("", "")))
	for _, name := range []string{"box2d-2.3.txt", "box2d-2.4.txt", "box2d-go.txt"} {
		dump, err := os.ReadFile("testdata/dump/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(dump)
	}
	for _, s := range []string{
		`{"body":[{"type":2,"fixture":[{"circle":{"radius":1}}]}],"joint":[{"type":"revolute","bodyA":0,"bodyB":17}]}`,
		`{"gravity":{"x":0,"y":"C1200000"},"body":[{"type":2,"awake":true,"massData-mass":2,"massData-I":1,"fixture":[
			{"density":1,"polygon":{"vertices":{"x":[0,1,"3F800000"],"y":[0,0,1]}}},
			{"chain":{"vertices":{"x":[0,2,4],"y":[0,0,1]},"hasNextVertex":true,"nextVertex":0}},
			{"loop":{"vertices":{"x":[0,2,4],"y":[0,0,1]}}}]},{}],
			"joint":[{"type":"gear","joint1":1,"joint2":2},{"type":"prismatic","bodyB":1},{"type":"mouse","bodyA":1}]}`,
		`{"metaworld":{}}`, `[`, `{"body":[{"customProperties":[{"name":"c","color":[1,2,3,4],"vec2":0}]}]} // end`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("x.json", data)
		if err == nil {
			w := newDriven(s)
			if err = s.Build(w.World); err == nil {
				step(w, 2)
			}
		}
		if err != nil {
			if line := err.Error(); !strings.HasPrefix(line, "x.json: ") || strings.ContainsAny(line, "\r\n") {
				t.Errorf("%q", line)
			}
		}
	})
}
