package main

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/picture"
	"halfstep/renderloop/glrender"
)

// The world is paused, because Box2D itself allocates in a step.
func TestAFrameAllocatesNothing(t *testing.T) {
	b := newBench(t, "-scene drift -clock fixed:144 -hud")
	b.setCap(0)
	b.Stage.Player.SetPaused(true)
	b.run(300)                       // this lets all buffers reach their final size
	canvas := new(glrender.Renderer) // a HUD collects its quads without GL
	frame := func() {
		b.run(1)
		b.picture.Figures.Frame(7*time.Millisecond, b.Stage.Player)
		b.picture.HUD.Draw(canvas.BeginHUD(b.picture.Viewport()), b.picture)
	}
	for range 300 {
		frame()
	}
	if n := testing.AllocsPerRun(500, frame); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func TestFailuresAndNoticesAreShownInThePicture(t *testing.T) {
	b := newBench(t, "-scene drift -hidden -hud=false")
	b.run(2)
	shown := func() bool {
		c := new(glrender.Renderer).BeginHUD(b.picture.Viewport())
		b.picture.HUD.Draw(c, b.picture)
		return quads(c) > 0
	}
	if shown() {
		t.Error("something is shown without metrics")
	}
	b.Host.Say("hello")
	if !shown() {
		t.Error("the notice is not shown")
	}
	b.picture.Notice = picture.Notice{}
	b.Outcome.Failure = errors.New("physics stopped")
	if !shown() {
		t.Error("the failure is not shown")
	}
}

// quads returns the number of quads that a HUD has collected.
func quads(c *glrender.HUD) int { return reflect.ValueOf(c).Elem().FieldByName("list").Len() }
