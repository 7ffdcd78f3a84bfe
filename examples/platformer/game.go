package main

import (
	"math"

	"halfstep/engine"
	"halfstep/renderloop/glrender"
	"halfstep/renderloop/scene"
	"halfstep/world"
	"halfstep/world/walker"
)

// game is the part of the game that belongs to the thread that draws.
type game struct {
	engine *engine.Engine
	level  *level
	walks  float64 // the direction that was last sent to physics, -1 to 1
	coins  int
	broken int  // ropes of the bridge
	won    bool // the player has reached the goal
	camera float64
}

func newGame(c engine.Config, l *level) (*game, error) {
	c.World.Stepper, c.Setup = world.SoftStep, l.setup
	e, err := engine.New(c)
	return &game{engine: e, level: l}, err
}

// play sends the input of a frame to physics.
func (g *game) play(in walker.Input) {
	if in.Walk != g.walks || in.Jump || in.Drop {
		g.walks = in.Walk
		g.level.hero.Send(g.engine.Commands, in)
	}
}

// events handles the events up to the moment that this frame shows.
func (g *game) events() {
	for ev := range g.engine.Events() {
		switch {
		case ev.Kind == world.BodyRemoved && ev.NameA == "coin":
			g.coins++
		case ev.Kind == world.SensorBegin && ev.B == g.level.hero.Body && ev.A == g.level.goal:
			g.won = true
		case ev.Kind == world.JointBroke:
			g.broken++
		}
	}
}

func (g *game) draw(r *glrender.Renderer, w, h int) error {
	if at, ok := g.engine.Pose(g.level.hero.Body); ok {
		g.camera += .1 * (min(max(at.X, 7), 39) - g.camera)
	}
	// at least 20 m by 11.25 m
	cam := scene.Camera{X: g.camera, Y: 3, Height: max(11.25, 20*float64(h)/float64(max(w, 1)))}
	window, view := glrender.Viewport{W: w, H: h}, g.engine.View()
	r.BeginFrame()
	if err := r.Draw(view, cam, window, 0); err != nil {
		return err
	}
	hud := r.BeginHUD(window)
	text := "arrows or A and D walk    up or space jumps    down drops through    P pauses"
	if wide := glrender.LabelWidth(glrender.Regular, int(hud.Unit()), text); float32(w)/hud.Unit() > wide+20 {
		hud.Label(10, float32(h)/hud.Unit()-24, glrender.Regular, dim, text)
	}
	for i := range g.coins {
		hud.Panel(10+28*float32(i), 10, 20, 20, 10, gold)
	}
	// marks show that the belt moves, and in which direction
	const from, length, apart = 20.5, 4.0, .8
	size := float32(cam.Scale(h))
	for i := range int(length / apart) {
		along := math.Mod(float64(i)*apart-2.5*view.Instant*view.Dt, length)
		if along < 0 {
			along += length
		}
		x, y := cam.WorldToScreen(from+along-.12, -.06, w, h)
		hud.Rect(float32(x), float32(y), .24*size, .08*size, gold)
	}
	hud.Draw()
	return nil
}
