package main

import (
	"math/rand/v2"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/world"
)

// look is the page's data for drawing a body. The engine does not use it.
type look struct {
	round  bool
	w, h   float64 // half the width and half the height, m; a ball has its radius in both
	colour string  // as in CSS
}

var colours = []string{"#de7a5c", "#78a878", "#6a8ebe", "#d6b45c", "#a080b8"}

type scene struct {
	engine *engine.Engine
	looks  map[world.Body]look
	random *rand.Rand
}

// newScene starts physics.
//
// A browser runs Go on one thread. So a frame cannot be drawn during a step, and
// nothing is lost if the frame waits for its step: Lockstep saves one frame of
// latency.
func newScene(c engine.Config) (*scene, error) {
	c.Time.Sync = renderloop.Lockstep
	e, err := engine.New(c)
	if err != nil {
		return nil, err
	}
	s := &scene{engine: e, looks: map[world.Body]look{}, random: rand.New(rand.NewPCG(1, 2))}
	for _, g := range []struct{ x, y, w, angle float64 }{{0, -.5, 16, 0}, {-8, 3, 4, -.35}, {8, 3, 4, .35}} {
		s.add(world.BodyDef{
			Position: world.Vec{X: g.x, Y: g.y}, Angle: g.angle,
			Shapes: []world.ShapeDef{world.Box(g.w, .4)},
		}, look{w: g.w, h: .4, colour: "#464e5c"})
	}
	for i := range 24 {
		s.drop(float64(i%6)*1.6-4, 4+1.7*float64(i/6))
	}
	return s, nil
}

func (s *scene) add(def world.BodyDef, l look) { s.looks[s.engine.CreateBody(def)] = l }

func (s *scene) drop(x, y float64) {
	l := look{w: .3 + .3*s.random.Float64(), h: .3 + .3*s.random.Float64(), colour: colours[s.random.IntN(len(colours))]}
	shape := world.Box(l.w, l.h)
	if l.round = s.random.IntN(3) == 0; l.round {
		l.h, shape = l.w, world.Circle(l.w)
	}
	s.add(world.BodyDef{
		Kind: world.Dynamic, Position: world.Vec{X: x, Y: y}, Angle: s.random.Float64(),
		Shapes: []world.ShapeDef{shape},
	}, l)
}

// frame calls draw with the shown place of every body in this frame.
func (s *scene) frame(draw func(l look, x, y, angle float64)) {
	for ev := range s.engine.Events() {
		if ev.Kind == world.BodyRemoved {
			delete(s.looks, ev.A)
		}
	}
	for b, at := range s.engine.Poses() {
		if at.Y < -20 {
			s.engine.DestroyBody(b)
		}
		draw(s.looks[b], at.X, at.Y, at.Angle)
	}
}

// hash asks for the hash of the world and returns it, with its tick. Two runs with
// the same bits have the same hash.
func (s *scene) hash() (tick, hash uint64) {
	world.Ask(s.engine.Commands, (*world.World).Hash, func(t, h uint64) { tick, hash = t, h })
	s.engine.Step(0)
	for range s.engine.Events() { // the answer is among these events
	}
	return tick, hash
}
