package main

import (
	"path/filepath"
	"testing"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/cmd/viewer/internal/play"
)

func TestEscClosesOneThingAfterTheOtherAndNeverQuits(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.run(60)
	b.Inspect.Choose(b.Sampler.Tracked[0].Body)
	b.Travel.Seek(b.Stage.Player.Demanded() - 20)
	b.press(input.KeySpace)
	b.run(3)
	b.press(input.KeyF1)
	open := func() (n int) {
		for _, is := range []bool{b.picture.Help.On, b.Stage.Shown.What == play.ShowsPast, b.Inspect.Body != 0} {
			if is {
				n++
			}
		}
		return n
	}
	for want := 2; want >= 0; want-- {
		if b.press(input.KeyEscape); open() != want {
			t.Fatalf("%d things are open, not %d: help %v, past %v, body %v", open(), want, b.picture.Help.On, b.Stage.Shown.What == play.ShowsPast, b.Inspect.Body)
		}
	}
	if b.press(input.KeyEscape); b.Stage.Quitting {
		t.Error("it quits")
	}
	if b.press(input.KeyQ); !b.Stage.Quitting {
		t.Error("Q does not quit")
	}
}

func TestAClickIsAClickHoweverLongTheFrame(t *testing.T) {
	b := newPanelBench(t, "-scene arch")
	b.panel.On = false
	b.run(1)
	body := b.Sampler.Tracked[0].Body
	p, _ := b.Stage.Player.Pose(body)
	b.cursor(p.CentreX, p.CentreY)
	b.mouse(input.MouseButtonLeft, input.Press)
	b.run(1)
	b.elapsed += 3e9 // this is a frame of three seconds
	b.mouse(input.MouseButtonLeft, input.Release)
	if b.run(1); b.Inspect.Body != body {
		t.Errorf("chosen is %v", b.Inspect.Body)
	}
}

func TestASearchFindsTheSceneBeforeARecordingOfIt(t *testing.T) {
	r := replayBench(t, recordSession(t, "-scene drift", 30))
	r.run(2)
	if name := filepath.Base(r.Stage.Scenes[r.Stage.Current].Path); !r.reads(name) {
		t.Errorf("the list does not have %s: %s", name, r.reading())
	}
	got := panel.Found(nil, r.Stage.Scenes, "drift")
	if first := &r.Stage.Scenes[got[0]]; first.Replay != nil || first.Name != "drift" {
		t.Errorf("it finds %s of %q first", first.Listed(), first.Path)
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
