// Pong is a small but complete game. Players or the computer steer the paddles,
// sensor events keep the score, each serve is placed at a tick, and a match can
// be recorded and replayed.
//
// W and S steer the left paddle, the arrow keys the right one. The computer
// plays for a player who has not touched a key. Space pauses, escape quits.
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
	frames                     int
	screenshot, record, replay string
}

func main() {
	var o options
	flag.IntVar(&o.frames, "frames", 0, "draw that many frames of a 60th of a second in a hidden window, then quit")
	flag.StringVar(&o.screenshot, "screenshot", "", "write the last frame to this PNG file")
	flag.StringVar(&o.record, "record", "", "record the match to this file")
	flag.StringVar(&o.replay, "replay", "", "play back a recorded match")
	flag.Parse()
	if flag.NArg() > 0 || o.frames < 0 || o.record != "" && o.replay != "" {
		fmt.Fprintln(os.Stderr, "pong: bad usage; see -help")
		os.Exit(2)
	}
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "pong:", strings.ReplaceAll(err.Error(), "\n", " "))
		os.Exit(1)
	}
}

func run(o options) (err error) {
	if os.Getenv("GOMAXPROCS") == "" { // two busy goroutines and two more
		runtime.GOMAXPROCS(max(4, runtime.GOMAXPROCS(0)))
	}
	court := newCourt()
	config, ticks, closeFile, err := configure(o, court)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeFile()) }()
	window, err := open(o.frames == 0)
	if err != nil {
		return err
	}
	defer glfw.Terminate()
	painter, err := newPainter()
	if err != nil {
		return err
	}
	g, err := newGame(config, court)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.engine.Close()) }()
	window.SetKeyCallback(func(_ *glfw.Window, key glfw.Key, _ int, action glfw.Action, _ glfw.ModifierKey) {
		switch {
		case action != glfw.Press:
		case key == glfw.KeyEscape:
			window.SetShouldClose(true)
		case key == glfw.KeySpace:
			g.engine.SetPaused(!g.engine.Paused())
		}
	})
	for frame := 1; ; frame++ {
		glfw.PollEvents()
		if o.frames == 0 {
			input(window, g)
			g.engine.Frame()
		} else {
			g.engine.Advance(time.Second / 60)
		}
		if err := g.engine.Failure(); err != nil {
			return err
		}
		g.events()
		width, height := window.GetFramebufferSize()
		painter.begin(width, height)
		g.draw(painter)
		painter.end()
		last := window.ShouldClose() || frame == o.frames || ticks > 0 && g.engine.View().Tick >= ticks
		if last && o.screenshot != "" {
			if err := screenshot(o.screenshot, width, height); err != nil {
				return err
			}
		}
		if last {
			fmt.Printf("%d : %d after %d ticks\n", g.score[left], g.score[right], g.engine.View().Tick)
			return nil
		}
		window.SwapBuffers()
	}
}

// configure prepares a recording or a replay. ticks is the length of a replay.
func configure(o options, court *court) (c engine.Config, ticks uint64, closeFile func() error, err error) {
	closeFile = func() error { return nil }
	switch {
	case o.record != "":
		f, err := os.Create(o.record)
		if err != nil {
			return c, 0, nil, err
		}
		c.Record, closeFile = &engine.RecordOptions{W: f, Scene: "pong"}, f.Close
	case o.replay != "":
		r, err := engine.OpenRecording(o.replay)
		if err != nil {
			return c, 0, nil, err
		}
		if r.Scene != "pong" {
			return c, 0, nil, fmt.Errorf("%s: a recording of %q", o.replay, r.Scene)
		}
		c, ticks = r.Config(court.setup), r.Ticks
	}
	c.Time.Simulated = o.frames > 0
	return c, ticks, closeFile, nil
}

// input steers the paddles by the keys that are down.
func input(window *glfw.Window, g *game) {
	for side, keys := range [...][2]glfw.Key{{glfw.KeyW, glfw.KeyS}, {glfw.KeyUp, glfw.KeyDown}} {
		speed := 0.0
		if window.GetKey(keys[0]) == glfw.Press {
			speed += paddleSpeed
		}
		if window.GetKey(keys[1]) == glfw.Press {
			speed -= paddleSpeed
		}
		g.steer(side, speed)
	}
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
	if window, err = glfw.CreateWindow(960, 540, "halfstep: pong · W and S, up and down · Esc quits", nil, nil); err != nil {
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
