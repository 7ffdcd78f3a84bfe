package main

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/cmd/viewer/internal/picture"
	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/glrender"
)

// typeInto double-clicks on the value of a slider and types a value.
func (b *bench) typeInto(name, value string) {
	b.t.Helper()
	r := b.control(name)
	for range 2 {
		b.pointAt(float64(r.X+r.W-20), float64(r.Y+6))
		b.press1()
	}
	for _, c := range value {
		b.queue.Put(input.Event{Kind: input.CharInput, Char: c})
	}
	b.run(1)
	b.press(input.KeyEnter)
}

func TestATypedValueIsTakenAsItsFlagTakesItOrRefusedWithAWord(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	if b.typeInto("time scale", "25"); b.Stage.Player.Scale() != 25 {
		t.Errorf("the time scale is %v, says %q", b.Stage.Player.Scale(), b.picture.Notice.Text)
	}
	b.typeInto("time scale", "5000")
	if b.Stage.Player.Scale() != 25 || !strings.Contains(b.picture.Notice.Text, "must be from 0.001 to 1000") {
		t.Errorf("the time scale is %v, says %q", b.Stage.Player.Scale(), b.picture.Notice.Text)
	}
	b.typeInto("set speed", "99")
	if x := b.Params.Param(&b.Stage.Scenes[b.Stage.Current], 0); x != 1 || !strings.Contains(b.picture.Notice.Text, "must be from -5 to 5") {
		t.Errorf("the speed is %v, says %q", x, b.picture.Notice.Text)
	}
}

// extent returns the rectangle around all quads of a HUD, in pixels.
func extent(c *glrender.HUD) (x0, y0, x1, y1 float64) {
	list := reflect.ValueOf(c).Elem().FieldByName("list")
	x0, y0 = math.Inf(1), math.Inf(1)
	for i := range list.Len() {
		r := list.Index(i).Field(0)
		x0, y0 = min(x0, r.Index(0).Float()), min(y0, r.Index(1).Float())
		x1, y1 = max(x1, r.Index(2).Float()), max(y1, r.Index(3).Float())
	}
	return x0, y0, x1, y1
}

func TestTheHelpAndTheFiguresAreWholeInEveryWindow(t *testing.T) {
	b := newPanelBench(t, "-scene rain -hud")
	b.run(30)
	for _, s := range windows {
		b.picture.Surface = s
		b.run(1)
		unit := float64(glrender.Unit(s.Scale))
		c := new(glrender.Renderer).BeginHUD(b.picture.Viewport())
		free, _ := b.picture.Clear(c)
		for b.picture.Help = (picture.Help{}); ; {
			if b.picture.NextHelp(); !b.picture.Help.On {
				break
			}
			b.picture.Help.Draw(c, b.panel.HelpLines(), free)
		}
		if x0, y0, x1, y1 := extent(c); s.H >= int(200*unit) && s.W >= int(440*unit) && (x0 < 0 || y0 < 0 || x1 > float64(s.W) || y1 > float64(s.H)) {
			t.Errorf("%+v: the help reaches from %v, %v to %v, %v", s, x0, y0, x1, y1)
		}
		c = new(glrender.Renderer).BeginHUD(b.picture.Viewport())
		b.picture.HUD.Panel(c, b.picture)
		if _, _, x1, y1 := extent(c); x1 > (picture.Margin+picture.PanelWidth+6)*unit || // a letter is narrower than its cell
			y1 > (picture.Margin+picture.HudTall)*unit+1 {
			t.Errorf("%+v: the figures reach to %v, %v, their frame to %v, %v", s, x1, y1, (picture.Margin+picture.PanelWidth)*unit, (picture.Margin+picture.HudTall)*unit)
		}
	}
}

