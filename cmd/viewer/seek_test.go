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
	was := r.Stage.View.Tick
	r.press(input.KeyApostrophe)
	if got := r.Stage.View.Tick; got < was+60 || got > was+62 {
		t.Errorf("on a second from %d: at %d", was, got)
	}
	r.press(input.KeySemicolon, input.KeySemicolon)
	if got := r.Stage.View.Tick; got > was-57 {
		t.Errorf("back two seconds: at %d, was at %d", got, was)
	}
	r.run(20)
	if r.Stage.Player.Failure() != nil {
		t.Error(r.Stage.Player.Failure())
	}
}

func TestSeekToZeroShowsTheStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run")
	b := newBench(t, "-scene rain -seek 0 -record "+file)
	b.run(1)
	if b.Stage.View.Tick != 0 {
		t.Errorf("the scene is at tick %d", b.Stage.View.Tick)
	}
	b.run(60)
	b.Close()

	r := newBench(t, "-scene drift -seek 0")
	r.openRecording(file)
	r.run(1)
	if r.Stage.View.Tick != 0 {
		t.Errorf("the replay is at tick %d", r.Stage.View.Tick)
	}
	r.run(60)
	if r.Stage.Player.Failure() != nil || r.Stage.Done.Load() < 50 {
		t.Errorf("at tick %d: %v", r.Stage.Done.Load(), r.Stage.Player.Failure())
	}
}
