package main

import (
	"math"
	"math/rand/v2"

	"halfstep/buffer/body2d"
	"halfstep/engine/core"
	"halfstep/physicsloop"
)

// state is the data of a body in the picture at one tick. It has no pointers. The
// simulation writes the states anew at every tick, and the loop passes them on
// without a copy.
type state struct {
	place  [3]float32 // m
	facing quat
}

// command is one change to the simulation.
type command struct {
	kick   [3]float64 // change of the star's velocity, m/s
	report bool       // answer with an event
}

// event is the answer to a report.
type event struct {
	tick     uint64
	energy   float64 // J, kinetic and potential
	momentum float64 // kg·m/s
	spin     float64 // J, energy of rotation
}

// body is a box that attracts other bodies and tumbles. Its rotation does not
// depend on where it is.
type body struct {
	mass     float64 // kg
	extent   [3]float64
	place    [3]float64
	velocity [3]float64
	pull     [3]float64 // acceleration, m/s²
	facing   quat64
	angular  [3]float64 // angular momentum in the body's own frame, kg·m²/s
}

// gravity is large, so that something happens within seconds.
const (
	gravity  = 1.0 // m³/(kg·s²)
	softness = .15 // m; limits the force between two bodies that are very close
)

// system implements physicsloop.Simulation. It belongs to the physics goroutine
// once the loop has started.
type system struct {
	core.Base[event, command]
	bodies []body
}

var _ physicsloop.Simulation[state, event, command] = (*system)(nil)

func newSystem(n int) *system {
	r := rand.New(rand.NewPCG(3, 1))
	star := body{mass: 400, extent: [3]float64{.8, .8, .8}, facing: quat64{1, 0, 0, 0}, angular: [3]float64{0, 60, 0}}
	s := &system{bodies: []body{star}}
	for len(s.bodies) < n {
		radius := 4 + 8*r.Float64()
		sin, cos := math.Sincos(2 * math.Pi * r.Float64())
		speed := math.Sqrt(gravity * star.mass / radius)
		b := body{
			mass:     .2 + .6*r.Float64(),
			place:    [3]float64{radius * cos, r.NormFloat64() * .3, radius * sin},
			velocity: [3]float64{-speed * sin, 0, speed * cos},
			extent:   [3]float64{.5, .3, .12}, // rotation about the middle axis is unstable
			facing:   quat64{1, 0, 0, 0},
		}
		i := b.inertia()
		b.angular = [3]float64{.1 * i[0], (1 + 4*r.Float64()) * i[1], .1 * i[2]}
		s.bodies = append(s.bodies, b)
	}
	s.attract()
	return s
}

// inertia is that of a solid box about its principal axes, kg·m².
func (b *body) inertia() [3]float64 {
	x, y, z := b.extent[0]*b.extent[0], b.extent[1]*b.extent[1], b.extent[2]*b.extent[2]
	return [3]float64{b.mass / 3 * (y + z), b.mass / 3 * (x + z), b.mass / 3 * (x + y)}
}

// Apply carries out a command between two steps.
func (s *system) Apply(tick uint64, c *command, _ bool) {
	if c.report {
		e := s.measure()
		e.tick = tick
		s.Out.Events.Append(e)
	}
	for k := range 3 {
		s.bodies[0].velocity[k] += c.kick[k]
	}
}

// Step advances the system by dt with the leapfrog method: half a kick, a drift,
// half a kick. With this method the energy does not drift.
func (s *system) Step(_ uint64, dt float64) {
	s.kick(dt / 2)
	for i := range s.bodies {
		b := &s.bodies[i]
		for k := range 3 {
			b.place[k] += dt * b.velocity[k]
		}
		b.tumble(dt)
	}
	s.attract()
	s.kick(dt / 2)
}

func (s *system) kick(dt float64) {
	for i := range s.bodies {
		for k := range 3 {
			s.bodies[i].velocity[k] += dt * s.bodies[i].pull[k]
		}
	}
}

// attract computes the acceleration of each body.
func (s *system) attract() {
	for i := range s.bodies {
		s.bodies[i].pull = [3]float64{}
	}
	for i := range s.bodies {
		for j := range i {
			a, b := &s.bodies[i], &s.bodies[j]
			d, r := between(a, b)
			f := gravity / (r * r * r)
			for k := range 3 {
				a.pull[k] += f * b.mass * d[k]
				b.pull[k] -= f * a.mass * d[k]
			}
		}
	}
}

// between returns the vector from a to b, and its length with the softness added.
func between(a, b *body) (d [3]float64, r float64) {
	sum := softness * softness
	for k := range 3 {
		d[k] = b.place[k] - a.place[k]
		sum += d[k] * d[k]
	}
	return d, math.Sqrt(sum)
}

// tumble turns a body on which no torque acts. It turns the body exactly about one
// principal axis after the other and back, so the angular momentum stays the same.
func (b *body) tumble(dt float64) {
	inertia := b.inertia()
	for _, part := range [...]struct {
		axis  int
		share float64
	}{{0, .5}, {1, .5}, {2, 1}, {1, .5}, {0, .5}} {
		i := part.axis
		angle := part.share * dt * b.angular[i] / inertia[i]
		j, k := (i+1)%3, (i+2)%3
		sin, cos := math.Sincos(angle)
		b.angular[j], b.angular[k] = cos*b.angular[j]+sin*b.angular[k], cos*b.angular[k]-sin*b.angular[j]
		b.facing = b.facing.about(i, angle)
	}
	b.facing = b.facing.unit()
}

// Capture writes every body's state.
func (s *system) Capture(dst []state) []state {
	for i := range s.bodies {
		b := &s.bodies[i]
		dst = append(dst, state{
			place:  [3]float32{float32(b.place[0]), float32(b.place[1]), float32(b.place[2])},
			facing: b.facing.short(),
		})
	}
	return dst
}

// Counts returns counters for display.
func (s *system) Counts() body2d.Counts {
	return body2d.Counts{Bodies: int32(len(s.bodies)), Awake: int32(len(s.bodies))}
}

func (s *system) measure() (e event) {
	var p [3]float64
	for i := range s.bodies {
		b := &s.bodies[i]
		inertia := b.inertia()
		for k := range 3 {
			e.energy += b.mass / 2 * b.velocity[k] * b.velocity[k]
			e.spin += b.angular[k] * b.angular[k] / inertia[k] / 2
			p[k] += b.mass * b.velocity[k]
		}
		for j := range i {
			_, r := between(b, &s.bodies[j])
			e.energy -= gravity * b.mass * s.bodies[j].mass / r
		}
	}
	e.momentum = math.Sqrt(p[0]*p[0] + p[1]*p[1] + p[2]*p[2])
	return e
}
