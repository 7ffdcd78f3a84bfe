package main

import (
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/renderloop/glrender"
	"halfstep/world"
)

func TestAFlagIsForItsRunAlone(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"XDG_CONFIG_HOME", "HOME", "AppData"} {
		t.Setenv(name, dir)
	}
	run := func(args string, change func(b *bench)) layout {
		o, err := ParseFlags(strings.Fields(args))
		if err != nil {
			t.Fatal(err)
		}
		b := newBench(t, args)
		b.viewer.run.o.given = o.given
		b.recall()
		b.picture.Surface = input.Surface{W: b.o.Width, H: b.o.Height, Scale: 1}
		change(b)
		b.remember()
		l, _ := readLayout()
		return l
	}
	if l := run("-scene drift -size 500x300 -timeline -hud -panel=false", func(*bench) {}); l.Width != 1280 || l.Time || l.HUD || !l.Panel {
		t.Errorf("flags of the first run are remembered: %+v", l)
	}
	run("-scene drift", func(b *bench) { b.picture.Surface.W = 800; b.picture.Timeline.On = true })
	if l := run("-scene drift -size 500x300 -timeline=false -hud", func(*bench) {}); l.Width != 800 || !l.Time || l.HUD {
		t.Errorf("flags are remembered: %+v", l)
	}
	if l := run("-scene drift -size 500x300 -hud", func(b *bench) { b.picture.Surface.W = 600; b.picture.HUD.On = false }); l.Width != 600 || l.HUD {
		t.Errorf("what the user did is not remembered: %+v", l)
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

func TestAPinnedBodyIsMarkedAndCanBeUnpinned(t *testing.T) {
	b := newPanelBench(t, "-scene arch")
	b.run(10)
	b.press(input.KeySpace)
	b.rightClick(8, 3)
	for _, item := range b.panel.Menu.Items {
		if item.Name == "menu undo" {
			t.Error("the menu offers to undo nothing")
		}
	}
	b.click("menu ball")
	b.run(3)
	marks := func() int {
		c := new(glrender.Renderer).BeginHUD(b.picture.Viewport())
		b.picture.DrawMarks(c)
		return quads(c)
	}
	b.rightClick(8, 3)
	before := marks()
	b.click("menu pin")
	b.run(3)
	if marks() <= before {
		t.Error("the pinned body is not marked")
	}
	b.rightClick(8, 3)
	b.click("menu unpin")
	b.run(3)
	if n := b.Stage.View.Counts.Joints; n != 0 || marks() != before {
		t.Errorf("unpinned, there are %d joints", n)
	}
	b.rightClick(8, 3)
	for _, item := range b.panel.Menu.Items {
		if item.Name == "menu unpin" {
			t.Error("the menu offers to unpin what is not pinned")
		}
	}
}

func TestADrivenSceneDrivesAgainAfterATap(t *testing.T) {
	b := newBench(t, "-scene car")
	b.run(3)
	drives := func() bool { return b.Wheel.Drives }
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

func TestAGrabFindsABodyThatIsNear(t *testing.T) {
	b := newBench(t, "-scene cradle")
	b.run(3)
	ball, ok := b.Stage.Player.Find("ball5")
	p, shown := b.Stage.Player.Pose(ball)
	if !ok || !shown {
		t.Fatal("no ball")
	}
	below := p.Y // the point below its lower edge
	for ; ; below -= .01 {
		if _, hit := b.Stage.Player.Pick(world.Vec{X: p.X, Y: below}); !hit {
			break
		}
	}
	away := 8 / b.picture.Camera.Scale(b.picture.Surface.H) // m
	b.cursor(p.X, below-away)
	b.mouse(input.MouseButtonLeft, input.Press)
	b.run(1)
	if b.Stage.Drag.Body != ball || b.picture.Camera.Panning {
		t.Errorf("8 pixels from a ball, %v is held; panning %v", b.Stage.Drag.Body, b.picture.Camera.Panning)
	}
	b.mouse(input.MouseButtonLeft, input.Release)
}

func TestAnEmptyViewSaysHowToComeBack(t *testing.T) {
	b := newBench(t, "-scene drift -hidden -hud=false")
	b.run(3)
	b.picture.Camera.Away()
	b.picture.Camera.X += 1e4
	b.picture.Figures.Refreshed++
	if text, _, _ := b.picture.HUD.Footnote(b.picture); !strings.Contains(text, "Home") {
		t.Errorf("it says %q", text)
	}
}
