// Ebitengine adds physics to a game that Ebitengine runs. This file connects the two: Draw gets the frame from the
// engine and draws the bodies at their shown places. scene.go has the objects and their looks, like the code of any
// game.
//
// A click drops a box or a ball, space pauses, D shows the layers of the physics, escape quits. With -pprof :6060
// another program can watch the game: viewer -watch http://localhost:6060
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"runtime"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/engine/profile"
	"halfstep/renderloop/draw"
)

// game implements ebiten.Game. Ebitengine calls its methods one after another, on
// one goroutine. That goroutine owns the physics engine.
type game struct {
	*scene
	frames, drawn int    // if frames is greater than 0, the game ends after so many frames
	picture       string // the file for the picture of the last frame
	err           error
	painter       *draw.Painter
	canvas        *canvas
	debug         bool // the painter draws, too
}

// Update handles the input. It neither steps physics nor counts time.
func (g *game) Update() error {
	if inpututil.IsMouseButtonJustPressed(ebiten.MouseButtonLeft) {
		g.drop(toWorld(ebiten.CursorPosition()))
	}
	if inpututil.IsKeyJustPressed(ebiten.KeySpace) {
		g.engine.SetPaused(!g.engine.Paused())
	}
	if inpututil.IsKeyJustPressed(ebiten.KeyD) {
		g.debug = !g.debug
		g.engine.SetDebugLayers(g.painter.Layers)
	}
	if ebiten.IsKeyPressed(ebiten.KeyEscape) || g.frames > 0 && g.drawn >= g.frames {
		return ebiten.Termination
	}
	return g.engine.Failure()
}

// Draw runs once for each picture on the screen, and lets the engine make a frame.
func (g *game) Draw(screen *ebiten.Image) {
	if g.frames > 0 {
		g.engine.Advance(time.Second / 60)
	} else {
		g.engine.Frame()
	}
	g.draw(screen)
	if g.debug {
		g.canvas.show(screen, g.painter, g.engine)
	}
	if g.drawn++; g.drawn == g.frames && g.picture != "" {
		g.err = save(g.picture, screen)
	}
}

// Layout fixes the size of the picture.
func (*game) Layout(int, int) (w, h int) { return width, height }

func main() {
	frames := flag.Int("frames", 0, "draw that many frames of a 60th of a second, then quit")
	picture := flag.String("screenshot", "", "with -frames, write the last frame to this PNG file")
	address := flag.String("pprof", "", "serve profiles, and what a watcher needs, at this `address`, such as :6060")
	flag.Parse()
	if os.Getenv("GOMAXPROCS") == "" { // two for physics and drawing, and two more for the runtime
		runtime.GOMAXPROCS(max(4, runtime.GOMAXPROCS(0)))
	}
	s, err := newScene(engine.Config{Time: engine.Time{Simulated: *frames > 0}})
	if err != nil {
		log.Fatal(err)
	}
	if *address != "" {
		h := profile.New(s.engine.Trace())
		l, err := h.Listen(*address)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("watch it with: viewer -watch", h.URL(l))
		go func() { _ = h.Server().Serve(l) }()
	}
	ebiten.SetWindowTitle("halfstep in Ebitengine")
	ebiten.SetWindowSize(width, height)
	ebiten.SetVsyncEnabled(*frames == 0)
	ebiten.SetTPS(ebiten.SyncWithFPS) // Update runs once for each Draw, so that there is no second clock
	g := &game{scene: s, frames: *frames, picture: *picture, canvas: newCanvas(), painter: draw.NewPainter(body2d.JointsLayer | body2d.ContactsLayer | body2d.VelocitiesLayer)}
	err = ebiten.RunGame(g)
	if err = errors.Join(err, g.err, s.engine.Close()); err != nil {
		log.Fatal(err)
	}
}
