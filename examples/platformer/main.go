// Platformer is a small platform game: a player that runs and jumps, one-way
// platforms, a platform that moves, a conveyor belt, coins that are sensors, and a
// rope bridge that breaks. The engine's own renderer draws it.
//
// The arrow keys or A and D walk. Up, W or space jumps; down or S drops through a
// one-way platform. P pauses, escape quits. With -frames the demo plays.
package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/engine"
	"halfstep/examples/internal/glwindow"
	"halfstep/examples/internal/seen"
	"halfstep/renderloop/glrender"
	"halfstep/world/walker"
)

func main() { glwindow.Main("platformer", 2, run) }

func run(o glwindow.Flags) (err error) {
	window, err := glwindow.Open(960, 540, "halfstep: platformer · arrows or A and D, space jumps, P pauses, Esc quits", o.Frames == 0, 0)
	if err != nil {
		return err
	}
	defer glfw.Terminate()
	renderer, err := glrender.New()
	if err != nil {
		return err
	}
	defer renderer.Close()
	g, err := newGame(engine.Config{Time: engine.Time{Simulated: o.Frames > 0}}, new(level))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.engine.Close()) }()
	var pressed walker.Input
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
			pressed.Jump = true
		case glfw.KeyDown, glfw.KeyS:
			pressed.Drop = true
		}
	})
	play := script{moves: demo}
	frames := seen.New(window)
	defer frames.Close()
	for frame := 1; ; frame++ {
		glfw.PollEvents()
		if o.Frames == 0 {
			pressed.Walk = direction(func(key glfw.Key) bool { return window.GetKey(key) == glfw.Press })
			g.play(pressed)
			pressed = walker.Input{}
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
		last := window.ShouldClose() || frame == o.Frames
		if last && o.Screenshot != "" {
			picture := renderer.Screenshot(glrender.Viewport{W: width, H: height})
			if err := glwindow.Save(o.Screenshot, picture); err != nil {
				return err
			}
		}
		if last {
			fmt.Printf("coins: %d, ropes broken: %d\n", g.coins, g.broken)
			return nil
		}
		frames.Swap(g.engine)
	}
}

func (g *game) step(s *script) bool {
	in, ok := s.next(g)
	g.play(in)
	g.engine.Advance(time.Second / 60)
	return ok
}

func direction(down func(glfw.Key) bool) (walk float64) {
	if down(glfw.KeyLeft) || down(glfw.KeyA) {
		walk--
	}
	if down(glfw.KeyRight) || down(glfw.KeyD) {
		walk++
	}
	return walk
}
