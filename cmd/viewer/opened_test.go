package main

import (
	"strings"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/glrender"
)

func TestADroppedRecordingOpensAndEndsWithItsVerdictAndAnotherSceneCanFollow(t *testing.T) {
	file := recordSession(t, "-scene rain", 100)
	b := newPanelBench(t, "-scene drift")
	b.session.setLoop("single")
	if err := b.session.arrive(readScene(file)); err != nil {
		t.Fatal(err)
	}
	b.run(2)
	sc := &b.stage.scenes[b.stage.current]
	if sc.Name != "rain" || b.stage.shown.replay() == nil || b.stage.player.engine == nil || sc.Category != recordingsCategory {
		t.Fatalf("open is %s, replay %v", sc.Name, b.stage.shown.replay())
	}
	if b.travel.replayVerdict() != "" {
		t.Errorf("at tick %d it says %q", b.stage.view.Tick, b.travel.replayVerdict())
	}
	b.run(150)
	if got := b.travel.replayVerdict(); !strings.HasPrefix(got, "identical to tick ") {
		t.Errorf("at tick %d of %d it says %q", b.stage.view.Tick, b.stage.shown.replay().Ticks, got)
	}
	b.press(input.KeyPageDown)
	b.run(30)
	if b.stage.shown.replay() != nil || b.stage.shown.recording != nil || b.stage.view.Tick < 10 || len(b.stage.scenes) < 30 {
		t.Errorf("the next scene: replay %v, tick %d, %d scenes", b.stage.shown.replay(), b.stage.view.Tick, len(b.stage.scenes))
	}
}

func TestTheNewestRecordingsAreListedAndOpenByAClick(t *testing.T) {
	file := recordSession(t, "-scene rain", 30)
	b := newPanelBench(t, "-scene drift")
	for range 2 * mostRecents {
		b.recents.add("other.rec")
		b.recents.add(file)
	}
	if len(b.recents.paths) != 2 || b.recents.paths[0] != file {
		t.Fatalf("listed are %v", b.recents.paths)
	}
	r := b.control("search")
	b.pointAt(float64(r.X+20), float64(r.Y+r.H+30))
	b.queue.Put(input.Event{Kind: input.ScrollInput, Y: 1000})
	b.run(2)
	b.click("file " + file)
	for range 1000 {
		if b.run(1); b.stage.shown.replay() != nil {
			return
		}
	}
	t.Error("it does not open")
}

func TestWhatCannotBeDoneInThePastSaysSo(t *testing.T) {
	b := newPanelBench(t, "-scene arch")
	b.run(120)
	b.press(input.KeySpace)
	b.travel.seek(60)
	b.run(3)
	p, _ := b.stage.player.pose(b.session.tracked[0].body)
	half := b.half()
	x, y := b.camera.WorldToScreen(p.CentreX, p.CentreY, half.W, half.H)
	b.pointAt(x, y)
	b.mouse(input.MouseButtonLeft, input.Press)
	b.run(1)
	b.pointAt(x+30, y)
	b.run(2)
	if !strings.Contains(b.notice.text, "cannot be changed; G goes on from here, End") || b.stage.drag.body != 0 {
		t.Errorf("it says %q, holds %v", b.notice.text, b.stage.drag.body)
	}
}

func TestThePastHasABannerThatLeadsToNow(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.run(120)
	b.press(input.KeySpace)
	b.travel.seek(60)
	b.run(3)
	if got := b.travel.place(b.stage.view.Tick); got != "1.0 s ago" {
		t.Errorf("it says %q", got)
	}
	draw := func() int {
		c := new(glrender.Renderer).BeginHUD(b.viewport())
		b.drawPast(c)
		return quads(c)
	}
	if draw() < 5 {
		t.Fatal("there is no banner")
	}
	r := b.hud.now
	b.pointAt(float64(r.X+r.W/2), float64(r.Y+r.H/2))
	b.mouse(input.MouseButtonLeft, input.Press)
	b.mouse(input.MouseButtonLeft, input.Release)
	b.run(2)
	if n := draw(); b.stage.shown.what == showsPast || n != 0 {
		t.Errorf("past %v, %d quads", b.stage.shown.what, n)
	}
}

func TestALoopBeginsThreeSecondsBackUnlessItHasEnds(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.run(300)
	at := b.stage.player.Demanded()
	b.click("repeat")
	b.run(3)
	if b.stage.shown.what != showsPast || b.travel.playback.from != b.travel.playback.to-180 || b.travel.playback.to < at {
		t.Fatalf("it repeats %d to %d at tick %d", b.travel.playback.from, b.travel.playback.to, at)
	}
	b.run(400)
	if b.stage.shown.what != showsPast || b.stage.player.Demanded() < b.travel.playback.from || b.stage.player.Demanded() > b.travel.playback.to {
		t.Errorf("later it is at tick %d", b.stage.player.Demanded())
	}
	b.click("repeat")
	b.run(300)
	if b.stage.shown.what == showsPast {
		t.Error("without the loop it stays in the past")
	}
}

func TestTheControlsStayWhereTheyAreInThePast(t *testing.T) {
	b := newPanelBench(t, "-scene rain")
	b.surface = input.Surface{W: 1280, H: 1000, Scale: 1}
	b.run(60)
	for page, names := range [...][]string{
		scenePage: {"search", "set bounce"}, worldPage: {"gravity", "stepper", "workers"}, bodyPage: {"change kind", "plot"},
	} {
		if len(names) == 0 {
			continue
		}
		b.panel.page = page
		b.inspect.choose(b.session.tracked[0].body)
		b.run(10)
		var at []ui.Rect
		for _, name := range append(names, "snapshot", "back", "repeat") {
			at = append(at, b.control(name))
		}
		b.press(input.KeySemicolon, input.KeySpace)
		b.run(10)
		if b.stage.shown.what != showsPast {
			t.Fatal("it does not look back")
		}
		for i, name := range append(names, "snapshot", "back", "repeat") {
			if now := b.control(name); now != at[i] {
				t.Errorf("%s was at %+v and is at %+v", name, at[i], now)
			}
		}
		if page == scenePage {
			was := b.params.param(&b.stage.scenes[b.stage.current], 1)
			r := b.control("set bounce")
			b.pointAt(float64(r.X+r.W-10), float64(r.Y+r.H-9))
			b.press1()
			if now := b.params.param(&b.stage.scenes[b.stage.current], 1); now != was || !strings.Contains(b.notice.text, "cannot be changed") {
				t.Errorf("the bounce was %v and is %v, says %q", was, now, b.notice.text)
			}
		}
		b.travel.toPresent()
		b.stage.player.SetPaused(false)
		b.run(2)
	}
}

func TestAnOpenRecordingIsListedOnce(t *testing.T) {
	file := recordSession(t, "-scene rain", 30)
	b := replayBench(t, file)
	b.recents.add(file)
	b.run(2)
	if _, twice := b.panel.ui.Find("file " + file); twice {
		t.Error("it stands with the recordings and with the scenes")
	}
	b.control("scene " + file)
	b.recents.add("another.rec")
	b.run(2)
	b.control("file " + b.recents.paths[0])
	b.hud.hint = time.Now().Add(time.Hour)
	b.notice.text = ""
	if hint, _, _ := b.hud.footnote(b.viewer); hint != replayHint {
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
