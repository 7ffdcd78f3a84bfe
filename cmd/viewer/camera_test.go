package main

import (
	"math"
	"testing"

	"github.com/go-gl/glfw/v3.3/glfw"
)

func TestTheWheelZoomsToTheCursor(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(1)
	b.cursor(3, 2)
	b.queue.put(inputEvent{kind: scrollInput, y: 3})
	h := b.camera.Height
	b.run(1)
	at := b.camera.world(b.surface)
	if math.Abs(at.X-3) > 1e-9 || math.Abs(at.Y-2) > 1e-9 || b.camera.Height >= h {
		t.Errorf("under the cursor now %v, height %v", at, b.camera.Height)
	}
}

func TestPanningKeepsThePointUnderTheCursor(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(1)
	b.cursor(3, 2)
	b.run(1)
	b.mouse(glfw.MouseButtonRight, glfw.Press)
	b.queue.put(inputEvent{kind: cursorInput, x: 100, y: 400})
	b.run(1)
	if at := b.camera.world(b.surface); math.Abs(at.X-3) > 1e-9 || math.Abs(at.Y-2) > 1e-9 {
		t.Errorf("under the cursor now %v", at)
	}
	b.mouse(glfw.MouseButtonRight, glfw.Release)
	x := b.camera.X
	b.queue.put(inputEvent{kind: cursorInput, x: 500, y: 400})
	b.run(1)
	if b.camera.X != x {
		t.Error("still panning after the button was let go")
	}
}

func TestTheCameraFollowsTheInterpolatedCentre(t *testing.T) {
	b := newBench(t, "-scene drift -clock fixed:144")
	b.run(10)
	p, _ := b.player.pose(b.tracked[0].body)
	b.cursor(p.CentreX, p.CentreY)
	b.press(glfw.KeyF)
	for range 50 {
		b.run(1)
		p, _ := b.player.pose(b.tracked[0].body)
		if b.camera.X != p.CentreX || b.camera.Y != p.CentreY {
			t.Fatalf("camera at %v, body at %v", b.camera.X, p.CentreX)
		}
	}
	b.press(glfw.KeyRight)
	if b.camera.follow != 0 {
		t.Error("panning by hand must end the following")
	}
}

func TestFitShowsEveryBody(t *testing.T) {
	b := newBench(t, "-scene pyramid")
	b.run(1)
	b.camera.X = 1e6
	b.press(glfw.KeyHome)
	for _, p := range b.player.engine.Poses() {
		x, y := b.camera.WorldToScreen(p.X, p.Y, b.surface.w, b.surface.h)
		if x < 0 || y < 0 || x > float64(b.surface.w) || y > float64(b.surface.h) {
			t.Errorf("the body at %v, %v is not in the picture", p.X, p.Y)
			break
		}
	}
}
