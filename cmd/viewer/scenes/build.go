package scenes

import (
	"math"
	"slices"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/world"
)

type vec = world.Vec

// builder makes bodies and joints. It keeps the first error, and makes nothing more after
// it.
type builder struct {
	w   *world.World
	err error
}

// build turns a function that uses a builder into a Setup.
func build(f func(b *builder)) func(*world.World) error {
	return func(w *world.World) error {
		b := &builder{w: w}
		f(b)
		return b.err
	}
}

// config returns the configuration of most scenes, with gravity (0, -10).
func config(f func(b *builder)) func() engine.Config {
	return func() engine.Config { return engine.Config{Setup: build(f)} }
}

// sturdy returns the configuration of config with the soft stepper. It is for piles, ropes
// and bridges.
func sturdy(f func(b *builder)) func() engine.Config {
	return func() engine.Config {
		return engine.Config{World: world.Config{Stepper: world.SoftStep}, Setup: build(f)}
	}
}

// weightless returns the configuration of config without gravity.
func weightless(f func(b *builder)) func() engine.Config {
	return func() engine.Config {
		return engine.Config{World: world.Config{NoGravity: true}, Setup: build(f)}
	}
}

func (b *builder) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

func (b *builder) body(d world.BodyDef) world.Body {
	if b.err != nil {
		return 0
	}
	n, err := b.w.CreateBody(d)
	b.fail(err)
	return n
}

func (b *builder) static(name string, shapes ...world.ShapeDef) world.Body {
	return b.body(world.BodyDef{Name: name, Shapes: shapes})
}

func (b *builder) dynamic(name string, p vec, shapes ...world.ShapeDef) world.Body {
	return b.body(world.BodyDef{Name: name, Kind: world.Dynamic, Position: p, Shapes: shapes})
}

func (b *builder) shape(n world.Body, s world.ShapeDef) {
	if b.err == nil {
		_, err := b.w.CreateShape(n, s)
		b.fail(err)
	}
}

func (b *builder) joint(d world.JointDef) world.Joint {
	if b.err != nil {
		return 0
	}
	n, err := b.w.CreateJoint(d)
	b.fail(err)
	return n
}

// at makes a joint with a single anchor, which is a point of the world.
func (b *builder) at(at vec, d world.JointDef) world.Joint {
	d.Anchor = &at
	return b.joint(d)
}

func (b *builder) hinge(body1, body2 world.Body, at vec) world.Joint {
	return b.at(at, world.JointDef{Kind: world.RevoluteJoint, A: body1, B: body2})
}

// control adds a function that runs before every step.
func (b *builder) control(f func(w *world.World, dt float64)) {
	b.w.AddController(world.ControllerFunc(f))
}

// every adds a function that runs before the first step, and then once per period of
// simulated time. The number n counts the calls from 0.
func (b *builder) every(seconds float64, f func(w *world.World, n int)) {
	due, n := 0.0, 0
	b.w.Keep(&due, &n) // a snapshot of the world then includes these variables
	b.control(func(w *world.World, dt float64) {
		if due -= dt; due > -dt/2 { // half a step of tolerance allows for rounding
			return
		}
		due += seconds
		f(w, n)
		n++
	})
}

// untouched is the filter of decorative shapes, which collide with nothing.
var untouched = world.Filter{Category: 1 << 15}

// solid is a filter for queries that do not find untouched shapes.
var solid = world.QueryFilter{Mask: 1<<15 - 1}

// ghostly returns the shape with the filter untouched.
func ghostly(s world.ShapeDef) world.ShapeDef {
	s.Filter = untouched
	return s
}

// isHeld reports whether a body has a joint, such as the joint with which the user drags the
// body.
func isHeld(w *world.World, b world.Body) bool {
	for range w.JointsOf(b) {
		return true
	}
	return false
}

// destroy destroys all bodies that have one of the names.
func destroy(w *world.World, names ...string) {
	for n := range w.Bodies() {
		if b, err := w.Body(n); err == nil && slices.Contains(names, b.Name) {
			w.DestroyBody(n)
		}
	}
}

// carry moves a kinematic body to a position by the end of the step. If the position is far
// away, the body jumps.
func carry(w *world.World, n world.Body, to vec, dt float64) {
	b, err := w.Body(n)
	if err != nil {
		return
	}
	d := vec{X: to.X - b.Position.X, Y: to.Y - b.Position.Y}
	if math.Hypot(d.X, d.Y) > 1 {
		w.Teleport(n, to, b.Angle)
		d = vec{}
	}
	w.SetVelocity(n, vec{X: d.X / dt, Y: d.Y / dt})
}

// stands reports whether something solid supports a body from below.
func stands(w *world.World, n world.Body) bool {
	held := false
	w.BodyContacts(n, func(c world.Contact) bool {
		held = c.Normal.Y < -.6 // away from the body
		return !held
	})
	return held
}

// boxAt returns a box at (x, y) in the body's frame, with half sizes hx and hy in m, turned
// by an angle in rad.
func boxAt(x, y, hx, hy, angle float64) world.ShapeDef {
	sin, cos := math.Sincos(angle)
	var p [4]vec
	for i, c := range [4]vec{{X: -hx, Y: -hy}, {X: hx, Y: -hy}, {X: hx, Y: hy}, {X: -hx, Y: hy}} {
		p[i] = vec{X: x + cos*c.X - sin*c.Y, Y: y + sin*c.X + cos*c.Y}
	}
	return world.Polygon(p[:]...)
}

func regular(corners int, radius float64) world.ShapeDef {
	return world.Polygon(ring(corners, radius)...)
}

// ring returns points on a circle about the origin, in counter-clockwise order.
func ring(n int, radius float64) []vec {
	p := make([]vec, n)
	for i := range p {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		p[i] = vec{X: radius * cos, Y: radius * sin}
	}
	return p
}

func dense(s world.ShapeDef, density float64) world.ShapeDef {
	s.Density = density
	return s
}

func rough(s world.ShapeDef, friction float64) world.ShapeDef {
	s.Friction = friction
	return s
}

func bouncy(s world.ShapeDef, restitution float64) world.ShapeDef {
	s.Restitution = restitution
	return s
}

func sensor(s world.ShapeDef) world.ShapeDef {
	s.Sensor = true
	return s
}

func coloured(s world.ShapeDef, c body2d.Colour) world.ShapeDef {
	s.Colour = c
	return s
}

func rgb(hex uint32) body2d.Colour {
	return body2d.Colour{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

// random is a linear congruential generator. Each scene has a generator of its own, so that
// every run gets the same numbers.
type random uint32

func (r *random) next() float64 {
	*r = *r*1664525 + 1013904223
	return float64(*r>>8) / (1 << 24)
}

func (r *random) between(lo, hi float64) float64 { return lo + (hi-lo)*r.next() }
