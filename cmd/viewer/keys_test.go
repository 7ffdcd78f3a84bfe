package main

import (
	"halfstep/cmd/viewer/internal/play"
	"halfstep/renderloop/glrender"
	"slices"
	"strings"
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
)

func TestEveryLayerSaysThatItIsShownOrHidden(t *testing.T) {
	b := newBench(t, "-scene drift -stepper soft")
	for _, a := range panel.Actions {
		if a.Layer == 0 {
			continue
		}
		var said [2]string
		for k := range said {
			b.picture.Notice.Text = ""
			b.press(a.Keys[0])
			said[k] = b.picture.Notice.Text
		}
		slices.Sort(said[:]) // some layers are shown at first
		off, was := strings.CutSuffix(said[0], ": off")
		if !was || said[1] != off+": on" {
			t.Errorf("%s: says %q", a.Name, said)
		}
	}
}

func TestAnyKeyMayComeBeforeTheFirstFrame(t *testing.T) {
	t.Chdir(t.TempDir())
	for key := input.Key(' '); key <= input.KeyKPEqual; key++ {
		for _, mods := range []input.Mods{0, input.ModShift, input.ModControl} {
			b := newBench(t, "-scene drift -panel -fps 60")
			b.queue.Put(input.Event{Kind: input.KeyInput, Key: key, Action: input.Press, Mods: mods})
			b.run(2)
			b.Close()
			if key == input.Key('~') {
				key = input.KeyEscape - 1
			}
		}
	}
}

func TestRestartBeginsTheSameSceneAgain(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(30)
	b.picture.Camera.X = 42
	b.press(input.KeyR)
	if b.Stage.Player.Demanded() > 2 || b.Stage.Scenes[b.Stage.Current].Name != "drift" {
		t.Errorf("%s at tick %d", b.Stage.Scenes[b.Stage.Current].Name, b.Stage.Player.Demanded())
	}
	if !b.picture.Camera.Home || b.picture.Camera.X == 42 {
		t.Errorf("the camera is at %v", b.picture.Camera.X)
	}
}

func TestFrameCapsGoRoundAndOnlyVsyncWaitsForTheDisplay(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.source = wall{b.source}
	b.setCap(0)
	for range standardCaps {
		b.press(input.KeyV)
	}
	if want := []int{1, 0, 0, 0, 0, 0, 1}; !slices.Equal(b.screen.intervals, want) || b.cap != 0 {
		t.Errorf("swap intervals %v, cap %d", b.screen.intervals, b.cap)
	}
}

// wall replaces the wall clock in tests.
type wall struct{ source }

type source interface {
	Next() (int64, bool)
	Simulated() bool
}

func (wall) Simulated() bool { return false }

func TestAVirtualClockIsNotThrottled(t *testing.T) {
	b := newBench(t, "-scene drift -clock fixed:144 -fps 10")
	b.setCap(b.o.FPS)
	if n := b.limit.Plan(); n != 0 || !slices.Equal(b.screen.intervals, []int{0}) {
		t.Errorf("waits for %v, intervals %v", n, b.screen.intervals)
	}
}

func TestAHeldKeyRepeatsOnlyWhereThatMakesSense(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(1)
	x := b.picture.Camera.X
	b.queue.Put(input.Event{Kind: input.KeyInput, Key: input.KeyRight, Action: input.Repeat})
	b.queue.Put(input.Event{Kind: input.KeyInput, Key: input.KeySpace, Action: input.Repeat})
	b.run(1)
	if b.picture.Camera.X <= x || b.Stage.Player.Paused() {
		t.Errorf("camera from %v to %v, paused %v", x, b.picture.Camera.X, b.Stage.Player.Paused())
	}
}

func TestClosingTheWindowQuits(t *testing.T) {
	c := newBench(t, "-scene drift")
	c.queue.Put(input.Event{Kind: input.QuitInput})
	c.run(1)
	if !c.Stage.Quitting {
		t.Error("it goes on")
	}
}

// french has the characters of the keys of a French keyboard, by the positions of a US
// keyboard
var french = input.LayoutNames{
	input.KeyQ: "A", input.KeyW: "Z", input.KeyA: "Q", input.KeyZ: "W", input.KeySemicolon: "M", input.KeyM: ",", input.KeyComma: ";",
	input.KeyPeriod: ":", input.KeySlash: "!", input.KeyApostrophe: "Ù", input.KeyMinus: ")", input.KeyEqual: "=",
	input.Key1: "&", input.Key4: "'", input.Key6: "-", input.KeyR: "R",
}
var german = input.LayoutNames{
	input.KeyY: "Z", input.KeyZ: "Y", input.KeySlash: "-", input.KeyMinus: "ß", input.KeyRightBracket: "+", input.KeyEqual: "´",
	input.KeySemicolon: "Ö", input.KeyApostrophe: "Ä", input.KeyComma: ",", input.KeyPeriod: ".",
}

