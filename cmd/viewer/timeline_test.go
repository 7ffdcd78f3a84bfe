package main

import (
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/renderloop/glrender"
)

func TestATimelineAllocatesNothing(t *testing.T) {
	b := newBench(t, "-scene drift -clock fixed:144 -timeline -hud=false")
	b.Stage.Player.SetPaused(true)
	b.run(300)
	canvas := new(glrender.Renderer)
	frame := func() {
		b.run(1)
		b.picture.Figures.Frame(70*time.Millisecond, b.Stage.Player) // the figures are refreshed every fourth frame
		b.picture.Timeline.Draw(canvas.BeginHUD(b.picture.Viewport()), b.picture)
	}
	for range 300 {
		frame()
	}
	if n := testing.AllocsPerRun(500, frame); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

// drawn returns the number of quads that the timeline draws.
func (b *bench) drawn() int {
	c := new(glrender.Renderer).BeginHUD(b.picture.Viewport())
	b.picture.Timeline.Draw(c, b.picture)
	return quads(c)
}

func TestTheTimelineIsToggledByAKey(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(3)
	if b.picture.Timeline.On || b.drawn() != 0 {
		t.Error("shown from the start")
	}
	b.press(input.KeyT)
	if !b.picture.Timeline.On || b.drawn() == 0 {
		t.Error("not shown")
	}
	b.press(input.KeyT)
	if b.picture.Timeline.On || b.drawn() != 0 {
		t.Error("still shown")
	}
}

func TestTheTimelineFitsOrIsLeftOut(t *testing.T) {
	b := newBench(t, "-scene drift -timeline")
	b.run(3)
	for _, s := range []input.Surface{{W: 1, H: 1, Scale: 1}, {W: 200, H: 2000, Scale: 1}, {W: 2000, H: 100, Scale: 1}} {
		b.picture.Surface = s
		if n := b.drawn(); n != 0 {
			t.Errorf("%dx%d: %d things drawn", s.W, s.H, n)
		}
	}
}
