package main

import (
	"halfstep/cmd/viewer/internal/input"
	"path/filepath"
	"testing"
)

func TestAReplayCanBeSearchedBothWays(t *testing.T) {
	file := recordSession(t, "-scene rain", 200)
	r := newBench(t, "-scene drift")
	r.openRecording(file)
	r.run(100)
	was := r.stage.view.Tick
	r.press(input.KeyApostrophe)
	if got := r.stage.view.Tick; got < was+60 || got > was+62 {
		t.Errorf("on a second from %d: at %d", was, got)
	}
	r.press(input.KeySemicolon, input.KeySemicolon)
	if got := r.stage.view.Tick; got > was-57 {
		t.Errorf("back two seconds: at %d, was at %d", got, was)
	}
	r.run(20)
	if r.stage.player.Failure() != nil {
		t.Error(r.stage.player.Failure())
	}
}

func TestSeekToZeroShowsTheStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run")
	b := newBench(t, "-scene rain -seek 0 -record "+file)
	b.run(1)
	if b.stage.view.Tick != 0 {
		t.Errorf("the scene is at tick %d", b.stage.view.Tick)
	}
	b.run(60)
	b.close()

	r := newBench(t, "-scene drift -seek 0")
	r.openRecording(file)
	r.run(1)
	if r.stage.view.Tick != 0 {
		t.Errorf("the replay is at tick %d", r.stage.view.Tick)
	}
	r.run(60)
	if r.stage.player.Failure() != nil || r.stage.done.Load() < 50 {
		t.Errorf("at tick %d: %v", r.stage.done.Load(), r.stage.player.Failure())
	}
}
