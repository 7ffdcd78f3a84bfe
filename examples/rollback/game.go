package main

import (
	"errors"
	"fmt"

	"halfstep/engine"
	"halfstep/world"
)

const (
	players = 2
	crates  = 10

	halfWidth, halfHeight = 6.0, 6.0 // half the width and half the height of the arena in m
	speed                 = 7.0      // speed of a player who is steered, m/s
	push                  = 30.0     // the greatest force, N for each m/s that is missing
)

// input is the direction in which a player steers, as x + 3y. x and y are 0 for back,
// 1 for none and 2 for forward on their axis.
type input byte

var colours = [players][4]uint8{{110, 190, 250, 255}, {250, 150, 110, 255}}

const still input = 4

func (i input) direction() world.Vec {
	return world.Vec{X: float64(i%3) - 1, Y: float64(i/3%3) - 1}
}

func towards(x, y int) input { return input(x + 1 + 3*(y+1)) }

// steer is the name of the function for a player's input. Its arguments are the number
// of the player and the input, which is valid until the next one.
const steer = "steer"

// game is the simulation, which both programs run. The wishes belong to the physics
// goroutine. The handles are the same in both programs, and never change.
type game struct {
	player [players]world.Body
	ball   world.Body
	wish   [players]input

	hits [players]int // how many times each player has hit the ball
}

// apply turns the players' inputs into commands.
func (g *game) apply(c world.Commands, _ uint64, inputs [][]byte) {
	for i, in := range inputs {
		wish := still
		if in != nil { // somebody is there
			wish = input(in[0] % 9)
		}
		c.DoNamed(steer, float64(i), float64(wish))
	}
}

func (g *game) setup(w *world.World) (err error) {
	add := func(def world.BodyDef, shape world.ShapeDef) world.Body {
		shape.Restitution = .5
		def.Shapes = []world.ShapeDef{shape}
		def.NoSleep = true
		b, e := w.CreateBody(def)
		err = errors.Join(err, e)
		return b
	}
	for _, at := range [...][4]float64{
		{0, halfHeight + .5, halfWidth + 1, .5}, {0, -halfHeight - .5, halfWidth + 1, .5},
		{halfWidth + .5, 0, .5, halfHeight}, {-halfWidth - .5, 0, .5, halfHeight},
	} {
		add(world.BodyDef{Name: "wall", Position: world.Vec{X: at[0], Y: at[1]}}, world.Box(at[2], at[3]))
	}
	for i, x := range [...]float64{-4, 4} {
		g.wish[i] = still
		g.player[i] = add(world.BodyDef{
			Name: fmt.Sprint("player ", i), Kind: world.Dynamic, Position: world.Vec{X: x}, FixedRotation: true, Bullet: true,
			Colour: colours[i],
		}, world.Circle(.5))
	}
	g.ball = add(world.BodyDef{
		Name: "ball", Kind: world.Dynamic, LinearDamping: .3, AngularDamping: .3, Bullet: true,
		Colour: [4]uint8{250, 240, 200, 255},
	}, world.Circle(.8))
	for i := range crates {
		add(world.BodyDef{
			Name: "crate", Kind: world.Dynamic, LinearDamping: 2, AngularDamping: 2,
			Position: world.Vec{X: float64(i%5)*2 - 4, Y: float64(i/5)*6 - 3},
		}, world.Box(.4, .4))
	}
	w.Register(steer, func(_ *world.World, args []float64) {
		g.wish[int(args[0])] = input(args[1])
	})
	w.Keep(&g.wish) // wish goes back in time with the world
	w.AddController(world.ControllerFunc(g.move))
	return err
}

// move pushes each player towards the speed that the player wants.
func (g *game) move(w *world.World, _ float64) {
	for i, b := range g.player {
		info, err := w.Body(b)
		if err != nil {
			continue
		}
		to := g.wish[i].direction()
		_ = w.Force(b, world.Vec{X: push * (speed*to.X - info.Velocity.X), Y: push * (speed*to.Y - info.Velocity.Y)})
	}
}

// count counts hits of the ball, and subtracts retracted ones.
func (g *game) count(e *engine.Engine) {
	for ev := range e.Events() {
		kind, by := ev.Kind, 1
		if kind == world.EventRetracted {
			kind, by = ev.Was, -1
		}
		for i, b := range g.player {
			if kind == world.ContactHit && (ev.A == b && ev.B == g.ball || ev.B == b && ev.A == g.ball) {
				g.hits[i] += by
			}
		}
	}
}
