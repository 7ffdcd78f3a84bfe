// Platformer is a small platform game: a player that runs and jumps, one-way
// platforms, a platform that moves, a conveyor belt, coins that are sensors, and a
// rope bridge that breaks. The engine's own renderer draws it.
//
// The arrow keys or A and D walk. Up, W or space jumps; down or S drops through a
// one-way platform. P pauses, escape quits.
package main

import (
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"log"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/engine"
	"halfstep/renderloop/glrender"
)

// GLFW needs the main thread, and init runs on it.
func init() { runtime.LockOSThread() }

type options struct {
	frames     int
	screenshot string
}

func main() {
	var o options
	flag.IntVar(&o.frames, "frames", 0, "play the demo for that many frames of a 60th of a second in a hidden window, then quit")
	flag.StringVar(&o.screenshot, "screenshot", "", "write the last frame to this PNG file")
	flag.Parse()
	if flag.NArg() > 0 || o.frames < 0 {
		fmt.Fprintln(os.Stderr, "platformer: bad usage; see -help")
		os.Exit(2)
	}
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "platformer:", strings.ReplaceAll(err.Error(), "\n", " "))
		os.Exit(1)
	}
}

func run(o options) (err error) {
	if os.Getenv("GOMAXPROCS") == "" { // two busy goroutines and two more
		runtime.GOMAXPROCS(max(4, runtime.GOMAXPROCS(0)))
	}
	window, err := open(o.frames == 0)
	if err != nil {
		return err
	}
	defer glfw.Terminate()
	renderer, err := glrender.New(glrender.Options{})
	if err != nil {
		return err
	}
	defer renderer.Close()
	g, err := newGame(engine.Config{Time: engine.Time{Simulated: o.frames > 0}}, new(level))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.engine.Close()) }()
	var pressed input
	window.SetKeyCallback(func(_ *glfw.Window, key glfw.Key, _ int, action glfw.Action, _ glfw.ModifierKey) {
		if action != glfw.Press {
			return
		}
		switch key {
		case glfw.KeyEscape:
			window.SetShouldClose(true)
		case glfw.KeyP:
			g.engine.SetPaused(!g.engine.Paused())
		case glfw.KeyUp, glfw.KeyW, glfw.KeySpace:
			pressed.jump = true
		case glfw.KeyDown, glfw.KeyS:
			pressed.drop = true
		}
	})
	play := script{moves: demo}
	for frame := 1; ; frame++ {
		glfw.PollEvents()
		if o.frames == 0 {
			pressed.walk = direction(func(key glfw.Key) bool { return window.GetKey(key) == glfw.Press })
			g.play(pressed)
			pressed = input{}
			g.engine.Frame()
		} else {
			g.step(&play)
		}
		if err := g.engine.Failure(); err != nil {
			return err
		}
		g.events()
		width, height := window.GetFramebufferSize()
		if err := g.draw(renderer, width, height); err != nil {
			return err
		}
		last := window.ShouldClose() || frame == o.frames
		if last && o.screenshot != "" {
			picture := renderer.Screenshot(glrender.Viewport{W: width, H: height})
			if err := save(o.screenshot, picture); err != nil {
				return err
			}
		}
		if last {
			fmt.Printf("coins: %d, ropes broken: %d\n", g.coins, g.broken)
			return nil
		}
		window.SwapBuffers()
	}
}

// step plays a frame of a 60th of a second by a script, and reports whether the
// script goes on.
func (g *game) step(s *script) bool {
	in, ok := s.next(g)
	g.play(in)
	g.engine.Advance(time.Second / 60)
	return ok
}

// direction is where the keys that are down make the player walk, from -1 to 1.
func direction(down func(glfw.Key) bool) (walk float64) {
	if down(glfw.KeyLeft) || down(glfw.KeyA) {
		walk--
	}
	if down(glfw.KeyRight) || down(glfw.KeyD) {
		walk++
	}
	return walk
}

func save(path string, picture image.Image) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, picture), f.Close())
}

// open makes a window with a current OpenGL 4.1 core context.
func open(visible bool) (window *glfw.Window, err error) {
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
	if window, err = glfw.CreateWindow(960, 540, "halfstep: platformer · arrows or A and D, space jumps, P pauses, Esc quits", nil, nil); err != nil {
		glfw.Terminate()
		return nil, err
	}
	window.MakeContextCurrent()
	window.SetInputMode(glfw.StickyKeysMode, glfw.True) // a key that is let go between two frames counts
	if visible {
		glfw.SwapInterval(1)
	}
	return window, nil
}
