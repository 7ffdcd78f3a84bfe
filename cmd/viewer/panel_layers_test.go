package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/renderloop/draw"
	"halfstep/renderloop/glrender"
	"halfstep/world"
)

func TestTheLayersDrawEveryBodyInSight(t *testing.T) {
	b := newPanelBench(t, "-scene pyramid -stepper fast")
	canvas := new(glrender.Renderer)
	drawn := func() int {
		c := canvas.BeginHUD(b.picture.Viewport())
		b.picture.DrawMarks(c)
		return quads(c)
	}
	if n := drawn(); n != 0 {
		t.Fatalf("%d marks without layers", n)
	}
	b.picture.Layers |= body2d.CentresLayer
	if n := drawn(); n < 2*820 {
		t.Errorf("%d lines for the axes of 821 bodies", n)
	}
	b.picture.Layers &^= body2d.CentresLayer
	b.picture.Layers |= body2d.NormalsLayer
	if n := drawn(); n < 4*820 {
		t.Errorf("%d normals for 820 boxes", n)
	}
	b.picture.Layers &^= body2d.NormalsLayer
	b.press(input.Key3)
	b.run(8)
	if n := drawn(); n < 500 {
		t.Errorf("%d impulses", n)
	}
	b.press(input.Key3)
	b.press(input.KeyF6)
	b.run(8)
	if n := drawn(); n < 4*820 {
		t.Errorf("%d lines for the islands of 820 boxes", n)
	}
	b.press(input.KeyF6)
	if b.press(input.KeyF4); !strings.Contains(b.picture.Notice.Text, "only the stepper soft") {
		t.Errorf("says %q", b.picture.Notice.Text)
	}
	b.Session.SetStepper(world.SoftStep)
	b.run(8)
	if n := drawn(); n < 820 {
		t.Errorf("%d dots in the colours of the soft step", n)
	}
}

func TestTheMarksOfAFrameAreBounded(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	x := b.Stage.View.Cur[0]
	many := body2d.DebugContact{X: x.X, Y: x.Y, NY: 1, Impulse: 1, Colour: 1}
	view := *b.Stage.View
	view.Debug = &body2d.Debug{Contacts: slices.Repeat([]body2d.DebugContact{many}, 50_000)}
	b.Stage.View = &view
	canvas := new(glrender.Renderer)
	for _, layer := range []body2d.Layers{body2d.ContactsLayer, body2d.ColoursLayer} {
		b.picture.Layers = layer
		c := canvas.BeginHUD(b.picture.Viewport())
		b.picture.DrawMarks(c)
		if n := quads(c); n < 10_000 || n > 20_000 {
			t.Errorf("%d marks of 50,000 contacts", n)
		}
	}
}

// outlined counts the shapes that a painter outlines.
type outlined struct {
	draw.Canvas
	n int
}

func (o *outlined) Circle(draw.Vec, float64, draw.Look)    { o.n++ }
func (o *outlined) Polygon([]draw.Vec, float64, draw.Look) { o.n++ }

func TestFastBodiesAreThoseThatMightPassThroughSomething(t *testing.T) {
	most := func(name string) (n int) {
		b := newPanelBench(t, "-scene "+name)
		b.press(input.KeyF7)
		for range 120 {
			b.run(1)
			var fast outlined
			draw.NewPainter(body2d.FastLayer).Marks(&fast, b.Stage.View)
			n = max(n, fast.n)
		}
		return n
	}
	if slow, shots := most("cradle"), most("bullets"); slow != 0 || shots < 2 {
		t.Errorf("%d balls of a cradle are fast, and %d shots", slow, shots)
	}
}

func TestWhatAProgramDrawsIsShownInItsPastAndInItsRecording(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run")
	b := newPanelBench(t, "-scene missiles -sync lockstep -record "+file)
	canvas := new(glrender.Renderer)
	drawn := func(b *bench) int {
		c := canvas.BeginHUD(b.picture.Viewport())
		b.picture.DrawMarks(c)
		return quads(c)
	}
	b.run(300)
	b.press(input.KeySpace)
	now := b.Stage.View.Debug.Drawn
	if n := len(now); n < 2 || n%2 != 0 || drawn(b) < n {
		t.Fatalf("%d drawings, %d marks", n, drawn(b))
	}
	at, was := b.Stage.View.Tick, slices.Clone(now)
	same := func(what string, b *bench) {
		t.Helper()
		if b.Stage.View.Tick != at || !slices.Equal(b.Stage.View.Debug.Drawn, was) || drawn(b) < len(was) {
			t.Errorf("%s: tick %d, %d drawings, not %d; %d marks", what, b.Stage.View.Tick, len(b.Stage.View.Debug.Drawn), len(was), drawn(b))
		}
	}
	b.press(input.KeySpace)
	b.run(100)
	b.press(input.KeySpace)
	b.Travel.Seek(at)
	b.until("the past is there", func() bool { return b.Stage.Shown.What == play.ShowsPast && b.Stage.View.Tick == at })
	same("the past", b)
	if b.press(input.KeyD); drawn(b) != 0 {
		t.Errorf("without the layer: %d marks", drawn(b))
	}
	b.Session.ChangeScene(b.Stage.Current)
	r := replayBench(t, file)
	r.press(input.KeySpace)
	r.Travel.Seek(at)
	r.until("the recording is there", func() bool { return r.Stage.View.Tick == at })
	same("the recording", r)
}
