package world

import "testing"

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
