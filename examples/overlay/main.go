// Overlay is a program with a picture of its own: lit cubes in three
// dimensions, some of which physics moves in the plane z = 0. F1 draws over it
// what physics sees, with glrender's Overlay and the program's own matrix.
//
// The program sets its OpenGL state once, in newPainter, and relies on it in
// every frame: Overlay leaves it as it found it.
//
// Space pauses, escape ends.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/go-gl/mathgl/mgl32"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/glrender"
)

// GLFW wants the main thread, which init runs on.
func init() { runtime.LockOSThread() }

type options struct {
	frames     int
	screenshot string
	overlay    bool
}

func main() {
	var o options
	flag.IntVar(&o.frames, "frames", 0, "draw that many frames of a 60th of a second in a hidden window, then quit")
	flag.StringVar(&o.screenshot, "screenshot", "", "write the last frame to this PNG file")
	flag.BoolVar(&o.overlay, "overlay", false, "begin with the overlay on")
	flag.Parse()
	if flag.NArg() > 0 || o.frames < 0 {
		fmt.Fprintln(os.Stderr, "overlay: bad usage; see -help")
		os.Exit(2)
	}
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "overlay:", strings.ReplaceAll(err.Error(), "\n", " "))
		os.Exit(1)
	}
}

func run(o options) error {
	if os.Getenv("GOMAXPROCS") == "" { // two busy goroutines, and two to spare
		runtime.GOMAXPROCS(max(4, runtime.GOMAXPROCS(0)))
	}
	window, err := open(960, 540, o.frames == 0)
	if err != nil {
		return err
	}
	defer glfw.Terminate()
	p, err := newProgram(o.frames > 0)
	if err != nil {
		return err
	}
	defer p.close()
	p.show(o.overlay)
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
	for frame := 1; ; frame++ {
		glfw.PollEvents()
		if o.frames > 0 {
			p.scene.engine.Advance(time.Second / 60)
		} else {
			p.scene.engine.Frame() // right after the present has returned
		}
		if err := p.scene.engine.Failure(); err != nil {
			return err
		}
		w, h := window.GetFramebufferSize()
		scale, _ := window.GetContentScale()
		if err := p.draw(w, h, float64(scale)); err != nil {
			return err
		}
		last := window.ShouldClose() || frame == o.frames
		if last && o.screenshot != "" {
			return p.screenshot(o.screenshot, w, h)
		}
		if last {
			return nil
		}
		window.SwapBuffers()
	}
}

// layers are what the overlay shows beside the bodies.
const layers = glrender.Joints | glrender.Sleep | glrender.Contacts | glrender.Centres

// program is the application: its picture, its physics, and the overlay.
type program struct {
	painter *painter
	scene   *scene
	debug   *glrender.Renderer
	overlay bool
}

// newProgram needs a current context. With injected, frame times are made up.
func newProgram(injected bool) (p *program, err error) {
	p = &program{}
	if p.painter, err = newPainter(); err != nil {
		return nil, err
	}
	if p.debug, err = glrender.New(glrender.Options{}); err != nil {
		return nil, err
	}
	if p.scene, err = newScene(injected); err != nil {
		p.debug.Close()
		return nil, err
	}
	return p, nil
}

func (p *program) close() {
	p.scene.engine.Close()
	p.debug.Close()
}

// show switches the overlay. The contact points come from physics, which hands
// them over only while somebody wants them.
func (p *program) show(on bool) {
	p.overlay = on
	var wanted body2d.DebugLayers
	if on {
		wanted = layers.Payload()
	}
	p.scene.engine.SetDebugLayers(wanted)
}

// draw draws a frame: the program's own picture, and physics over it.
func (p *program) draw(w, h int, scale float64) error {
	view := p.scene.engine.View()
	camera := lookAt(w, h, view.Instant*view.Dt)
	p.painter.begin(w, h, camera)
	p.scene.draw(p.painter, view.Instant*view.Dt)
	if !p.overlay {
		return nil
	}
	// Physics happens in the plane z = 0, and the cubes are a metre deep: on
	// their front faces the outlines are where the cubes are seen to end.
	front := camera.Mul4(mgl32.Translate3D(0, 0, depth/2))
	return p.debug.Overlay(view, front, glrender.Viewport{W: w, H: h, Scale: scale}, layers)
}

// open makes a window with a current OpenGL 4.1 core context.
func open(width, height int, visible bool) (window *glfw.Window, err error) {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" {
		return nil, errors.New("no display: DISPLAY is not set; without one, run under xvfb-run -a")
	}
	// Without a display that answers Init logs, returns nil, and what follows
	// panics.
	defer log.SetOutput(log.Writer())
	log.SetOutput(io.Discard)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("no display: DISPLAY=%s: %v", os.Getenv("DISPLAY"), p)
		}
	}()
	if err := glfw.Init(); err != nil {
		return nil, err
	}
	glfw.WindowHint(glfw.ContextVersionMajor, 4)
	glfw.WindowHint(glfw.ContextVersionMinor, 1)
	glfw.WindowHint(glfw.OpenGLProfile, glfw.OpenGLCoreProfile)
	glfw.WindowHint(glfw.OpenGLForwardCompatible, glfw.True)
	glfw.WindowHint(glfw.Samples, 4)
	if !visible {
		glfw.WindowHint(glfw.Visible, glfw.False)
	}
	window, err = glfw.CreateWindow(width, height, "halfstep: overlay (F1)", nil, nil)
	if err != nil {
		glfw.Terminate()
		return nil, err
	}
	window.MakeContextCurrent()
	if visible {
		glfw.SwapInterval(1)
	}
	return window, nil
}
