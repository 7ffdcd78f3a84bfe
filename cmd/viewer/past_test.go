package main

import (
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/renderloop/glrender"
	"strconv"
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/ui"
	"halfstep/world"
)

// hash returns the hash of the shown world.
func (b *bench) hash() uint64 {
	got := make(chan uint64, 1)
	world.Ask(b.Stage.Player.Commands, func(w *world.World) uint64 { return w.Hash() }, func(_ uint64, h uint64) { got <- h })
	for len(got) == 0 {
		b.run(1)
	}
	return <-got
}

func TestHitchesAndEventsOfTheChosenBodyAreMarkedOnTheBar(t *testing.T) {
	b := newPanelBench(t, "-scene joints")
	b.run(5)
	n, _ := b.Stage.Player.Find("tyre")
	b.Inspect.Choose(n)
	b.run(240) // until it is down
	events := len(b.Notes.All)
	marks := func(col ui.Colour, wide float32) (all int) {
		b.run(1)
		for _, s := range b.panel.Ui.Shapes() {
			if s.Kind == ui.Box && s.Colour == col && s.W == wide && s.H == 12 {
				all++
			}
		}
		return all
	}
	if n := marks(ui.Warn, 3); n != 0 {
		t.Errorf("%d hitches before there is one", n)
	}
	b.Notes.Note(play.BarMark{Tick: b.Stage.Player.Demanded() - 100})
	if n := marks(ui.Warn, 3); n != 1 {
		t.Errorf("%d hitches, not 1", n)
	}
	if n := marks(ui.Accent, 1); events == 0 || n == 0 {
		t.Errorf("%d marks for %d events", n, events)
	}
	wheel, _ := b.Stage.Player.Find("wheel")
	b.Notes.All = append(b.Notes.All, play.BarMark{Tick: b.Stage.Player.Demanded() - 50, Body: wheel})
	b.Inspect.Choose(wheel)
	if n := marks(ui.Accent, 1); n != 1 {
		t.Errorf("another body is chosen: %d marks, not the one of its own", n)
	}
	before := len(b.Notes.All)
	for i := range 20 { // a part that is replayed repeatedly
		b.Notes.Note(play.BarMark{Tick: uint64(1e6 + i%2), Body: n})
	}
	if got := len(b.Notes.All) - before; got != 2 {
		t.Errorf("two events that come again and again are kept %d times", got)
	}
	for range 2 * play.MostBarMarks {
		b.Notes.Note(play.BarMark{Tick: uint64(len(b.Notes.All))})
		b.Notes.Note(play.BarMark{Tick: 1 << 40, Body: n})
	}
	if len(b.Notes.All) > play.MostBarMarks {
		t.Errorf("%d marks", len(b.Notes.All))
	}
}

func TestPlayingBackwardSaysSoAndSpaceAndNStopIt(t *testing.T) {
	for _, key := range []input.Key{input.KeySpace, input.KeyN} {
		b := newPanelBench(t, "-scene drift")
		b.run(120)
		b.press(input.KeyBackspace)
		b.run(20)
		if !b.reads("playing backward") || b.reads("paused") || b.Travel.Stopped() {
			t.Errorf("the title says %q", b.reading())
		}
		b.press(key)
		b.run(3)
		at := b.Stage.View.Tick
		b.run(10)
		if b.Travel.Playback.Backward || b.Stage.View.Tick != at || b.Stage.Shown.What != play.ShowsPast || !b.reads("paused") {
			t.Errorf("key %v does not stop it: tick %d, then %d", key, at, b.Stage.View.Tick)
		}
		b.press(input.KeySpace)
		b.run(5)
		if b.Stage.View.Tick <= at || b.Travel.Playback.Backward {
			t.Errorf("the next Space leads from tick %d to %d", at, b.Stage.View.Tick)
		}
	}
}

// reads reports whether a text of the panel contains text.
func (b *bench) reads(text string) bool { return strings.Contains(b.reading(), text) }

