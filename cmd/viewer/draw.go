package main

import (
	"halfstep/buffer/phase"
	"halfstep/cmd/viewer/internal/figures"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/renderloop/draw"
	"halfstep/renderloop/glrender"
	"image"
	"time"
)

// draw draws the picture of a frame and all text and controls over it, and measures the work.
func (v *picture) draw() error {
	fb := v.viewport()
	v.gl[onLeft].BeginFrame()
	if b := v.session.Stage.Player.Busy(phase.Render); b.Thread == phase.Render {
		v.gl[onLeft].BeginTimer(b.Number)
	}
	v.session.Stage.Player.EnterPhase(phase.Upload)
	if err := v.gl[onLeft].Upload(v.session.Stage.View); err != nil {
		return err
	}
	v.session.Stage.Player.EnterPhase(phase.Draw)
	if err := v.gl[onLeft].Draw(v.session.Stage.View, v.camera.Camera, v.left(), v.layers); err != nil {
		return err
	}
	if err := v.drawRight(); err != nil {
		return err
	}
	work := v.gl[onLeft].Stats()
	v.session.Stage.Player.EnterPhase(phase.HUD)
	canvas := v.gl[onLeft].BeginHUD(fb)
	v.figures.Work.Frame(v.session.Stage.View.Tick, work.Core.Calls, work.Core.Bytes)
	v.drawMarks(canvas)
	v.label(canvas)
	v.drawPast(canvas)
	v.timeline.draw(canvas, v)
	v.hud.draw(canvas, v)
	v.drawControls(canvas)
	if v.help.on {
		free, _ := v.clear(canvas)
		v.help.draw(canvas, v.controls.helpLines(), free)
	}
	canvas.Draw()
	if n, ns, ok := v.gl[onLeft].EndTimer(); ok {
		v.session.Stage.Player.GPUTime(n, time.Duration(ns))
	}
	all := v.gl[onLeft].Stats()
	v.figures.Work.All(all.Total().Calls - all.Structure.Calls)
	return nil
}

// viewport is the whole window.
func (v *picture) viewport() glrender.Viewport {
	return glrender.Viewport{W: v.surface.W, H: v.surface.H, Scale: v.surface.Scale}
}

// picture is what is drawn besides the panel.
type picture struct {
	session  *play.Session
	controls controls

	gl       [2]*glrender.Renderer // of the left half, or of the whole picture, and of the right half
	surface  input.Surface
	camera   camera
	layers   glrender.Layers
	pen      pen    // draws the marks of one half
	tagged   tagged // the canvas of pen
	painter  *draw.Painter
	figures  figures.Figures
	hud      hud
	timeline timelineView
	help     help
	notice   notice

	verdict string // the cause of the last hitch
}

// Indices of picture.gl.
const onLeft, onRight = 0, 1

func (v *picture) closeGL(half int) {
	if gl := v.gl[half]; gl != nil {
		gl.Close()
		v.gl[half] = nil
	}
}

// pixels reads the picture that was just drawn.
func (v *picture) pixels(to *image.NRGBA) { v.gl[onLeft].ReadPixels(v.viewport(), to) }

// image returns the picture that was just drawn.
func (v *picture) image() image.Image { return v.gl[onLeft].Screenshot(v.viewport()) }

// open makes the picture ready to draw. The context must be current.
func (v *picture) open() (err error) {
	v.gl[onLeft], err = glrender.New()
	return err
}

// close frees what open and draw have made.
func (v *picture) close() {
	v.closeGL(onLeft)
	v.closeGL(onRight)
}
