package main

import (
	"math"
	"math/rand/v2"

	"halfstep/engine"
	"halfstep/world"
)

// look is the program's data for drawing a body. The engine does not use it.
type look struct {
	round  bool
	w, h   float64 // half the width and half the height, m; a ball has its radius in both
	colour colour
	hit    float64 // how bright the body is after a hit; fades
	doomed bool    // doomed says that the removal of the body was requested.
}

// scene is a ground and the bodies dropped on it.
type scene struct {
	engine *engine.Engine
	looks  map[world.Body]*look
	random *rand.Rand
}

func newScene(c engine.Config) (*scene, error) {
	e, err := engine.New(c)
	if err != nil {
		return nil, err
	}
	s := &scene{engine: e, looks: map[world.Body]*look{}, random: rand.New(rand.NewPCG(1, 2))}
	s.ground(0, -.5, 16, .5, 0)
	s.ground(-9, 3, 4, .2, -.35)
	s.ground(9, 3, 4, .2, .35)
	for i := range 24 {
		s.drop(float64(i%6)*1.6-4, 4+1.7*float64(i/6))
	}
	return s, nil
}

func (s *scene) ground(x, y, w, h, angle float64) {
	s.add(world.BodyDef{
		Position: world.Vec{X: x, Y: y}, Angle: angle,
		Shapes: []world.ShapeDef{world.Box(w, h)},
	}, look{w: w, h: h, colour: colour{70, 78, 92, 255}})
}

func (s *scene) drop(x, y float64) {
	l := look{
		round: s.random.IntN(3) == 0, w: .3 + .3*s.random.Float64(),
		colour: colours[s.random.IntN(len(colours))],
	}
	var shape world.ShapeDef
	if l.round {
		l.h = l.w
		shape = world.Circle(l.w)
		shape.Restitution = .6
	} else {
		l.h = .3 + .3*s.random.Float64()
		shape = world.Box(l.w, l.h)
		shape.Restitution = .1
	}
	s.add(world.BodyDef{
		Kind: world.Dynamic, Position: world.Vec{X: x, Y: y},
		Angle:  s.random.Float64() * math.Pi,
		Shapes: []world.ShapeDef{shape},
	}, l)
}

// add creates a body. Its handle can be used at once. Physics creates the body
// before its next step; until then it has no pose.
func (s *scene) add(def world.BodyDef, l look) { s.looks[s.engine.CreateBody(def)] = &l }

func (s *scene) remove(x, y float64) {
	if b, ok := s.engine.Pick(x, y); ok {
		s.destroy(b)
	}
}

// destroy removes a body. Its look is deleted when the body is gone: see events.
func (s *scene) destroy(b world.Body) {
	if l := s.looks[b]; l != nil && !l.doomed {
		l.doomed = true
		s.engine.DestroyBody(b)
	}
}

func (s *scene) push(x, y, strength float64) {
	if b, ok := s.engine.Pick(x, y); ok {
		s.engine.ImpulseAt(b, world.Vec{Y: 3 * strength}, world.Vec{X: x, Y: y})
	}
}

// events handles the events up to the moment that this frame shows.
func (s *scene) events() {
	for ev := range s.engine.Events() {
		switch ev.Kind {
		case world.ContactHit:
			for _, b := range [...]world.Body{ev.A, ev.B} {
				if l := s.looks[b]; l != nil {
					l.hit = max(l.hit, min(ev.Impulse/10, 1))
				}
			}
		case world.BodyRemoved:
			delete(s.looks, ev.A)
		}
	}
}

func (s *scene) draw(p *painter) {
	for b, at := range s.engine.Poses() {
		l := s.looks[b]
		if l == nil {
			continue
		}
		if at.Y < -20 {
			s.destroy(b)
		}
		p.add(at.X, at.Y, at.Angle, l.w, l.h, l.round, l.colour.lighter(l.hit))
		l.hit *= .9
	}
}
