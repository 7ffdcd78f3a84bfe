package main

import (
	"halfstep/cmd/viewer/internal/input"
	"path/filepath"
	"testing"
)

func TestASearchFindsTheNameBeforeItsBeginningAndThatBeforeTheDescription(t *testing.T) {
	all, _, err := openScenes("drift", "", false)
	if err != nil {
		t.Fatal(err)
	}
	for search, want := range map[string][]string{
		"car": {"car", "cardhouse"}, "joints": {"joints"}, "joint": {"joints", "jointgrid"}, "CAR ": {"car", "cardhouse"},
		"fall1": {"fall1000", "fall10000"}, "newton": {"cradle"},
	} {
		got := found(nil, all, search)
		for i, name := range want {
			if i >= len(got) || all[got[i]].Name != name && !(search == "joint" || search == "fall1") {
				t.Errorf("%q: %d. is not %s", search, i+1, name)
			}
		}
	}
	if got := found(nil, all, " "); len(got) != len(all) {
		t.Errorf("no search finds %d of %d", len(got), len(all))
	}
}

func TestEscClosesOneThingAfterTheOtherAndNeverQuits(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.run(60)
	b.inspect.choose(b.session.tracked[0].body)
	b.travel.seek(b.stage.player.Demanded() - 20)
	b.press(input.KeySpace)
	b.run(3)
	b.press(input.KeyF1)
	open := func() (n int) {
		for _, is := range []bool{b.help.on, b.stage.shown.what == showsPast, b.inspect.body != 0} {
			if is {
				n++
			}
		}
		return n
	}
	for want := 2; want >= 0; want-- {
		if b.press(input.KeyEscape); open() != want {
			t.Fatalf("%d things are open, not %d: help %v, past %v, body %v", open(), want, b.help.on, b.stage.shown.what == showsPast, b.inspect.body)
		}
	}
	if b.press(input.KeyEscape); b.stage.quitting {
		t.Error("it quits")
	}
	if b.press(input.KeyQ); !b.stage.quitting {
		t.Error("Q does not quit")
	}
}

func TestAClickIsAClickHoweverLongTheFrame(t *testing.T) {
	b := newPanelBench(t, "-scene arch")
	b.panel.on = false
	b.run(1)
	body := b.session.tracked[0].body
	p, _ := b.stage.player.pose(body)
	b.cursor(p.CentreX, p.CentreY)
	b.mouse(input.MouseButtonLeft, input.Press)
	b.run(1)
	b.elapsed += 3e9 // a frame of three seconds
	b.mouse(input.MouseButtonLeft, input.Release)
	if b.run(1); b.inspect.body != body {
		t.Errorf("chosen is %v", b.inspect.body)
	}
}

func TestASearchFindsTheSceneBeforeARecordingOfIt(t *testing.T) {
	r := replayBench(t, recordSession(t, "-scene drift", 30))
	r.run(2)
	if name := filepath.Base(r.stage.scenes[r.stage.current].path); !r.reads(name) {
		t.Errorf("the list does not have %s: %s", name, r.reading())
	}
	got := found(nil, r.stage.scenes, "drift")
	if first := &r.stage.scenes[got[0]]; first.replay != nil || first.Name != "drift" {
		t.Errorf("it finds %s of %q first", first.listed(), first.path)
	}
}
