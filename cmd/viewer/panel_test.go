package main

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/renderloop/clock"
	"halfstep/renderloop/glrender"
)

// newPanelBench is a viewer with a panel and a surface of 960 by 540.
func newPanelBench(t testing.TB, args string) *bench {
	t.Helper()
	b := newBench(t, "-panel "+args)
	b.surface = surface{w: 960, h: 540, scale: 1}
	b.run(2)
	return b
}

// pointAt moves the cursor to a pixel.
func (b *bench) pointAt(x, y float64) {
	b.queue.put(inputEvent{kind: cursorInput, x: x, y: y})
}

// click clicks on a control.
func (b *bench) click(name string) {
	b.t.Helper()
	r, ok := b.panel.ui.Find(name)
	if !ok {
		b.t.Fatalf("no control %q", name)
	}
	b.pointAt(float64(r.X+r.W/2), float64(r.Y+r.H/2))
	b.mouse(glfw.MouseButtonLeft, glfw.Press)
	b.mouse(glfw.MouseButtonLeft, glfw.Release)
	b.run(3)
}

func TestDebug(t *testing.T) {
	b := newPanelBench(t, "-scene cradle")
	b.click("pause")
	r, _ := b.panel.ui.Find("param balls lifted")
	b.pointAt(float64(r.X+5), float64(r.Y+r.H-8))
	b.mouse(glfw.MouseButtonLeft, glfw.Press)
	b.run(3)
	b.pointAt(float64(r.X+r.W-3), float64(r.Y+r.H+30))
	b.run(3)
	b.mouse(glfw.MouseButtonLeft, glfw.Release)
	b.run(3)
	b.click("step")
	b.click("step")
	t.Log(b.used, b.panel.inside, b.engine.Demanded())
	_, _, _, _ = math.Pi, strings.ToUpper, time.Now, clock.Hz
	_ = glrender.Joints
}
