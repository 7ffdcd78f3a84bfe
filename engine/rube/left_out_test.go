package rube

import (
	"slices"
	"testing"
)

// The program iforce2d/b2dJson leaves out fixtures that Box2D cannot make, and loads the
// rest. Users have such files. Here all fixtures except the first and the last are of
// this kind.
func TestAFixtureThatCannotBeIsLeftOutAndNamed(t *testing.T) {
	s := mustParse(t, `{"body":[{"name":"ground","type":2,"fixture":[
		{"name":"first","density":1,"circle":{"radius":1}},
		{"name":"line","polygon":{"vertices":{"x":[0,1,2],"y":[0,1,2]}}},
		{"name":"star","polygon":{"vertices":{"x":[0,1,2,3,4,5,6,7,8],"y":[0,1,0,1,0,1,0,1,0]}}},
		{"circle":{"radius":-1}},
		{"edge":{"vertex1":{"x":1,"y":1},"vertex2":{"x":1,"y":1}}},
		{"density":1,"circle":{"center":{"x":1e8,"y":0},"radius":0.001}},
		{},
		{"name":"last","density":2,"circle":{"radius":1}}]}]}`)
	want := []string{
		`body 0 "ground": fixture 1 "line": the polygon has no area`,
		`body 0 "ground": fixture 2 "star": polygon with 9 corners (at most 8)`,
		`body 0 "ground": fixture 3: circle: radius -1: not above 0`,
		`body 0 "ground": fixture 4: points 0 and 1 are closer than 1e-06 m`,
		`body 0 "ground": fixture 5: the shape is too far from the body's origin for its size`,
		`body 0 "ground": fixture 6: no circle, edge, loop, chain or polygon in it`,
	}
	if !slices.Equal(s.LeftOut, want) {
		t.Errorf("left out are %q", s.LeftOut)
	}
	w := build(t, s, 0)
	shapes, err := w.Shapes(named(t, w, "ground"))
	if err != nil || len(shapes) != 2 {
		t.Fatalf("%v, %v", shapes, err)
	}
	for i, name := range []string{"first", "last"} {
		if sh, err := w.Shape(shapes[i]); err != nil || sh.Name != name {
			t.Errorf("%v, %v", sh, err)
		}
	}
}
