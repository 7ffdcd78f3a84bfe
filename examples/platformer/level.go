package main

import (
	"fmt"
	"math"

	"halfstep/buffer/body2d"
	"halfstep/world"
	"halfstep/world/walker"
)

var (
	grass  = body2d.Colour{77, 128, 89, 255}
	wood   = body2d.Colour{184, 135, 84, 255}
	steel  = body2d.Colour{128, 143, 168, 255}
	rubber = body2d.Colour{71, 71, 87, 255}
	gold   = body2d.Colour{250, 204, 71, 255}
	rock   = body2d.Colour{115, 107, 107, 255}
	red    = body2d.Colour{230, 92, 79, 255}
	dim    = body2d.Colour{190, 198, 210, 255} // dim is the colour of text.
	unseen = body2d.Colour{3: 1}               // with all values 0 the renderer would choose the colour
)

const (
	planks     = 12
	plankHalf  = .35    // m
	bridgeFrom = 26.0   // m
	bridgeHeld = 2500.0 // N
)

// level is the world and its own events. It belongs to the physics goroutine. The
// handles never change after setup, so the other thread may read them.
type level struct {
	hero     *walker.Walker
	lift     world.Body
	coins    []world.Body
	trigger  world.Body // the boulder falls when the player gets here
	goal     world.Body
	released bool // the boulder
}

func (l *level) setup(w *world.World) error {
	b := builder{w: w, l: l}
	b.block("wall", -2.5, 3, .5, 5, grass)
	for _, x := range [][2]float64{{-2, 10}, {18, 20.5}, {24.5, 26}, {34.4, 46}} {
		b.block("ground", (x[0]+x[1])/2, -1, (x[1]-x[0])/2, 1, grass)
	}
	b.block("ground", 22.5, -1.4, 2, .6, grass) // under the belt

	// One-way platforms: the player jumps through them from below, lands on them
	// and can drop through.
	for _, p := range []world.Vec{{X: 4, Y: 1.6}, {X: 6.5, Y: 3.2}} {
		b.add(world.BodyDef{Name: "one-way", Position: p}, wood, 1.2, .1, func(s *world.ShapeDef) { s.OneWay = world.Vec{Y: 1} })
	}

	// A kinematic platform crosses the gap.
	l.lift = b.add(world.BodyDef{Name: "lift", Kind: world.Kinematic, Position: world.Vec{X: 11.6, Y: -.15}}, steel, 1.3, .15, nil)

	// A conveyor belt runs against the player.
	b.add(world.BodyDef{Name: "belt", Position: world.Vec{X: 22.5, Y: -.4}}, rubber, 2, .4, func(s *world.ShapeDef) {
		s.SurfaceSpeed, s.Friction = -2.5, 1
	})

	b.bridge()

	for _, p := range []world.Vec{{X: 2, Y: .6}, {X: 4, Y: 2.3}, {X: 6.5, Y: 3.9}, {X: 7, Y: .6}, {X: 14, Y: .7}, {X: 22.5, Y: .7}, {X: 30.2, Y: .2}, {X: 37, Y: .6}} {
		l.coins = append(l.coins, b.sensor(world.BodyDef{Name: "coin", Position: p}, coinShape(), gold))
	}
	l.trigger = b.sensor(world.BodyDef{Name: "trigger", Position: world.Vec{X: 36, Y: 2}}, world.Box(.2, 2), unseen)
	l.goal = b.sensor(world.BodyDef{Name: "goal", Position: world.Vec{X: 42, Y: 1.2}}, world.Box(.1, 1.2), red)
	w.AddController(world.ControllerFunc(l.moveLift)) // before the player's controller, because the player rides on the lift
	b.player()
	if b.err != nil {
		return b.err
	}
	w.Keep(&l.released) // released goes back in time with the world
	w.AddContactHook(l.touched)
	return nil
}

