// Overlay draws a scene of lit cubes in three dimensions. Physics moves some of
// them in the plane z = 0. F1 shows the layers of physics over the scene: it
// calls glrender's Overlay with the program's own matrix.
//
// The program sets its OpenGL state once, in newPainter, and relies on it in
// every frame, because Overlay restores the state.
//
// Space pauses, escape quits.
package main

import (
	"flag"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/go-gl/mathgl/mgl32"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/examples/internal/glwindow"
	"halfstep/examples/internal/seen"
	"halfstep/renderloop/draw"
	"halfstep/renderloop/glrender"
)

var overlay = flag.Bool("overlay", false, "begin with the overlay on")

func main() { glwindow.Main("overlay", 2, run) }

func run(o glwindow.Flags) error {
	window, err := glwindow.Open(960, 540, "halfstep: overlay (F1)", o.Frames == 0, 4)
	if err != nil {
		return err
	}
	defer glfw.Terminate()
	p, err := newProgram(o.Frames > 0)
	if err != nil {
		return err
	}
	defer p.close()
	p.show(*overlay)
	window.SetKeyCallback(func(_ *glfw.Window, key glfw.Key, _ int, action glfw.Action, _ glfw.ModifierKey) {
		if action != glfw.Press {
			return
		}
		switch key {
		case glfw.KeyF1:
			p.show(!p.overlay)
		case glfw.KeySpace:
			p.scene.engine.SetPaused(!p.scene.engine.Paused())
		case glfw.KeyEscape:
			window.SetShouldClose(true)
		}
	})
	frames := seen.New(window)
	defer frames.Close()
	for frame := 1; ; frame++ {
		glfw.PollEvents()
		if o.Frames > 0 {
			p.scene.engine.Advance(time.Second / 60)
		} else {
			p.scene.engine.Frame() // right after the last swap has returned
		}
		if err := p.scene.engine.Failure(); err != nil {
			return err
		}
		w, h := window.GetFramebufferSize()
		scale, _ := window.GetContentScale()
		if err := p.draw(w, h, float64(scale)); err != nil {
			return err
		}
		last := window.ShouldClose() || frame == o.Frames
		if last && o.Screenshot != "" {
			return glwindow.Save(o.Screenshot, p.debug.Screenshot(glrender.Viewport{W: w, H: h}))
		}
		if last {
			return nil
		}
		frames.Swap(p.scene.engine)
	}
}

// layers are the layers of physics that the overlay shows in addition to the
// bodies.
const layers = body2d.JointsLayer | body2d.SleepLayer

var marks = draw.NewPainter(body2d.ContactsLayer | body2d.CentresLayer)

type program struct {
	painter *painter
	scene   *scene
	debug   *glrender.Renderer
	overlay bool
}

// newProgram makes the program. It needs a current context. If simulated is
// true, time does not come from a clock.
func newProgram(simulated bool) (p *program, err error) {
	p = &program{}
	if p.painter, err = newPainter(); err != nil {
		return nil, err
	}
	if p.debug, err = glrender.New(); err != nil {
		return nil, err
	}
	if p.scene, err = newScene(engine.Config{Time: engine.Time{Simulated: simulated}}); err != nil {
		p.debug.Close()
		return nil, err
	}
	return p, nil
}

func (p *program) close() {
	p.scene.engine.Close()
	p.debug.Close()
}

// show turns the overlay on or off. Physics publishes contact points only while
// a layer shows them.
func (p *program) show(on bool) {
	p.overlay = on
	var wanted body2d.Layers
	if on {
		wanted = marks.Layers
	}
	p.scene.engine.SetDebugLayers(wanted)
}

func (p *program) draw(w, h int, scale float64) error {
	view := p.scene.engine.View()
	camera := lookAt(w, h, view.Instant*view.Dt)
	p.painter.begin(w, h, camera)
	p.scene.draw(p.painter, view.Instant*view.Dt)
	if !p.overlay {
		return nil
	}
	// Physics is in the plane z = 0, and the cubes are a metre deep. On their
	// front faces, the outlines match the edges of the cubes.
	front := camera.Mul4(mgl32.Translate3D(0, 0, depth/2))
	return p.debug.Overlay(view, front, glrender.Viewport{W: w, H: h, Scale: scale}, layers, marks)
}
