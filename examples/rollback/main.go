// Rollback is a game for two over a line with 100 ms of latency: both programs, in one
// process here, simulate everything at once, guess what the other player steers, and
// go back when the guess was wrong (package engine, Engine.Rollback). What each of
// them sees is drawn side by side.
//
// W, A, S and D steer the blue player in the left program, the arrow keys the orange
// one in the right program. The computer plays for a player who has not touched a key.
// Escape quits.
package main

import (
	"errors"
	"flag"
	"fmt"
	"image/png"
	"io"
	"log"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop/glrender"
	"halfstep/renderloop/scene"
)

// GLFW needs the main thread, and init runs on it.
func init() { runtime.LockOSThread() }

func main() {
	frames := flag.Int("frames", 0, "draw that many frames of a 60th of a second in a hidden window, then quit")
	screenshot := flag.String("screenshot", "", "write the last frame to this PNG file")
	flag.Parse()
	if flag.NArg() > 0 || *frames < 0 {
		fmt.Fprintln(os.Stderr, "rollback: bad usage; see -help")
		os.Exit(2)
	}
	if err := run(*frames, *screenshot); err != nil {
		fmt.Fprintln(os.Stderr, "rollback:", strings.ReplaceAll(err.Error(), "\n", " "))
		os.Exit(1)
	}
}

func run(frames int, screenshot string) (err error) {
	if os.Getenv("GOMAXPROCS") == "" { // three busy goroutines and two more
		runtime.GOMAXPROCS(max(5, runtime.GOMAXPROCS(0)))
	}
	window, err := open(frames == 0)
	if err != nil {
		return err
	}
	defer glfw.Terminate()
	m, err := newMatch(engine.Config{Time: engine.Time{Simulated: frames > 0}}, uint64(time.Now().UnixNano()))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.close()) }()
	var views [players]*glrender.Renderer
	for i := range views {
		if views[i], err = glrender.New(glrender.Options{}); err != nil {
			return err
		}
		defer views[i].Close()
	}
	var keys keyboard
	last := time.Now()
	for frame := 1; ; frame++ {
		glfw.PollEvents()
		d := time.Second / 60
		if frames == 0 {
			now := time.Now()
			d, last = min(now.Sub(last), time.Second/4), now
		}
		if err := m.frame(d, keys.wishes(window)); err != nil {
			return err
		}
		w, h := window.GetFramebufferSize()
		for i, r := range views {
			if err := m.draw(i, r, glrender.Viewport{X: i * w / 2, W: w / 2, H: h}); err != nil {
				return err
			}
		}
		over := window.ShouldClose() || window.GetKey(glfw.KeyEscape) == glfw.Press || frame == frames
		if over && screenshot != "" {
			if err := save(screenshot, views[0], w, h); err != nil {
				return err
			}
		}
		if over {
			for i := range m.peers {
				fmt.Println(m.report(i))
			}
			return nil
		}
		window.SwapBuffers()
	}
}

// draw draws what a peer shows.
func (m *match) draw(i int, r *glrender.Renderer, at glrender.Viewport) error {
	r.BeginFrame()
	cam := scene.Camera{}.Fit(scene.Bounds{MinX: -halfWidth, MinY: -halfHeight, MaxX: halfWidth, MaxY: halfHeight}, at.W, at.H)
	if err := r.Draw(m.peers[i].engine.View(), cam, at, 0); err != nil {
		return err
	}
	hud := r.BeginHUD(at)
	say := func(y float32, lines ...string) {
		dark, wide := body2d.Colour{14, 18, 25, 255}, float32(0)
		for _, line := range lines {
			wide = max(wide, glrender.LabelWidth(glrender.Regular, int(hud.Unit()), []byte(line)))
		}
		hud.Panel(8, y, wide+16, float32(len(lines)*glrender.LabelHeight+8), 5, dark)
		for k, line := range lines {
			hud.Label(16, y+4+float32(k*glrender.LabelHeight), glrender.Regular, body2d.Colour(colours[i]), []byte(line))
		}
	}
	say(8, strings.Split(m.report(i), "\n")...)
	say(float32(at.H)/hud.Unit()-32, [players]string{"W A S D", "arrow keys"}[i])
	hud.Draw()
	return nil
}

// report says how the match goes for a peer.
func (m *match) report(i int) string {
	p, c := m.peers[i], m.peers[i].counts
	return fmt.Sprintf("player %d: %d : %d hits, %d events, %d retracted\n%d rollbacks, %d ticks at most; %d hashes agree",
		i+1, p.hits[0], p.hits[1], c.events, c.retracted, c.rollbacks, c.deepest, c.agreed)
}

// keyboard steers the players who have touched a key.
type keyboard struct{ touched [players]bool }

func (k *keyboard) wishes(window *glfw.Window) (wishes [players]*input) {
	for i, keys := range [players][4]glfw.Key{
		{glfw.KeyA, glfw.KeyD, glfw.KeyS, glfw.KeyW}, {glfw.KeyLeft, glfw.KeyRight, glfw.KeyDown, glfw.KeyUp},
	} {
		var down [4]int
		for j, key := range keys {
			if window.GetKey(key) == glfw.Press {
				down[j], k.touched[i] = 1, true
			}
		}
		if k.touched[i] {
			wish := towards(down[1]-down[0], down[3]-down[2])
			wishes[i] = &wish
		}
	}
	return wishes
}

func save(path string, r *glrender.Renderer, w, h int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, r.Screenshot(glrender.Viewport{W: w, H: h})), f.Close())
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
	if window, err = glfw.CreateWindow(1200, 600, "halfstep: rollback · WASD against the arrow keys · Esc quits", nil, nil); err != nil {
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
