package forces

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/exports"
	"halfstep/world"
)

// Fluid lifts and slows the dynamic bodies in it. The weight of the displaced fluid pushes each
// body against gravity, at the centroid of the body's part in the fluid. So a body floats if
// its shapes are less dense than the fluid. Where two shapes of a body overlap, the fluid
// counts twice. Bodies at rest fall asleep; they wake when the fluid, the gravity or Bodies
// changes.
//
// A Fluid that is added with AddController goes back in time with its world. It must not be
// copied after its first step.
type Fluid struct {
	Level   float64     // y of the surface, m; the fluid is below, unless there is an Outline
	Outline []world.Vec // 3 points or more around the fluid, in the world, m; need not be convex

	Density float64   // kg/m²
	Drag    float64   // how fast the part of a body in the fluid takes on the fluid's velocity, 1/s
	Flow    world.Vec // velocity of the fluid, m/s

	Bodies []world.Body // the fluid acts only on these; nil means all

	was  settings // was are the settings of the previous step.
	clip *clipper // scratch memory
}

// settings are the properties of a fluid that wake bodies when they change.
type settings struct {
	level, density, drag float64
	flow, gravity        world.Vec
	on                   uint64 // a hash of the outline and of Bodies
}

// BeforeStep acts on the bodies for one step of dt seconds. A Fluid with a number that is not
// finite or with a negative Density or Drag does nothing.
func (f *Fluid) BeforeStep(w *world.World, dt float64) {
	if f.clip == nil {
		f.clip = new(clipper)
	}
	if !finite(f.Level, f.Flow.X, f.Flow.Y) || !positive(f.Density, f.Drag) || !f.clip.set(f.Level, f.Outline) {
		return
	}
	now := settings{f.Level, f.Density, f.Drag, f.Flow, w.Gravity(), f.clip.hash}
	for _, b := range f.Bodies {
		now.on = (now.on<<7 | now.on>>57) ^ uint64(b)*0x9e3779b97f4a7c15
	}
	wakes := now != f.was
	f.was = now
	each(w, f.Bodies, func(b world.Body, raw *box2d.B2Body) {
		if wakes || raw.IsAwake() {
			f.push(w, b, raw, dt)
		}
	})
}

// push lifts and slows one body.
func (f *Fluid) push(w *world.World, b world.Body, raw *box2d.B2Body, dt float64) {
	in, all := moments{}, 0.0 // all is the area of the body's shapes, m²
	for fixture := raw.M_fixtureList; fixture != nil; fixture = fixture.M_next {
		if area := areaOf(fixture); area > 0 {
			all += area
			in.add(f.clip.part(fixture))
		}
	}
	if !(in.area > 1e-9*all) {
		return
	}
	middle := in.centroid()
	omega, g := raw.M_angularVelocity, w.Gravity()
	v := box2d.B2Vec2Sub(b2.VelocityAt(raw, box2d.B2Vec2(middle)), box2d.B2Vec2(f.Flow))
	displaced := f.Density * in.area * dt
	// At most half of the impulse that would stop the body: then light bodies stay stable. (The
	// conversions to float64 below keep compilers from fusing a product with a sum.)
	slow := min(f.Drag*displaced, raw.M_mass/2)
	impulse := world.Vec{X: float64(-displaced*g.X) - float64(slow*v.X), Y: float64(-displaced*g.Y) - float64(slow*v.Y)}
	press(w, b, dt, impulse, middle, -raw.M_I*omega*min(f.Drag*dt*in.area/all, .5))
}

// press pushes a body with a force during the step, by the method Press of package world.
// Unlike an impulse, the force hardly disturbs a body that floats at rest, and the body can
// fall asleep.
func press(w *world.World, b world.Body, dt float64, impulse, at world.Vec, turn float64) {
	_ = private.Press(w, b, dt, impulse, at, turn)
}

var private = exports.World.(interface {
	Press(w *world.World, b world.Body, dt float64, impulse, at world.Vec, turn float64) error
})

func init() {
	// A Fluid or Wind runs before every step, even if a program adds it for every n-th step.
	exports.Steady = func(c any) bool {
		switch c.(type) {
		case *Fluid, *Wind:
			return true
		}
		return false
	}
}

// each yields the dynamic bodies of the list bodies, or all dynamic bodies if the list is nil.
// f may destroy them.
func each(w *world.World, bodies []world.Body, f func(world.Body, *box2d.B2Body)) {
	call := func(b world.Body) {
		if raw := w.BodyPointer(b); raw != nil && raw.M_type == box2d.B2BodyType.B2_dynamicBody {
			f(b, raw)
		}
	}
	if bodies != nil {
		for _, b := range bodies {
			call(b)
		}
		return
	}
	for b := range w.Bodies() {
		call(b)
	}
}

// finite reports whether all numbers are finite.
func finite(xs ...float64) bool {
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// positive reports whether all numbers are finite and at least 0.
func positive(xs ...float64) bool {
	for _, x := range xs {
		if !(x >= 0 && x <= math.MaxFloat64) {
			return false
		}
	}
	return true
}
