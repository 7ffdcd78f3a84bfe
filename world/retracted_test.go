package world

import "testing"

func TestARetractedEventSaysWhatDidNotHappenAndHasItsKey(t *testing.T) {
	hit := Event{
		Kind: ContactHit, Tick: 74, Contact: Contact{A: 1, B: 2, ShapeA: 3, ShapeB: 4, Impulse: 3.1},
		NameA: "ball", NameB: "ground",
	}
	gone := hit
	gone.Kind, gone.Was = EventRetracted, hit.Kind
	if got, want := gone.String(), `tick 74: retracted: "ball" hit "ground" with 3.1 N·s`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if (inside{}).EventKey(&gone) != (inside{}).EventKey(&hit) {
		t.Error("it has another key")
	}
	harder := hit
	harder.Impulse, harder.Point = 5, Vec{X: 1}
	if (inside{}).EventKey(&harder) != (inside{}).EventKey(&hit) {
		t.Error("how hard and where belong to the key")
	}
	for what, other := range map[string]Event{
		"tick":  {Kind: ContactHit, Tick: 75, Contact: hit.Contact},
		"kind":  {Kind: ContactBegin, Tick: 74, Contact: hit.Contact},
		"body":  {Kind: ContactHit, Tick: 74, Contact: Contact{A: 1, B: 5, ShapeA: 3, ShapeB: 4}},
		"shape": {Kind: ContactHit, Tick: 74, Contact: Contact{A: 1, B: 2, ShapeA: 3, ShapeB: 5}},
	} {
		if (inside{}).EventKey(&other) == (inside{}).EventKey(&hit) {
			t.Errorf("another %s, and the same key", what)
		}
	}
}

func TestNothingChangesNothingAndKeepsItsSource(t *testing.T) {
	w := newDriven(gravity())
	w.CreateBody(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{Box(.5, .5)}})
	before := w.World.Hash()
	var sent commandList
	(Commands{queue: &sent}).From(7).At(3).Nothing()
	if len(sent) != 1 || sent[0].Source != 7 {
		t.Fatalf("%+v was sent", sent)
	}
	w.Apply(0, &sent[0], true)
	if w.World.Hash() != before || w.news.rejected != 0 {
		t.Error("it changed something, or was rejected")
	}
}

// commandList stores the commands that it gets.
type commandList []Command

func (l *commandList) Send(_ uint64, c Command) { *l = append(*l, c) }
func (l *commandList) Room() int                { return 1 }