// reading returns the text of the panel.
func (b *bench) reading() (all string) {
	c := b.panel.Ui
	for i := range c.Shapes() {
		if s := &c.Shapes()[i]; s.Kind == ui.Label {
			all += string(c.Text(s)) + " "
		}
	}
	return all
}

func TestTheBannerAndTheBarShowTheSameTime(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.run(200)
	b.press(input.KeyBackspace)
	for range 60 {
		b.run(1)
		if says := b.Travel.Place(b.picture.BannerTick()); b.Stage.Shown.What == play.ShowsPast && !b.reads(says) {
			t.Fatalf("the banner says %q, the panel %q", says, b.reading())
		}
	}
}

func TestThePanelSaysWhyThereIsNoPast(t *testing.T) {
	const comparing, alone = "no past while comparing", "only the engine's own loop keeps a past"
	box := " -black-box " + t.TempDir()
	for args, why := range map[string]string{"-compare soft": comparing, "-compare soft" + box: comparing, "-loop single": alone} {
		b := newPanelBench(t, "-scene arch "+args)
		if !b.reads(why) {
			t.Errorf("%s: %s", args, b.reading())
		}
		b.run(90)
		b.Travel.Skip(-1)
		if b.run(60); b.Stage.Shown.What == play.ShowsPast || b.picture.Notice.Text == "" {
			t.Errorf("%s: there is a past, with the notice %q", args, b.picture.Notice.Text)
		}
	}
}

// Earlier, if a user changed the scale in the past, the present continued as slowly as
// before.
func TestThePanelSaysWhoseTimeScaleItShows(t *testing.T) {
	b := newPanelBench(t, "-scene arch")
	b.run(120)
	b.Travel.Seek(60)
	if b.run(3); !b.reads("time scale of the past") {
		t.Error(b.reading())
	}
	b.press(input.KeyEnd)
	if b.run(3); b.reads("time scale of the past") || !b.reads("time scale") {
		t.Error(b.reading())
	}
}

func TestOneMomentHasOneNumberWhileItIsSoughtToo(t *testing.T) {
	b := replayBench(t, recordSession(t, "-scene drift", 100))
	b.panel.On = true
	b.picture.Surface = input.Surface{W: 960, H: 540, Scale: 1}
	b.press(input.KeySpace)
	b.run(2)
	tick := func() string { return "tick " + strconv.FormatUint(b.picture.BannerTick(), 10) }
	for _, to := range []uint64{50, 80} {
		b.Travel.Seek(to)
		b.Travel.Seeking.On = true // as during a long seek
		if err := b.panel.Run(); err != nil {
			t.Fatal(err)
		}
		want := "tick " + strconv.FormatUint(to, 10)
		if strings.Count(b.reading(), want) != 2 || tick() != want || !strings.HasPrefix(b.picture.Notice.Text, want+" of") {
			t.Errorf("sought: panel %q, banner %s, says %q, not %s", b.reading(), tick(), b.picture.Notice.Text, want)
		}
		b.Travel.Seeking.On = false
		b.run(3)
	}
	b.press(input.KeyN)
	if b.run(3); !b.reads("tick 81") || tick() != "tick 81" || !strings.HasPrefix(b.picture.Notice.Text, "tick 81 of") {
		t.Errorf("a step: panel %q, banner %s, says %q", b.reading(), tick(), b.picture.Notice.Text)
	}
}

func TestWhatCannotBeDoneInThePastSaysSo(t *testing.T) {
	b := newPanelBench(t, "-scene arch")
	b.run(120)
	b.press(input.KeySpace)
	b.Travel.Seek(60)
	b.run(3)
	p, _ := b.Stage.Player.Pose(b.Sampler.Tracked[0].Body)
	half := b.picture.Half()
	x, y := b.picture.Camera.WorldToScreen(p.CentreX, p.CentreY, half.W, half.H)
	b.pointAt(x, y)
	b.mouse(input.MouseButtonLeft, input.Press)
	b.run(1)
	b.pointAt(x+30, y)
	b.run(2)
	if !strings.Contains(b.picture.Notice.Text, "cannot be changed; G goes on from here, End") || b.Stage.Drag.Body != 0 {
		t.Errorf("it says %q, holds %v", b.picture.Notice.Text, b.Stage.Drag.Body)
	}
}

