package world

import (
	"fmt"
	"strings"
	"testing"
)

func TestABodyThatOnlyTheOtherSnapshotHasIsTheOneThatIsNamed(t *testing.T) {
	r := newRig(t, Config{Workers: 1})
	var made [3]Body
	for i := range made {
		var err error
		if made[i], err = r.CreateBody(BodyDef{Position: Vec{X: float64(3 * i)}, Shapes: []ShapeDef{Box(1, 1)}}); err != nil {
			t.Fatal(err)
		}
	}
	var all, without Snapshot
	if err := r.World.Snapshot(&all); err != nil {
		t.Fatal(err)
	}
	if err := r.DestroyBody(made[1]); err != nil {
		t.Fatal(err)
	}
	if err := r.World.Snapshot(&without); err != nil {
		t.Fatal(err)
	}
	if got, want := all.Difference(&without), fmt.Sprintf("%v: existence was true and is false", made[1]); got != want {
		t.Errorf("%q, not %q", got, want)
	}
	if got, want := without.Difference(&all), fmt.Sprintf("%v: existence was false and is true", made[1]); got != want {
		t.Errorf("the other way: %q, not %q", got, want)
	}
}

// said is a Stateful whose state is a text.
type said string

func (s *said) AppendBinary(b []byte) ([]byte, error) { return append(b, *s...), nil }

func (s *said) UnmarshalBinary(b []byte) error { *s = said(b); return nil }

func TestStatesOfUserCodeDifferAlsoWhereTheirBytesInARowDoNot(t *testing.T) {
	r := newRig(t, Config{Workers: 1})
	first, second := said("ab"), said("c")
	r.AddState(&first)
	r.AddState(&second)
	var a, b Snapshot
	if err := r.World.Snapshot(&a); err != nil {
		t.Fatal(err)
	}
	first, second = "a", "bc"
	if err := r.World.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	if got := a.Difference(&b); got != "what a *world.said keeps: bytes was 6162 and is 61" {
		t.Errorf("%q", got)
	}
	third := said("")
	r.AddState(&third)
	if err := r.World.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	if got := a.Difference(&b); !strings.HasPrefix(got, "controllers and hooks: ") {
		t.Errorf("one more: %q", got)
	}
}
