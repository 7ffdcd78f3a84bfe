package main

import (
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
)

func TestBodiesInTheListHaveNumbers(t *testing.T) {
	b := newPanelBench(t, "-scene cradle")
	b.panel.Page = panel.BodyPage
	b.run(2)
	ball, _ := b.Stage.Player.Find("ball5")
	b.Inspect.Choose(ball)
	b.run(2)
	bodies := 0
	for i := range b.panel.Bodies.Parts.Rows {
		r := &b.panel.Bodies.Parts.Rows[i]
		text := b.panel.Bodies.PartText(r)
		if r.Shape == 0 && r.Joint == 0 {
			bodies++
			if !strings.HasPrefix(text, "#") {
				t.Errorf("a body is %q", text)
			}
		} else if r.Joint != 0 && !strings.Contains(text, " to #") {
			t.Errorf("a joint is %q", text)
		}
	}
	if bodies < 6 {
		t.Errorf("%d bodies", bodies)
	}
}

func TestTheKeyOfTheBlackBoxIsInTheHelpOnlyWhereThereIsOne(t *testing.T) {
	for args, want := range map[string]bool{"": false, " -black-box " + t.TempDir(): true} {
		b := newPanelBench(t, "-scene drift"+args)
		found := false
		for _, l := range b.panel.HelpLines() {
			found = found || l.Key == "B"
		}
		if found != want {
			t.Errorf("%q: B is in the help: %v", args, found)
		}
	}
}

func TestASlashIsTypedIntoTheSearchThatASlashHasOpened(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.write("/")
	if b.write("a/b"); b.panel.Scenes.Search != "a/b" {
		t.Errorf("it has %q", b.panel.Scenes.Search)
	}
	b.queue.Put(input.Event{Kind: input.KeyInput, Key: input.KeyA, Action: input.Press, Mods: input.ModControl})
	if b.write("c"); b.panel.Scenes.Search != "c" {
		t.Errorf("Ctrl+A and c: %q", b.panel.Scenes.Search)
	}
}
