// Embed adds physics to an ordinary OpenGL program: a GLFW window with its own
// shaders and its own loop. The physics is in scene.go and in the lines of loop
// that use the engine. draw.go does not know about it.
//
// A left click drops a box or a ball, a right click removes one, the wheel
// pushes what is under the cursor, space pauses, escape quits.
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

	"halfstep/engine"
)

// GLFW needs the main thread, and init runs on it.
func init() { runtime.LockOSThread() }

type options struct {
	frames     int
	screenshot string
	visible    bool
}

func main() {
	var o options
	flag.IntVar(&o.frames, "frames", 0, "draw that many frames of a 60th of a second in a hidden window, then quit")
	flag.StringVar(&o.screenshot, "screenshot", "", "write the last frame to this PNG file")
	flag.BoolVar(&o.visible, "visible", false, "show the window with -frames too")
	flag.Parse()
	if flag.NArg() > 0 || o.frames < 0 {
		fmt.Fprintln(os.Stderr, "embed: bad usage; see -help")
		os.Exit(2)
	}
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "embed:", strings.ReplaceAll(err.Error(), "\n", " "))
		os.Exit(1)
	}
}

func run(o options) error {
	// This thread and the physics goroutine can each keep a core busy. Two more
	// keep the work of the Go runtime from delaying frames.
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(max(4, runtime.GOMAXPROCS(0)))
	}
	window, err := open(960, 540, "halfstep: embedded", o.frames == 0 || o.visible)
	if err != nil {
		return err
	}
	defer glfw.Terminate()
	painter, err := newPainter()
	if err != nil {
		return err
	}
	// With -frames, time is simulated: the picture is the same on every machine.
	scene, err := newScene(engine.Config{Time: engine.Time{Simulated: o.frames > 0}})
	if err != nil {
		return err
	}
	defer scene.engine.Close()
	listen(window, scene)
	return loop(window, painter, scene, o)
}

// loop draws frames until the window is closed.
func loop(window *glfw.Window, painter *painter, scene *scene, o options) error {
	for frame := 1; ; frame++ {
		glfw.PollEvents()
		if o.frames > 0 {
			scene.engine.Advance(time.Second / 60)
		} else {
			scene.engine.Frame() // right after the last swap has returned
		}
		scene.events()
		if err := scene.engine.Failure(); err != nil {
			return err
		}
		width, height := window.GetFramebufferSize()
		painter.begin(width, height)
		scene.draw(painter)
		painter.end()

		last := window.ShouldClose() || frame == o.frames
		if last && o.screenshot != "" {
			if err := screenshot(o.screenshot, width, height); err != nil {
				return err
			}
		}
		if last {
			return nil
		}
		window.SwapBuffers()
	}
}

func open(width, height int, title string, visible bool) (window *glfw.Window, err error) {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" {
		return nil, errors.New("no display: DISPLAY is not set; without one, run under xvfb-run -a")
	}
	// If no display answers, glfw.Init logs a line and returns nil, and the calls
	// after it panic.
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
	if !visible {
		glfw.WindowHint(glfw.Visible, glfw.False)
	}
	window, err = glfw.CreateWindow(width, height, title, nil, nil)
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

// listen connects the input to the scene. GLFW calls these functions inside
// PollEvents, on the thread that draws and owns the engine.
func listen(window *glfw.Window, scene *scene) {
	under := func() (x, y float64) {
		cx, cy := window.GetCursorPos() // on some systems not in pixels
		w, h := window.GetSize()
		return toWorld(cx, cy, w, h)
	}
	window.SetMouseButtonCallback(func(_ *glfw.Window, b glfw.MouseButton, action glfw.Action, _ glfw.ModifierKey) {
		if action != glfw.Press {
			return
		}
		x, y := under()
		if b == glfw.MouseButtonLeft {
			scene.drop(x, y)
		} else {
			scene.remove(x, y)
		}
	})
	window.SetScrollCallback(func(_ *glfw.Window, _, dy float64) {
		x, y := under()
		scene.push(x, y, dy)
	})
	window.SetKeyCallback(func(_ *glfw.Window, key glfw.Key, _ int, action glfw.Action, _ glfw.ModifierKey) {
		if action != glfw.Press {
			return
		}
		switch key {
		case glfw.KeyEscape:
			window.SetShouldClose(true)
		case glfw.KeySpace:
			scene.engine.SetPaused(!scene.engine.Paused())
		}
	})
}
