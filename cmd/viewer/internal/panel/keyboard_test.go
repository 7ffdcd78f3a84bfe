package panel

import (
	"slices"
	"strings"
	"testing"

	"halfstep/buffer/phase"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/picture"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
)

// The overlay and the keys use the same table, so that the help shows every key
// that works.
func TestEveryKeyIsInTheHelpAndDoesOneThing(t *testing.T) {
	us := NewKeyboard(nil)
	seen := map[input.Key]string{}
	for _, b := range Actions {
		if b.do == nil == (b.Layer == 0) || len(b.Keys) == 0 && b.ctrl == 0 {
			t.Errorf("%+v is not complete", b)
		}
		if b.does != "" && us.Labels[b.Name] == "" {
			t.Errorf("%s shows no key", b.Name)
		}
		for _, k := range b.Keys {
			if other, taken := seen[k]; taken {
				t.Errorf("key %d does both %q and %q", k, other, b.does)
			}
			seen[k] = b.does
		}
	}
	lines := us.HelpLines()
	for _, does := range []string{
		"pause", "single step", "restart", "next scene", "previous scene", "smoothing", "sync",
		"fewer steps", "more steps", "frame cap", "slower", "faster", "contacts", "screenshot", "figures",
		"quit", "own view", "follow", "zoom", "move a body", "look into a body",
	} {
		if !slices.ContainsFunc(lines, func(l picture.HelpLine) bool { return strings.Contains(l.Does, does) }) {
			t.Errorf("help does not mention %q", does)
		}
	}
}

// a comma and a full stop on their own are hard to distinguish
func TestTheHelpNamesSigns(t *testing.T) {
	us := NewKeyboard(nil)
	for _, l := range us.HelpLines() {
		if len(l.Key) == 1 && strings.ContainsAny(l.Key, ";',.-+/") {
			t.Errorf("%q (%s) has no name", l.Key, l.Does)
		}
	}
}

func TestNamesThatAreNoPlainWordsAreExplained(t *testing.T) {
	names := slices.Concat(smoothingNames, syncNames, play.StepperNames, play.LoopNames())
	for _, k := range comparesWith {
		names = append(names, k.options...)
	}
	for _, thread := range []phase.Thread{phase.Render, phase.Physics} {
		for i := range phase.PerThread {
			names = append(names, thread.Phase(i).String())
		}
	}
	for _, name := range names {
		words, wide := words.Plain[name], PanelWide
		if words == "" || picture.LabelWidth(1, words) > float32(1.4*float64(wide)) {
			t.Errorf("%s is explained as %q", name, words)
		}
	}
}

func TestEachLayerIsSaidInPlainWords(t *testing.T) {
	for _, a := range Actions {
		if a.Layer != 0 && words.Plain[a.does] == "" {
			t.Errorf("layer %s has no tip", a.Name)
		}
	}
}