func TestAKeyDoesWhatIsPrintedOnItAndTheHelpShowsTheUsersKeys(t *testing.T) {
	for _, c := range []struct {
		layout input.LayoutNames
		place  input.Key
		action string
		label  string
	}{
		{french, input.KeyA, "quit", "Q"}, {french, input.KeyW, "undo", "Z"}, {french, input.KeyComma, "back", ";"},
		{french, input.KeyM, "slower", ","}, {french, input.KeyPeriod, "faster", ":"}, {french, input.KeySlash, "find", "! F10"},
		{french, input.Key1, "layer joints", "1"}, {french, input.Key4, "layer centres of mass", "4"}, {french, input.KeySemicolon, "smoothing", "M"},
		{french, input.KeyMinus, "rate down", ")"}, {french, input.KeyEqual, "rate up", "+"},
		{german, input.KeyY, "undo", "Z"}, {german, input.KeyZ, "redo", "Y"}, {german, input.KeySlash, "rate down", "-"},
		{german, input.KeyMinus, "", ""}, {german, input.KeyRightBracket, "rate up", "+"}, {german, input.KeySemicolon, "back", "Ö"},
		{german, input.KeyF10, "find", "F10"}, {input.LayoutNames{input.KeyQ: "Й"}, input.KeyQ, "quit", "Й"},
		{nil, input.KeyQ, "quit", "Q"}, {nil, input.KeyPageDown, "next scene", "PgDn ]"}, {nil, input.KeyEqual, "rate up", "+"},
	} {
		k := panel.NewKeyboard(c.layout)
		at := slices.IndexFunc(panel.Actions, func(a *panel.Action) bool { return slices.Contains(a.Keys, k.Key(c.place)) })
		switch {
		case at < 0 && c.action != "", at >= 0 && panel.Actions[at].Name != c.action:
			t.Errorf("the place %d does action %d, and not %s", c.place, at, c.action)
		case at >= 0 && k.Labels[c.action] != c.label:
			t.Errorf("%s: the help shows %q, and not %q", c.action, k.Labels[c.action], c.label)
		}
	}
	b := newBench(t, "-scene drift")
	b.queue.Put(input.Event{Kind: input.LayoutInput, Names: french})
	b.press(input.KeyQ)
	if b.Stage.Quitting {
		t.Fatal("the key with an A on it quits")
	}
	if b.press(input.KeyA); !b.Stage.Quitting {
		t.Error("the key with a Q on it does not quit")
	}
}

func TestSettingsOutliveTheScene(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.press(input.KeyM, input.KeyL, input.KeyEqual, input.KeyComma, input.Key3, input.KeyPageDown)
	b.run(3)
	switch {
	case b.Stage.Player.Engine.Sync() != renderloop.Lockstep:
		t.Error("sync")
	case b.Stage.View.Smoothing != body2d.Newest:
		t.Error("smoothing", b.Stage.View.Smoothing)
	case b.Stage.Player.Rate() != clock.Hz(90):
		t.Error("rate", b.Stage.Player.Rate())
	case b.Stage.Player.Scale() != .5:
		t.Error("scale", b.Stage.Player.Scale())
	case b.Stage.View.Debug == nil:
		t.Error("the contact layer has nothing to show")
	}
}

func TestADriverStopsWhenTheKeyIsReleasedUnseen(t *testing.T) {
	arrow := func(b *bench, action input.Action) {
		b.queue.Put(input.Event{Kind: input.KeyInput, Key: input.KeyRight, Action: action})
		b.run(2)
	}
	b := newPanelBench(t, "-scene car")
	b.run(60)
	arrow(b, input.Press)
	b.Travel.Skip(-1)
	b.run(5)
	if b.Stage.Shown.What != play.ShowsPast {
		t.Fatal(b.picture.Notice.Text)
	}
	arrow(b, input.Release)
	b.Travel.ToPresent()
	if b.run(2); b.Wheel.Arrows != [4]bool{} {
		t.Error("after the past the key counts as held")
	}
	arrow(b, input.Press)
	b.press(input.KeySlash)
	arrow(b, input.Release)
	if b.Wheel.Arrows != [4]bool{} {
		t.Error("behind a field that is typed into the key counts as held")
	}
}

func TestWhatIsPressedIsSaidWithoutPanelToo(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(3)
	standing := func() int {
		c := new(glrender.Renderer).BeginHUD(b.picture.Viewport())
		b.picture.HUD.Standing(c, b.picture)
		return quads(c)
	}
	if standing() != 0 {
		t.Error("something is said at first")
	}
	b.press(input.KeySpace)
	paused := standing()
	if b.press(input.KeyComma); paused == 0 || standing() <= paused {
		t.Errorf("paused and slow are not said: %d, %d letters", paused, standing())
	}
	b.press(input.KeyPageDown)
	if sc := &b.Stage.Scenes[b.Stage.Current]; !strings.Contains(b.picture.Notice.Text, sc.Name) || !strings.Contains(b.picture.Notice.Text, sc.Description) {
		t.Errorf("a new scene says %q", b.picture.Notice.Text)
	}
	b.picture.Surface = input.Surface{W: 400, H: 300, Scale: 1}
	for _, k := range []input.Key{input.KeyF2, input.KeySlash} {
		b.picture.Notice.Text = ""
		if b.press(k); !strings.Contains(b.picture.Notice.Text, "no room for the panel") {
			t.Errorf("in a small window key %d says %q", k, b.picture.Notice.Text)
		}
	}
}

func TestADrivenSceneDrivesAgainAfterATap(t *testing.T) {
	b := newBench(t, "-scene car")
	b.run(3)
	drives := func() bool { return b.Wheel.UserDrives }
	if b.press(input.KeyLeft); !drives() || !strings.Contains(b.picture.Notice.Text, "Esc") {
		t.Fatalf("a tap says %q", b.picture.Notice.Text)
	}
	b.run(60*play.WheelTime + 10)
	if drives() {
		t.Error("the scene does not drive again")
	}
	b.press(input.KeyLeft)
	if b.press(input.KeyEscape); drives() {
		t.Error("Esc does not give the wheel back")
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
