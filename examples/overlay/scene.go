package main

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"halfstep/engine"
	"halfstep/world"
)

const depth = 1.0 // the depth of a cube in m

// look is the block of a body in the picture. The engine does not use it.
type look struct {
	w, h, depth float32 // m
	colour      mgl32.Vec3
}

// scene is a stack of cubes, and a weight on a chain that swings into it.
type scene struct {
	engine *engine.Engine
	looks  map[world.Body]look
}

var colours = []mgl32.Vec3{{.85, .42, .31}, {.91, .66, .31}, {.36, .55, .72}, {.47, .64, .45}, {.62, .47, .68}}

func newScene(c engine.Config) (*scene, error) {
	s := &scene{looks: map[world.Body]look{}}
	c.Setup = s.setup
	e, err := engine.New(c)
	s.engine = e
	return s, err
}

// setup builds the world. The engine calls it before the first step.
func (s *scene) setup(w *world.World) error {
	// the floor has no look, because the painter draws it by itself
	if _, err := w.CreateBody(world.BodyDef{
		Name: "floor", Position: world.Vec{Y: -.5}, Shapes: []world.ShapeDef{world.Box(14, .5)},
	}); err != nil {
		return err
	}
	for row := range 5 {
		for i := range 5 - row {
			x, y := 1.5+float64(i)*1.06+float64(row)*.53, .5+float64(row)
			if _, err := s.block(w, world.Dynamic, x, y, 0, 1, 1, colours[(2*row+i)%len(colours)]); err != nil {
				return err
			}
		}
	}
	return s.pendulum(w, world.Vec{X: -1.5, Y: 7})
}

// pendulum hangs a weight on four bars from a hook, with the weight to the left.
func (s *scene) pendulum(w *world.World, hook world.Vec) error {
	const bar, angle = 1.2, -1.0
	steel := mgl32.Vec3{.55, .58, .62}
	last, err := s.block(w, world.Static, hook.X, hook.Y, 0, .5, .5, steel)
	if err != nil {
		return err
	}
	sin, cos := math.Sincos(angle)
	end := world.Vec{} // the lower end of the last bar, in the bar's own frame
	at := func(d float64) (x, y float64) { return hook.X + d*sin, hook.Y - d*cos }
	for i := range 5 {
		x, y := at((float64(i) + .5) * bar)
		width, height, top := .16, bar, bar/2
		colour := steel
		if i == 4 {
			x, y = at(4*bar + .7)
			width, height, top = 1.4, 1.4, .7
			colour = mgl32.Vec3{.30, .33, .38}
		}
		b, err := s.block(w, world.Dynamic, x, y, angle, width, height, colour)
		if err != nil {
			return err
		}
		if _, err := w.CreateJoint(world.JointDef{
			Kind: world.RevoluteJoint, A: last, B: b, AnchorA: end, AnchorB: world.Vec{Y: top},
		}); err != nil {
			return err
		}
		last, end = b, world.Vec{Y: -top}
	}
	return nil
}

func (s *scene) block(w *world.World, kind world.BodyKind, x, y, angle, width, height float64, colour mgl32.Vec3) (world.Body, error) {
	shape := world.Box(width/2, height/2)
	shape.Friction = .6
	b, err := w.CreateBody(world.BodyDef{
		Kind: kind, Position: world.Vec{X: x, Y: y}, Angle: angle, Shapes: []world.ShapeDef{shape},
	})
	s.looks[b] = look{float32(width), float32(height), float32(min(width, depth)), colour}
	return b, err
}

func (s *scene) draw(p *painter, seconds float64) {
	for b, at := range s.engine.Poses() {
		if l, ok := s.looks[b]; ok {
			p.add(mgl32.Translate3D(float32(at.X), float32(at.Y), 0).
				Mul4(mgl32.HomogRotate3DZ(float32(at.Angle))).
				Mul4(mgl32.Scale3D(l.w, l.h, l.depth)), l.colour)
		}
	}
	for i := range 5 {
		turn := float32(seconds)*.4 + float32(i)
		p.add(mgl32.Translate3D(float32(4*i-8), 1.3+.4*float32(math.Sin(float64(turn))), -6).
			Mul4(mgl32.HomogRotate3DY(turn)).Mul4(mgl32.HomogRotate3DX(turn)), mgl32.Vec3{.50, .55, .60})
	}
	p.end()
}
