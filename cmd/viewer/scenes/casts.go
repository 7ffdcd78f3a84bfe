package scenes

import (
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "casts",
		Description: "rays and balls are cast in every step: a ray ends at the first shape, a ball where it would touch one",
		Config:      weightless(casts),
		View:        View{Y: .3, Width: 34, Height: 18.4},
		Labels:      []Label{{-12.6, 4.1, "balls"}, {13.5, 7.9, "rays"}},
		Track:       "drifter",
		Category:    Games,
		Params:      []Param{castReach, castBall},
	})
}

const (
	rays       = 36
	thrown     = 5   // balls
	castOrigin = .45 // castOrigin is the distance between the hub and the origin of a cast, in m.
)

var (
	castReach = Param{Name: "reach", Unit: "m", Min: 2, Max: 14, Default: 9, Step: .5}
	castBall  = Param{Name: "ball radius", Unit: "m", Min: .1, Max: 1.2, Default: .5, Step: .1}
)

// caster turns, and casts in several directions from its hub. The marks are at the ends of the
// casts, and a line leads to each mark.
type caster struct {
	hub   vec
	rotor world.Body
	marks []world.Body
}

// casts has two casters in a hall with drifting shapes. The right one casts rays, and the left one
// casts balls.
func casts(b *builder) {
	b.static("hall", bouncy(rough(world.ClosedChain(
		vec{X: -16.5, Y: -8.4}, vec{X: 16.5, Y: -8.4}, vec{X: 16.5, Y: 9},
		vec{X: -5, Y: 9}, vec{X: -5, Y: 3}, vec{X: -16.5, Y: 3}), 0), 1))
	r := random(5)
	for i := range 14 {
		shape := world.Box(r.between(.4, 1.1), r.between(.3, .8))
		switch i % 3 {
		case 0:
			shape = world.Circle(r.between(.4, .8))
		case 1:
			shape = regular(3+i%4, r.between(.6, 1))
		}
		angle := r.between(0, 2*math.Pi)
		at := vec{X: -14 + 6.2*float64(i%5), Y: -6.6 + 4.4*float64(i/5)}
		b.body(world.BodyDef{Name: "drifter", Kind: world.Dynamic, NoSleep: true, Position: at,
			Velocity: vec{X: 1.4 * math.Cos(angle), Y: 1.4 * math.Sin(angle)}, AngularVelocity: r.between(-1, 1),
			Shapes: []world.ShapeDef{bouncy(rough(shape, 0), 1)}})
	}
	lidar := newCaster(b, vec{X: 6.4, Y: .4}, .25, rays, world.Circle(.1), rgb(0xff5964))
	thrower := newCaster(b, vec{X: -9.6, Y: -3}, -.35, thrown, world.Circle(castBall.Default), rgb(0xffd166))

	reach := b.param(castReach, nil)
	radius := b.param(castBall, func(w *world.World, radius float64) {
		for _, n := range thrower.marks {
			shapes, _ := w.Shapes(n)
			for _, s := range shapes {
				w.ReplaceShape(s, ghostly(world.Circle(radius)))
			}
		}
	})
	b.control(func(w *world.World, dt float64) {
		lidar.aim(w, *reach, dt, func(from, to vec) (world.RayHit, bool, error) {
			return w.Query(solid).RayCast(from, to)
		})
		thrower.aim(w, *reach, dt, func(from, to vec) (world.RayHit, bool, error) {
			return w.Query(solid).ShapeCast(world.Circle(*radius), from, to, 0)
		})
	})
}

// newCaster makes a caster with n casts. It turns at a speed in rad/s. The end of each cast has a
// mark of the given shape.
func newCaster(b *builder, hub vec, turning float64, n int, mark world.ShapeDef, colour [4]uint8) *caster {
	foot := b.body(world.BodyDef{Name: "hub", Position: hub, Shapes: []world.ShapeDef{ghostly(world.Circle(.3))}})
	c := &caster{hub: hub, rotor: b.body(world.BodyDef{Name: "rotor", Kind: world.Kinematic, Position: hub,
		AngularVelocity: turning, Colour: colour, Shapes: []world.ShapeDef{ghostly(regular(3, .25))}})}
	for range n {
		end := b.body(world.BodyDef{Name: "end", Kind: world.Kinematic, Position: hub, Colour: colour,
			Shapes: []world.ShapeDef{ghostly(mark)}})
		// a rope that is never taut is drawn as the line to the mark
		b.joint(world.JointDef{Kind: world.RopeJoint, A: foot, B: end, MaxLength: 1e4})
		c.marks = append(c.marks, end)
	}
	return c
}

// aim casts in all directions, and moves the marks to the ends of the casts.
func (c *caster) aim(w *world.World, reach, dt float64, cast func(from, to vec) (world.RayHit, bool, error)) {
	rotor, err := w.Body(c.rotor)
	if err != nil {
		return
	}
	for i, n := range c.marks {
		sin, cos := math.Sincos(rotor.Angle + 2*math.Pi*float64(i)/float64(len(c.marks)))
		from, to := plus(c.hub, castOrigin*cos, castOrigin*sin), plus(c.hub, reach*cos, reach*sin)
		way := 1.0
		if hit, ok, err := cast(from, to); err == nil && ok {
			way = hit.Fraction
		}
		carry(w, n, plus(from, way*(to.X-from.X), way*(to.Y-from.Y)), dt)
	}
}
