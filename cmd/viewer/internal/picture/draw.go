// Package picture draws the worlds, the marks and texts over them, and the controls. It is the only package of
// the viewer that draws with GL.
package picture

import (
	"image"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/cmd/viewer/internal/figures"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/renderloop/draw"
	"halfstep/renderloop/glrender"
)

// Draw draws the picture of a frame, with all text and controls over it. It also measures the work.
func (v *Picture) Draw() error {
	fb := v.Viewport()
	v.GL[OnLeft].BeginFrame()
	if b := v.session.Stage.Player.Busy(phase.Render); b.Thread == phase.Render {
		v.GL[OnLeft].BeginTimer(b.Number)
	}
	v.session.Stage.Player.EnterPhase(phase.Upload)
	if err := v.GL[OnLeft].Upload(v.session.Stage.View); err != nil {
		return err
	}
	v.session.Stage.Player.EnterPhase(phase.Draw)
	if err := v.GL[OnLeft].Draw(v.session.Stage.View, v.Camera.Camera, v.Left(), v.Layers); err != nil {
		return err
	}
	if err := v.drawRight(); err != nil {
		return err
	}
	work := v.GL[OnLeft].Stats()
	v.session.Stage.Player.EnterPhase(phase.HUD)
	canvas := v.GL[OnLeft].BeginHUD(fb)
	v.Figures.Work.Frame(v.session.Stage.View.Tick, work.Core.Calls, work.Core.Bytes)
	v.DrawMarks(canvas)
	v.label(canvas)
	v.DrawPast(canvas)
	v.Timeline.Draw(canvas, v)
	v.HUD.Draw(canvas, v)
	v.DrawControls(canvas)
	if v.Help.On {
		free, _ := v.Clear(canvas)
		v.Help.Draw(canvas, v.controls.HelpLines(), free)
	}
	canvas.Draw()
	if n, ns, ok := v.GL[OnLeft].EndTimer(); ok {
		v.session.Stage.Player.GPUTime(n, time.Duration(ns))
	}
	all := v.GL[OnLeft].Stats()
	v.Figures.Work.All(all.Total().Calls - all.Structure.Calls)
	return nil
}

// Viewport returns the viewport of the whole window.
func (v *Picture) Viewport() glrender.Viewport {
	return glrender.Viewport{W: v.Surface.W, H: v.Surface.H, Scale: v.Surface.Scale}
}

// Picture draws the worlds, and the texts and marks over them.
type Picture struct {
	session  *play.Session
	controls Controls

	GL       [2]*glrender.Renderer // GL has the renderer of the left half, which also draws an undivided picture, and the renderer of the right half.
	Surface  input.Surface
	Camera   camera
	Layers   body2d.Layers
	pen      pen    // draws the marks of one half of the picture
	Tagged   tagged // the canvas of pen
	painter  *draw.Painter
	Figures  figures.Figures
	HUD      HUD
	Timeline TimelineView
	Help     Help
	Notice   Notice

	Verdict string // Verdict is the cause of the last hitch.
}

// New makes a picture of a size. The parameters figures and timeline say whether these are shown.
func New(size input.Surface, figures, timeline bool) *Picture {
	return &Picture{Surface: size, Layers: defaultLayers, painter: draw.NewPainter(0), HUD: HUD{On: figures}, Timeline: TimelineView{On: timeline}}
}

// Plays sets the session that the picture shows, and the controls beside the picture.
func (v *Picture) Plays(s *play.Session, c Controls) {
	v.session, v.controls = s, c
	s.Stage.Debug = v.Layers
}

// Indices of Picture.GL.
const OnLeft, onRight = 0, 1

func (v *Picture) closeGL(half int) {
	if gl := v.GL[half]; gl != nil {
		gl.Close()
		v.GL[half] = nil
	}
}

// Pixels copies the picture that was drawn last.
func (v *Picture) Pixels(to *image.NRGBA) { v.GL[OnLeft].ReadPixels(v.Viewport(), to) }

// Image returns the picture that was drawn last.
func (v *Picture) Image() image.Image { return v.GL[OnLeft].Screenshot(v.Viewport()) }

// Open prepares the picture for drawing. The GL context must be current.
func (v *Picture) Open() (err error) {
	v.GL[OnLeft], err = glrender.New()
	return err
}

// Close frees the GL objects that Open and Draw have made.
func (v *Picture) Close() {
	v.closeGL(OnLeft)
	v.closeGL(onRight)
}