func TestThePastHasABannerThatLeadsToNow(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.run(120)
	b.press(input.KeySpace)
	b.Travel.Seek(60)
	b.run(3)
	if got := b.Travel.Place(b.Stage.View.Tick); got != "1.0 s ago" {
		t.Errorf("it says %q", got)
	}
	draw := func() int {
		c := new(glrender.Renderer).BeginHUD(b.picture.Viewport())
		b.picture.DrawPast(c)
		return quads(c)
	}
	if draw() < 5 {
		t.Fatal("there is no banner")
	}
	r := b.picture.HUD.Now
	b.pointAt(float64(r.X+r.W/2), float64(r.Y+r.H/2))
	b.mouse(input.MouseButtonLeft, input.Press)
	b.mouse(input.MouseButtonLeft, input.Release)
	b.run(2)
	if n := draw(); b.Stage.Shown.What == play.ShowsPast || n != 0 {
		t.Errorf("past %v, %d quads", b.Stage.Shown.What, n)
	}
}

func TestALoopBeginsThreeSecondsBackUnlessItHasEnds(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.run(300)
	at := b.Stage.Player.Demanded()
	b.click("repeat")
	b.run(3)
	if b.Stage.Shown.What != play.ShowsPast || b.Travel.Playback.From != b.Travel.Playback.To-180 || b.Travel.Playback.To < at {
		t.Fatalf("it repeats %d to %d at tick %d", b.Travel.Playback.From, b.Travel.Playback.To, at)
	}
	b.run(400)
	if b.Stage.Shown.What != play.ShowsPast || b.Stage.Player.Demanded() < b.Travel.Playback.From || b.Stage.Player.Demanded() > b.Travel.Playback.To {
		t.Errorf("later it is at tick %d", b.Stage.Player.Demanded())
	}
	b.click("repeat")
	b.run(300)
	if b.Stage.Shown.What == play.ShowsPast {
		t.Error("without the loop it stays in the past")
	}
}

func TestTheControlsStayWhereTheyAreInThePast(t *testing.T) {
	b := newPanelBench(t, "-scene rain")
	b.picture.Surface = input.Surface{W: 1280, H: 1000, Scale: 1}
	b.run(60)
	for page, names := range [...][]string{
		panel.ScenePage: {"search", "set bounce"}, panel.WorldPage: {"gravity", "stepper", "workers"}, panel.BodyPage: {"change kind", "plot"},
	} {
		if len(names) == 0 {
			continue
		}
		b.panel.Page = page
		b.Inspect.Choose(b.Sampler.Tracked[0].Body)
		b.run(10)
		var at []ui.Rect
		for _, name := range append(names, "snapshot", "back", "repeat") {
			at = append(at, b.control(name))
		}
		b.press(input.KeySemicolon, input.KeySpace)
		b.run(10)
		if b.Stage.Shown.What != play.ShowsPast {
			t.Fatal("it does not look back")
		}
		for i, name := range append(names, "snapshot", "back", "repeat") {
			if now := b.control(name); now != at[i] {
				t.Errorf("%s was at %+v and is at %+v", name, at[i], now)
			}
		}
		if page == panel.ScenePage {
			was := b.Params.Param(&b.Stage.Scenes[b.Stage.Current], 1)
			r := b.control("set bounce")
			b.pointAt(float64(r.X+r.W-10), float64(r.Y+r.H-9))
			b.press1()
			if now := b.Params.Param(&b.Stage.Scenes[b.Stage.Current], 1); now != was || !strings.Contains(b.picture.Notice.Text, "cannot be changed") {
				t.Errorf("the bounce was %v and is %v, says %q", was, now, b.picture.Notice.Text)
			}
		}
		b.Travel.ToPresent()
		b.Stage.Player.SetPaused(false)
		b.run(2)
	}
}
