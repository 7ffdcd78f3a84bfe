// Embed adds physics to an ordinary OpenGL program: a GLFW window with its own
// shaders and its own loop. The physics is in scene.go and in the lines of loop
// that use the engine. draw.go does not use it.
//
// A left click drops a box or a ball, a right click removes one, the wheel
// pushes the body under the cursor, space pauses, escape quits.
package main

import (
	"flag"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/engine"
	"halfstep/examples/internal/glwindow"
	"halfstep/examples/internal/seen"
)

var windowed = flag.Bool("visible", false, "show the window with -frames too")

// This thread and the physics goroutine can each keep a core busy.
func main() { glwindow.Main("embed", 2, run) }

func run(o glwindow.Flags) error {
	window, err := glwindow.Open(960, 540, "halfstep: click drops a body, right click removes it, the wheel pushes, Space pauses, Esc quits", o.Frames == 0 || *windowed, 0)
	if err != nil {
		return err
	}
	defer glfw.Terminate()
	painter, err := newPainter()
	if err != nil {
		return err
	}
	// With -frames, time is simulated: the picture is the same on every machine.
	scene, err := newScene(engine.Config{Time: engine.Time{Simulated: o.Frames > 0}})
	if err != nil {
		return err
	}
	defer scene.engine.Close()
	listen(window, scene)
	return loop(window, painter, scene, o)
}

// loop draws frames until the window is closed.
func loop(window *glfw.Window, painter *painter, scene *scene, o glwindow.Flags) error {
	frames := seen.New(window)
	defer frames.Close()
	for frame := 1; ; frame++ {
		glfw.PollEvents()
		if o.Frames > 0 {
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

		last := window.ShouldClose() || frame == o.Frames
		if last && o.Screenshot != "" {
			if err := glwindow.Save(o.Screenshot, glwindow.Picture(width, height)); err != nil {
				return err
			}
		}
		if last {
			return nil
		}
		frames.Swap(scene.engine)
	}
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