func TestNoNameOfTheFiguresIsBehindItsValue(t *testing.T) {
	b := newBench(t, "-scene rain -hud")
	b.run(30)
	for _, ms := range []float64{.016, 16.7, 33.3, 99.9, 666} {
		b.picture.Figures.FrameMS, b.picture.Figures.WorstMS, b.picture.Figures.StepMS, b.picture.Figures.Motion.RMS = ms, 9*ms, ms, ms
		c := new(glrender.Renderer).BeginHUD(b.picture.Viewport())
		b.picture.HUD.Panel(c, b.picture)
		list := reflect.ValueOf(c).Elem().FieldByName("list")
		at := func(i, k int) float64 { return list.Index(i).Field(0).Index(k).Float() }
		for i := range list.Len() {
			if at(i, 1) > picture.Margin+picture.Padding+(picture.HudRows+1)*glrender.LabelHeight {
				continue // of the graph
			}
			for j := range i { // letters of one label begin further apart
				if max(at(i, 2)-at(i, 0), at(j, 2)-at(j, 0)) < 20 && at(i, 1) == at(j, 1) && math.Abs(at(i, 0)-at(j, 0)) < 2 {
					t.Fatalf("with %v ms letters are on top of each other at %v, %v", ms, at(i, 0), at(i, 1))
				}
			}
		}
	}
}

func TestNoLineOfTheHelpIsBehindAnotherOrOutOfItsPage(t *testing.T) {
	us := panel.NewKeyboard(nil)
	lines := us.HelpLines()
	for _, s := range windows {
		unit := glrender.Unit(s.Scale)
		width, height := float32(s.W/unit), float32(s.H/unit)
		if width < 440 || height < 200 {
			continue
		}
		var h picture.Help
		places, wide := h.Layout(lines, width-panel.PanelNarrow, width, height, unit)
		if len(places) != len(lines) {
			t.Fatalf("%+v: %d places for %d lines", s, len(places), len(lines))
		}
		if pages := picture.HelpPages(places); width >= 800 && height >= 600 && pages > 1 {
			t.Errorf("%+v: %d pages", s, pages)
		}
		seen := map[picture.HelpPlace]bool{}
		for i, p := range places {
			if seen[p] {
				t.Errorf("%+v: two lines are at %+v", s, p)
			}
			seen[p] = true
			if right := float32(p.Column)*(wide+picture.HelpGap) + wide + 2*picture.HelpBorder; right > width || p.Y+picture.HelpRow+2*picture.HelpBorder > height {
				t.Errorf("%+v: %q is at %+v", s, lines[i], p)
			}
			if w := picture.LabelWidth(unit, lines[i].Does); picture.HelpKey+w > wide || picture.LabelWidth(unit, lines[i].Key) > picture.HelpKey && lines[i].Does != "" {
				t.Errorf("%+v: %q is wider than its column", s, lines[i])
			}
			if lines[i].Does == "" && (places[i+1].Column != p.Column || places[i+1].Page != p.Page) {
				t.Errorf("%+v: the title %q stands alone", s, lines[i].Key)
			}
		}
	}
}

func TestAControlThatChangesTheWorldStaysUnderThePointer(t *testing.T) {
	b := newPanelBench(t, "-scene cradle")
	b.picture.Surface = input.Surface{W: 1280, H: 1000, Scale: 1}
	b.panel.Page = panel.WorldPage
	b.run(2)
	for _, name := range []string{"stepper", "loop"} {
		at := b.control(name)
		for range 3 {
			b.click(name)
			b.run(2)
			if now := b.control(name); now != at {
				t.Errorf("%s was at %+v and is at %+v", name, at, now)
			}
		}
	}
}

func TestATooltipGoesWhenThePointerLeavesTheWindow(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	r := b.control("pause")
	b.pointAt(float64(r.X+5), float64(r.Y+5))
	b.run(1)
	b.queue.Put(input.Event{Kind: input.LeaveInput})
	b.run(1)
	quiet := len(b.panel.Ui.Shapes())
	b.pointAt(float64(r.X+5), float64(r.Y+5))
	b.run(1)
	if lit := b.panel.Ui.Shapes(); len(lit) < quiet {
		t.Errorf("%d shapes, then %d", quiet, len(lit))
	}
	if x := b.panel.X; x < 0 {
		t.Errorf("the cursor is at %v", x)
	}
}

