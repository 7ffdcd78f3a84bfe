package world

import (
	"math"
	"testing"
)

func TestEqualOutlinesAreOneObjectWithSoftStep(t *testing.T) {
	minus := math.Copysign(0, -1)
	right, mirrored := Polygon(Vec{X: 0, Y: 0}, Vec{X: 1, Y: 0}, Vec{X: 0, Y: 1}), Polygon(Vec{X: 0, Y: 0}, Vec{X: 1, Y: minus}, Vec{X: 0, Y: 1})
	heavy := Box(.5, .5)
	heavy.Density = 7
	round := Box(.5, .5)
	round.Radius = .1
	for _, stepper := range []Stepper{SoftStep, FastStep} {
		g := newRig(t, Config{Stepper: stepper, Workers: 1})
		made := map[any]int{}
		for range 5 {
			for i, d := range []ShapeDef{Box(.5, .5), heavy, right, mirrored, round, Capsule(Vec{X: 0, Y: 0}, Vec{X: 1, Y: 0}, .1), Circle(1)} {
				b := g.body(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{d}})
				shape := g.registry.bodies[b].shapes[0].fix.M_shape
				if was, ok := made[shape]; ok && was != max(1, i) {
					t.Fatalf("%v: definitions %d and %d share a shape", stepper, was, i)
				}
				made[shape] = max(1, i)
			}
		}
		want := 5 + 5 // 5 outlines; circles have no outline
		if g.soft == nil {
			want = 5 * 7
		}
		if len(made) != want {
			t.Errorf("%v: %d shapes, want %d", stepper, len(made), want)
		}
	}
	var o outlines
	o.shared = true
	for range 2 { // the second time, the outline is known and only the rest of the shape is checked
		d := Box(.5, .5)
		if _, err := o.build(&d); err != nil {
			t.Fatal(err)
		}
		d.Friction = -1
		if _, err := o.build(&d); err == nil {
			t.Fatal("a friction of -1 is taken")
		}
	}
}
