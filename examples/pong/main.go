// Pong is a small but complete game. Players or the computer steer the paddles,
// sensor events count the points, each serve has its own tick, and a match can
// be recorded and replayed.
//
// W and S steer the left paddle, the arrow keys the right one. The computer
// plays for a player who has not touched a key. Space pauses, escape quits.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/engine"
	"halfstep/examples/internal/glwindow"
	"halfstep/examples/internal/seen"
)

var record, replay string

func main() {
	flag.StringVar(&record, "record", "", "record the match to this file")
	flag.StringVar(&replay, "replay", "", "play back a recorded match")
	glwindow.Main("pong", 2, run)
}

func run(o glwindow.Flags) (err error) {
	if record != "" && replay != "" {
		return glwindow.ErrUsage
	}
	court := newCourt()
	config, ticks, closeFile, err := configure(court)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeFile()) }()
	config.Time.Simulated = o.Frames > 0
	window, err := glwindow.Open(960, 540, "halfstep: pong · W and S, up and down · Esc quits", o.Frames == 0, 0)
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
	frames := seen.New(window)
	defer frames.Close()
	for frame := 1; ; frame++ {
		glfw.PollEvents()
		if o.Frames == 0 {
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
		last := window.ShouldClose() || frame == o.Frames || ticks > 0 && g.engine.View().Tick >= ticks
		if last && o.Screenshot != "" {
			if err := glwindow.Save(o.Screenshot, glwindow.Picture(width, height)); err != nil {
				return err
			}
		}
		if last {
			fmt.Printf("%d : %d after %d ticks\n", g.score[left], g.score[right], g.engine.View().Tick)
			return nil
		}
		frames.Swap(g.engine)
	}
}

// configure prepares a recording or a replay. ticks is the length of a replay.
func configure(court *court) (c engine.Config, ticks uint64, closeFile func() error, err error) {
	closeFile = func() error { return nil }
	switch {
	case record != "":
		f, err := os.Create(record)
		if err != nil {
			return c, 0, nil, err
		}
		c.History.Record, closeFile = &engine.RecordOptions{W: f, Scene: "pong"}, f.Close
	case replay != "":
		r, err := engine.OpenRecording(replay)
		if err != nil {
			return c, 0, nil, err
		}
		if r.Scene != "pong" {
			return c, 0, nil, fmt.Errorf("%s: a recording of %q", replay, r.Scene)
		}
		c, ticks = r.Config(court.setup), r.Ticks
	}
	return c, ticks, closeFile, nil
}

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