func TestAnAngleIsShownWithinHalfATurn(t *testing.T) {
	b := newPanelBench(t, "-scene spin")
	b.Inspect.Choose(b.Sampler.Tracked[0].Body)
	b.panel.Page = panel.BodyPage
	for range 20 {
		b.run(7)
		for i := range b.panel.Ui.Shapes() {
			text := b.panel.Ui.Text(&b.panel.Ui.Shapes()[i])
			if v, ok := strings.CutSuffix(text, "°"); ok && (len(v) > 6 || strings.HasPrefix(v, "-19")) {
				t.Fatalf("the angle is %s", text)
			}
		}
	}
}

func TestWhatDoesNothingSaysWhy(t *testing.T) {
	b := newPanelBench(t, "-scene arch")
	if b.press(input.KeyB); !strings.Contains(b.picture.Notice.Text, "-black-box") {
		t.Errorf("B says %q", b.picture.Notice.Text)
	}
	if b.press(input.KeyF3); !strings.Contains(b.picture.Notice.Text, "page Figures") {
		t.Errorf("F3 says %q", b.picture.Notice.Text)
	}
	b.Inspect.Choose(b.Sampler.Tracked[0].Body)
	b.Inspect.Pinned = true
	b.pointAt(100, 100)
	b.mouse(input.MouseButtonLeft, input.Press)
	b.mouse(input.MouseButtonLeft, input.Release)
	if b.run(1); !strings.Contains(b.picture.Notice.Text, "kept") {
		t.Errorf("a click says %q", b.picture.Notice.Text)
	}
}

func TestNamesThinOutWhereBodiesAreMany(t *testing.T) {
	b := newPanelBench(t, "-scene siege")
	b.run(130)
	b.picture.Layers |= body2d.NamesLayer
	drawn := func() int {
		c := new(glrender.Renderer).BeginHUD(b.picture.Viewport())
		b.picture.DrawMarks(c)
		return quads(c)
	}
	all := drawn()
	taken := 0
	for _, is := range b.picture.Tagged.Room {
		if is {
			taken++
		}
	}
	// a name has at most 6 letters and a background
	if all > 7*taken {
		t.Errorf("%d quads for %d names", all, taken)
	}
	if n := len(b.Stage.View.Scene.Bodies); taken == 0 || taken > n*2/3 {
		t.Errorf("%d names for %d bodies", taken, n)
	}
}

func TestTheSettingsOfFramesSayWhatTheyDo(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.panel.Page = panel.ViewPage
	b.run(1)
	c, now := b.panel.Ui, time.Now()
	lay := func() {
		now = now.Add(time.Second) // a tooltip appears after some time
		c.Begin(1280, 1000, now)
		b.panel.Views.LayView(c, ui.Rect{X: 1000, W: 270, H: 1000})
		c.End()
	}
	lay()
	says := func(name, want string) {
		t.Helper()
		r := b.control(name)
		for range 3 {
			c.Feed(ui.Event{Kind: ui.Move, X: r.X + 5, Y: r.Y + 5})
			lay()
		}
		if !b.reads(want) {
			t.Errorf("%s does not say %q: %s", name, want, b.reading())
		}
	}
	says("smoothing", "between its last two steps")
	says("cap", "how many pictures")
	says("sync", "shows the frame before")
	says("compare sync", "is like the left one")
	says("pacing", "motion stays even")
}

func TestASliderSaysThatItsValueCanBeTyped(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.panel.Page = panel.WorldPage
	b.run(1)
	c, now := b.panel.Ui, time.Now()
	for range 4 {
		r := b.control("gravity")
		c.Feed(ui.Event{Kind: ui.Move, X: r.X + r.W - 10, Y: r.Y + 5})
		now = now.Add(time.Second)
		c.Begin(1280, 1000, now)
		b.panel.World.LayWorld(c, ui.Rect{X: 1000, W: 270, H: 1000})
		c.End()
	}
	if !b.reads("double click: type a value") {
		t.Error(b.reading())
	}
}
