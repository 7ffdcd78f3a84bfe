package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"halfstep/world"
)

// The court, in metres. The origin is in its middle.
const (
	halfWidth  = 8.0
	halfHeight = 4.5
	reach      = 7.2 // x of the paddles
	paddleW    = .15 // half the width and half the height of a paddle, m
	paddleH    = .8
	ballSize   = .16 // radius

	paddleSpeed = 9.0 // m/s
	serveSpeed  = 7.0
	topSpeed    = 20.0
)

// The sides: left, right.
const (
	left = iota
	right
	sides
)

// court is the part of the game that belongs to the physics goroutine. The
// handles never change after setup, so the other thread may read them.
type court struct {
	ball   world.Body
	paddle [sides]world.Body
	goal   [sides]world.Body

	wish   [sides]float64 // the speed that each player wants, m/s
	human  [sides]bool    // a person plays this side
	aim    [sides]float64 // the point of the paddle at which the computer wants to hit the ball, m
	source *rand.PCG      // source is the source of random.
	random *rand.Rand
}

// steer is the name under which the function for a player's input is registered, so
// that recordings can contain its calls. The arguments are the side and the speed in m/s.
const steer = "steer"

func newCourt() *court {
	source := rand.NewPCG(7, 7)
	return &court{source: source, random: rand.New(source)}
}

func (c *court) setup(w *world.World) (err error) {
	add := func(def world.BodyDef) world.Body {
		b, e := w.CreateBody(def)
		if e != nil && err == nil {
			err = fmt.Errorf("%s: %w", def.Name, e)
		}
		return b
	}
	// there is no friction, and bounces lose no speed
	slick := func(s world.ShapeDef) []world.ShapeDef {
		s.Friction, s.Restitution = 0, 1
		return []world.ShapeDef{s}
	}
	for _, y := range [...]float64{-halfHeight - .5, halfHeight + .5} {
		add(world.BodyDef{Name: "wall", Position: world.Vec{Y: y}, Shapes: slick(world.Box(2*halfWidth, .5))})
	}
	for side, sign := range [...]float64{-1, 1} {
		c.paddle[side] = add(world.BodyDef{
			Name: "paddle", Kind: world.Kinematic, Position: world.Vec{X: sign * reach}, NoSleep: true,
			Shapes: slick(world.Box(paddleW, paddleH)),
		})
		behind := world.Box(.5, halfHeight)
		behind.Sensor = true
		c.goal[side] = add(world.BodyDef{
			Name: "goal", Position: world.Vec{X: sign * (halfWidth + 1)}, Shapes: []world.ShapeDef{behind},
		})
	}
	c.ball = add(world.BodyDef{
		Name: "ball", Kind: world.Dynamic, FixedRotation: true, NoSleep: true, Bullet: true,
		Velocity: world.Vec{X: serveSpeed, Y: 2},
		Shapes:   slick(world.Circle(ballSize)),
	})
	w.Register(steer, func(_ *world.World, args []float64) {
		side := int(args[0]) & 1
		c.wish[side], c.human[side] = args[1], true
	})
	w.Keep(&c.wish, &c.human, &c.aim) // these variables go back in time with the world
	w.AddState(c.source)
	w.AddControllerEvery(6, world.ControllerFunc(c.think)) // the computer reacts 10 times a second
	w.AddController(world.ControllerFunc(c.move))
	w.AddContactHook(c.bounce)
	return err
}

// think plays for a player who has not touched a key. It moves the paddle after
// the ball, but a little too slowly.
func (c *court) think(w *world.World, _ float64) {
	ball, _ := w.Body(c.ball)
	for side := range c.paddle {
		if c.human[side] {
			continue
		}
		paddle, _ := w.Body(c.paddle[side])
		at := paddle.Position
		to := 0.0 // the middle of the court, while the ball moves away
		if ball.Velocity.X*at.X > 0 {
			to = ball.Position.Y + c.aim[side]
		}
		c.wish[side] = min(max(4*(to-at.Y), -.7*paddleSpeed), .7*paddleSpeed)
	}
}

func (c *court) move(w *world.World, dt float64) {
	for side, b := range c.paddle {
		paddle, err := w.Body(b)
		if err != nil {
			continue
		}
		at := paddle.Position
		const limit = halfHeight - paddleH
		y := min(max(at.Y+c.wish[side]*dt, -limit), limit)
		w.SetVelocity(b, world.Vec{Y: (y - at.Y) / dt})
	}
}

// bounce sends the ball off at an angle that depends on the place of the hit on
// the paddle, a little faster each time.
func (c *court) bounce(w *world.World, contacts []world.Event) {
	for _, met := range contacts {
		for side, b := range c.paddle {
			if met.Kind != world.ContactBegin || met.A != b && met.B != b {
				continue
			}
			ball, _ := w.Body(c.ball)
			paddle, _ := w.Body(b)
			at, v := paddle.Position, ball.Velocity
			speed := min(1.06*math.Hypot(v.X, v.Y), topSpeed)
			off := min(max((ball.Position.Y-at.Y)/paddleH, -1), 1)
			// never at a right angle to the wall: below 1 m/s nothing bounces off a wall in
			// Box2D
			angle := math.Copysign(.1+.8*math.Abs(off), off)
			sin, cos := math.Sincos(angle)
			w.SetVelocity(c.ball, world.Vec{X: math.Copysign(speed*cos, -at.X), Y: speed * sin})
			c.aim[side] = (2*c.random.Float64() - 1) * 1.1 * paddleH
		}
	}
}
