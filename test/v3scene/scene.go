// Package v3scene builds the ten scenes of Box2D v3's own benchmark with package world, at the
// sizes and with the numbers of its release build.
//
// Every scene is played in steps of 1/60 s with four sub-steps. The scenes have the same bits on
// every machine: products are converted before they are added, so that no compiler fuses a
// product and a sum.
package v3scene

import (
	"fmt"
	"strings"

	"halfstep/world"
)

// StepSeconds is the length of a step, s.
const StepSeconds = 1.0 / 60

// Scene is one of the ten scenes.
type Scene struct {
	Name   string
	Steps  int          // the number of steps that the benchmark plays
	Config world.Config // without the stepper and the number of workers

	build   func(*builder)
	outside func(world.Vec) bool // whether no dynamic body should be at a place; nil if a body may be anywhere
}

var scenes = []Scene{
	{"compounds", 500, world.Config{}, compounds, func(p world.Vec) bool { return !between(p.X, 40.5) || p.Y < -.5 }},
	{"joint_grid", 500, world.Config{NoSleep: true}, jointGrid, nil},
	{"junkyard", 800, world.Config{}, junkyard, func(p world.Vec) bool { return !between(p.X, 80.5) || p.Y < .25 }},
	{"large_pyramid", 500, world.Config{NoSleep: true}, largePyramid, func(p world.Vec) bool { return p.Y < 0 }},
	{"many_pyramids", 200, world.Config{NoSleep: true}, manyPyramids, func(p world.Vec) bool { return p.Y < 0 }},
	{"rain", 1000, world.Config{}, rain, func(p world.Vec) bool { return p.Y < 0 }},
	{"smash", 300, world.Config{NoGravity: true}, smash, nil},
	{"spinner", 500, world.Config{}, spinner, func(p world.Vec) bool { return p.Sub(world.Vec{Y: 32}).Len() > 40 }},
	{"tumbler", 750, world.Config{}, tumbler, func(p world.Vec) bool { return p.Sub(world.Vec{Y: 10}).Len() > 14.5 }},
	{"washer", 500, world.Config{}, washer, func(p world.Vec) bool { return p.Sub(world.Vec{Y: 10}).Len() > 17 }},
}

func between(x, limit float64) bool { return -limit <= x && x <= limit }

// Names are the names of the scenes, in the benchmark's order.
func Names() (names []string) {
	for _, s := range scenes {
		names = append(names, s.Name)
	}
	return names
}

// Find returns the scene with a name. The error lists the names.
func Find(name string) (Scene, error) {
	for _, s := range scenes {
		if s.Name == name {
			return s, nil
		}
	}
	return Scene{}, fmt.Errorf("no scene %q; there are %s", name, strings.Join(Names(), ", "))
}

// Simulation builds the scene. A scene that acts during steps does so in a controller, which
// panics if the world rejects an action.
func (s Scene) Simulation(stepper world.Stepper, workers int) *world.Simulation {
	c := s.Config
	c.Stepper, c.Workers, c.SubSteps = stepper, workers, 4
	sim := world.NewSimulation(c)
	s.build(&builder{sim.World()})
	return sim
}

// builder makes bodies and joints. It panics if the world rejects one.
type builder struct{ w *world.World }

func must[T any](made T, err error) T {
	if err != nil {
		panic(err)
	}
	return made
}

func (b *builder) fixed(shapes ...world.ShapeDef) world.Body {
	return must(b.w.CreateBody(world.BodyDef{Shapes: shapes}))
}

func (b *builder) loose(x, y float64, shapes ...world.ShapeDef) world.Body {
	return must(b.w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: x, Y: y}, Shapes: shapes}))
}

// beforeEach calls f before each step with the number of steps done.
func (b *builder) beforeEach(f func(step int)) {
	b.w.AddController(world.ControllerFunc(func(w *world.World, _ float64) { f(int(w.Tick())) }))
}

// usual gives a shape the defaults of v3's benchmark.
func usual(d world.ShapeDef) world.ShapeDef {
	d.Density, d.Friction, d.Restitution = 1, .6, 0
	return d
}

func block(x, y, hx, hy float64) world.ShapeDef {
	return usual(world.BoxAt(world.Vec{X: x, Y: y}, hx, hy, 0))
}

func polar(radius, angle float64) world.Vec { return world.Vec{X: radius}.Rotate(angle) }
