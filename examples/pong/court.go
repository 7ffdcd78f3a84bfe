package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"halfstep/engine"
)

// The court, in metres; its middle is the origin.
const (
	halfWidth  = 8.0
	halfHeight = 4.5
	reach      = 7.2 // x of the paddles
	paddleW    = .15 // half extents
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

// court is the part of the game that lives with the world. After setup it
// belongs to the physics goroutine, but for the handles, which never change.
type court struct {
	ball   engine.Body
	paddle [sides]engine.Body
	goal   [sides]engine.Body

	wish   [sides]float64 // what each paddle's player wants, m/s
	human  [sides]bool
	aim    [sides]float64 // where on its paddle a machine wants the ball, m
	random *rand.Rand
}

// steer is the one thing that a player does: the arguments are the side and the
// speed in m/s. It has a name so that a recording can keep it.
const steer = "steer"

func newCourt() *court { return &court{random: rand.New(rand.NewPCG(7, 7))} }

// setup builds the world.
func (c *court) setup(w *engine.World) (err error) {
	add := func(def engine.BodyDef) engine.Body {
		b, e := w.CreateBody(def)
		if e != nil && err == nil {
			err = fmt.Errorf("%s: %w", def.Name, e)
		}
		return b
	}
	// Nothing here rubs, and everything bounces without loss.
	slick := func(s engine.ShapeDef) []engine.ShapeDef {
		s.Friction, s.Restitution = 0, 1
		return []engine.ShapeDef{s}
	}
	for _, y := range [...]float64{-halfHeight - .5, halfHeight + .5} {
		add(engine.BodyDef{Name: "wall", Position: engine.Vec{Y: y}, Shapes: slick(engine.BoxShape(2*halfWidth, .5))})
	}
	for side, sign := range [...]float64{-1, 1} {
		c.paddle[side] = add(engine.BodyDef{
			Name: "paddle", Kind: engine.Kinematic, Position: engine.Vec{X: sign * reach}, NoSleep: true,
			Shapes: slick(engine.BoxShape(paddleW, paddleH)),
		})
		behind := engine.BoxShape(.5, halfHeight)
		behind.Sensor = true
		c.goal[side] = add(engine.BodyDef{
			Name: "goal", Position: engine.Vec{X: sign * (halfWidth + 1)}, Shapes: []engine.ShapeDef{behind},
		})
	}
	c.ball = add(engine.BodyDef{
		Name: "ball", Kind: engine.Dynamic, FixedRotation: true, NoSleep: true, Bullet: true,
		Velocity: engine.Vec{X: serveSpeed, Y: 2},
		Shapes:   slick(engine.CircleShape(0, 0, ballSize)),
	})
	w.Register(steer, func(_ *engine.World, args []float64) {
		side := int(args[0]) & 1
		c.wish[side], c.human[side] = args[1], true
	})
	w.AddControllerEvery(6, engine.ControllerFunc(c.think)) // the machine's reactions: 10 a second
	w.AddController(engine.ControllerFunc(c.move))
	w.AddContactHook(c.bounce)
	return err
}

// think is the machine that plays for whoever has not touched a key: it follows
// the ball, not quite fast enough.
func (c *court) think(w *engine.World, _ float64) {
	ball, _, _ := w.Position(c.ball)
	v, _ := w.Velocity(c.ball)
	for side := range c.paddle {
		if c.human[side] {
			continue
		}
		at, _, _ := w.Position(c.paddle[side])
		to := 0.0 // the middle, while the ball goes away
		if v.X*at.X > 0 {
			to = ball.Y + c.aim[side]
		}
		c.wish[side] = min(max(4*(to-at.Y), -.7*paddleSpeed), .7*paddleSpeed)
	}
}

// move moves the paddles as their players wish, and stops them at the walls.
func (c *court) move(w *engine.World, dt float64) {
	for side, b := range c.paddle {
		at, _, err := w.Position(b)
		if err != nil {
			continue
		}
		const limit = halfHeight - paddleH
		y := min(max(at.Y+c.wish[side]*dt, -limit), limit)
		w.SetVelocity(b, engine.Vec{Y: (y - at.Y) / dt})
	}
}

// bounce sends the ball off as the place says where it met a paddle, and a
// little faster each time.
func (c *court) bounce(w *engine.World, contacts []engine.Event) {
	for _, met := range contacts {
		for side, b := range c.paddle {
			if met.Kind != engine.Begin || met.A != b && met.B != b {
				continue
			}
			ball, _, _ := w.Position(c.ball)
			at, _, _ := w.Position(b)
			v, _ := w.Velocity(c.ball)
			speed := min(1.06*math.Hypot(v.X, v.Y), topSpeed)
			off := min(max((ball.Y-at.Y)/paddleH, -1), 1)
			// Never quite level: below 1 m/s Box2D bounces nothing off a wall.
			angle := math.Copysign(.1+.8*math.Abs(off), off)
			sin, cos := math.Sincos(angle)
			w.SetVelocity(c.ball, engine.Vec{X: math.Copysign(speed*cos, -at.X), Y: speed * sin})
			c.aim[side] = (2*c.random.Float64() - 1) * 1.1 * paddleH
		}
	}
}