// moveLift moves the platform to and fro. It sets the platform's velocity, so
// that the platform carries the bodies on it.
func (l *level) moveLift(w *world.World, dt float64) {
	at, err := w.Body(l.lift)
	if err != nil {
		return
	}
	t := float64(w.Tick()) * dt
	to := 14 - 2.4*math.Cos(.9*t)
	_ = w.SetVelocity(l.lift, world.Vec{X: (to - at.Position.X) / dt})
}

func (l *level) touched(w *world.World, events []world.Event) {
	for _, ev := range events {
		if ev.Kind != world.SensorBegin || ev.B != l.hero.Body {
			continue
		}
		switch {
		case ev.NameA == "coin":
			_ = w.DestroyBody(ev.A)
		case ev.A == l.trigger && !l.released:
			l.released = true
			stone := world.Circle(.9)
			stone.Density = 60
			_, _ = w.CreateBody(world.BodyDef{
				Name: "boulder", Kind: world.Dynamic, Position: world.Vec{X: bridgeFrom + 4.2, Y: 9},
				Shapes: []world.ShapeDef{stone}, Colour: rock,
			})
		}
	}
}

type builder struct {
	w   *world.World
	l   *level
	err error
}

func (b *builder) body(d world.BodyDef) world.Body {
	if b.err != nil {
		return 0
	}
	made, err := b.w.CreateBody(d)
	if err != nil {
		b.err = fmt.Errorf("%s: %w", d.Name, err)
	}
	return made
}

// add makes a body with one box. The function change may change the box's
// definition.
func (b *builder) add(d world.BodyDef, colour body2d.Colour, hx, hy float64, change func(*world.ShapeDef)) world.Body {
	s := world.Box(hx, hy)
	s.Friction = .8
	if change != nil {
		change(&s)
	}
	d.Shapes, d.Colour = []world.ShapeDef{s}, colour
	return b.body(d)
}

// block makes a static box with its centre at (x, y).
func (b *builder) block(name string, x, y, hx, hy float64, colour body2d.Colour) {
	b.add(world.BodyDef{Name: name, Position: world.Vec{X: x, Y: y}}, colour, hx, hy, nil)
}

func (b *builder) sensor(d world.BodyDef, s world.ShapeDef, colour body2d.Colour) world.Body {
	s.Sensor = true
	d.Shapes, d.Colour = []world.ShapeDef{s}, colour
	return b.body(d)
}

func (b *builder) bridge() {
	post := func(x float64) world.Body {
		return b.add(world.BodyDef{Name: "post", Position: world.Vec{X: x, Y: -.1}}, wood, .1, .1, nil)
	}
	last, anchor := post(bridgeFrom-.1), world.Vec{X: .1}
	join := func(to world.Body, at world.Vec) {
		if b.err == nil {
			_, b.err = b.w.CreateJoint(world.JointDef{
				Kind: world.RevoluteJoint, A: last, B: to, AnchorA: anchor, AnchorB: at, BreakForce: bridgeHeld, Name: "rope",
			})
		}
	}
	for i := range planks {
		p := b.add(world.BodyDef{
			Name: "plank", Kind: world.Dynamic, AngularDamping: 2, LinearDamping: .3,
			Position: world.Vec{X: bridgeFrom + (2*float64(i)+1)*plankHalf, Y: -.1},
		}, wood, plankHalf-.02, .08, func(s *world.ShapeDef) { s.Density = 12 })
		join(p, world.Vec{X: -plankHalf})
		last, anchor = p, world.Vec{X: plankHalf}
	}
	join(post(bridgeFrom+2*planks*plankHalf+.1), world.Vec{X: -.1})
}

// coinShape is a polygon, because a disc would be drawn with a line across it,
// like a wheel.
func coinShape() world.ShapeDef {
	var points []world.Vec
	for i := range 8 {
		sin, cos := math.Sincos(math.Pi / 4 * (float64(i) + .5))
		points = append(points, world.Vec{X: .25 * cos, Y: .25 * sin})
	}
	return world.Polygon(points...)
}
