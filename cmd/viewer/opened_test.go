package main

import (
	"strings"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/cmd/viewer/internal/picture"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/glrender"
)

func TestTheNewestRecordingsAreListedAndOpenByAClick(t *testing.T) {
	file := recordSession(t, "-scene rain", 30)
	b := newPanelBench(t, "-scene drift")
	for range 2 * play.MostRecents {
		b.Recents.Add("other.rec")
		b.Recents.Add(file)
	}
	if len(b.Recents.Paths) != 2 || b.Recents.Paths[0] != file {
		t.Fatalf("listed are %v", b.Recents.Paths)
	}
	r := b.control("search")
	b.pointAt(float64(r.X+20), float64(r.Y+r.H+30))
	b.queue.Put(input.Event{Kind: input.ScrollInput, Y: 1000})
	b.run(2)
	b.click("file " + file)
	for range 1000 {
		if b.run(1); b.Stage.Shown.Replay() != nil {
			return
		}
	}
	t.Error("it does not open")
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

func TestAnOpenRecordingIsListedOnce(t *testing.T) {
	file := recordSession(t, "-scene rain", 30)
	b := replayBench(t, file)
	b.Recents.Add(file)
	b.run(2)
	if _, twice := b.panel.Ui.Find("file " + file); twice {
		t.Error("it stands with the recordings and with the scenes")
	}
	b.control("scene " + file)
	b.Recents.Add("another.rec")
	b.run(2)
	b.control("file " + b.Recents.Paths[0])
	b.picture.HUD.Hint = time.Now().Add(time.Hour)
	b.picture.Notice.Text = ""
	if hint, _, _ := b.picture.HUD.Footnote(b.picture); hint != picture.ReplayHint {
		t.Errorf("the hint in a replay is %q", hint)
	}
}

func TestARecordingOnTheCommandLineIsReplayed(t *testing.T) {
	file := recordSession(t, "-scene rain", 3)
	if o, err := ParseFlags([]string{file}); err != nil || o.Replay != file || o.File != "" || o.Scene != "" {
		t.Errorf("%+v, %v", o, err)
	}
	if _, err := ParseFlags([]string{file, "-record", "another.rec"}); err == nil {
		t.Error("it records a replay")
	}
}
