package world_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"halfstep/world"
)

// placed turns a world, mirrors it and moves it to another place.
type placed struct {
	angle  float64
	mirror bool
	at     world.Vec
}

func (p placed) flip(v world.Vec) world.Vec {
	if p.mirror {
		v.Y = -v.Y
	}
	return v
}

func (p placed) vector(v world.Vec) world.Vec {
	v = p.flip(v)
	sin, cos := math.Sincos(p.angle)
	return world.Vec{X: cos*v.X - sin*v.Y, Y: sin*v.X + cos*v.Y}
}

func (p placed) point(v world.Vec) world.Vec {
	v = p.vector(v)
	return world.Vec{X: v.X + p.at.X, Y: v.Y + p.at.Y}
}

func (p placed) turn(a float64) float64 {
	if p.mirror {
		return -a
	}
	return a
}

// back converts a point to the original world, which was not moved.
func (p placed) back(v world.Vec) world.Vec {
	sin, cos := math.Sincos(-p.angle)
	v = world.Vec{X: v.X - p.at.X, Y: v.Y - p.at.Y}
	return p.flip(world.Vec{X: cos*v.X - sin*v.Y, Y: sin*v.X + cos*v.Y})
}

func (p placed) body(d world.BodyDef) world.BodyDef {
	d.Position, d.Velocity = p.point(d.Position), p.vector(d.Velocity)
	d.Angle, d.AngularVelocity = p.turn(d.Angle)+p.angle, p.turn(d.AngularVelocity)
	shapes := append([]world.ShapeDef(nil), d.Shapes...)
	for i := range shapes {
		points := append([]world.Vec(nil), shapes[i].Points...)
		for k := range points {
			points[k] = p.flip(points[k])
		}
		shapes[i].Points = points
	}
	d.Shapes = shapes
	return d
}

func (p placed) joint(d world.JointDef) world.JointDef {
	d.AnchorA, d.AnchorB, d.AxisA, d.LinearOffset = p.flip(d.AnchorA), p.flip(d.AnchorB), p.flip(d.AxisA), p.flip(d.LinearOffset)
	d.ReferenceAngle, d.AngularOffset = p.turn(d.ReferenceAngle), p.turn(d.AngularOffset)
	if p.mirror && d.Kind == world.RevoluteJoint {
		d.Lower, d.Upper = -d.Upper, -d.Lower
		d.MotorSpeed = -d.MotorSpeed
	}
	return d
}

// few is a small world whose first second does not depend on tiny differences: one body
// falls on a slope, and two bodies hang from joints.
func (j *judged) few(seed uint64, p placed, rate float64) []world.Vec {
	r := judged{TB: j.TB, Rand: rand.New(rand.NewPCG(seed, 3)), way: j.way}
	x := r.world(world.Config{NoSleep: true, Gravity: p.vector(world.Vec{Y: -10})})
	x.rate = rate
	angle := r.span(-.3, .3)
	x.made(p.body(world.BodyDef{Angle: angle, Position: world.Vec{Y: -1}, Shapes: []world.ShapeDef{world.Box(20, 1)}}))
	d := r.shape()
	d.Friction, d.Restitution = r.Float64(), .5*r.Float64()
	bodies := []world.Body{x.made(p.body(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{Y: r.span(.5, 2)}, Angle: r.span(-.2, .2), Velocity: r.vec(2), Shapes: []world.ShapeDef{d}}))}
	hook := x.made(p.body(world.BodyDef{Position: world.Vec{X: 5, Y: 8}}))
	a, b := world.Box(.5, .2), world.Box(.4, .3)
	upper := x.made(p.body(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 6, Y: 8}, Shapes: []world.ShapeDef{a}}))
	lower := x.made(p.body(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 7, Y: 8}, AngularVelocity: r.span(-1, 1), Shapes: []world.ShapeDef{b}}))
	x.joint(p.joint(world.JointDef{Kind: world.RevoluteJoint, A: hook, B: upper, AnchorB: world.Vec{X: -1}}))
	kind := []world.JointKind{world.RevoluteJoint, world.WeldJoint, world.DistanceJoint, world.PrismaticJoint, world.WheelJoint}[r.IntN(5)]
	def := world.JointDef{Kind: kind, A: upper, B: lower, AnchorA: world.Vec{X: .5}, AnchorB: world.Vec{X: -.5}, AxisA: world.Vec{X: .6, Y: .8}, Damping: .5}
	if kind != world.RevoluteJoint && kind != world.PrismaticJoint {
		def.Frequency = 3
	}
	if def.EnableLimit = kind == world.RevoluteJoint || kind == world.PrismaticJoint; def.EnableLimit {
		def.Lower, def.Upper = -.2, .4
	}
	if r.IntN(2) == 0 && (kind == world.RevoluteJoint || kind == world.PrismaticJoint) {
		def.EnableMotor, def.MotorSpeed, def.MaxMotorForce = true, r.span(-1, 1), 10
	}
	x.joint(p.joint(def))
	x.steps(int(rate))
	var at []world.Vec
	for _, b := range append(bodies, upper, lower) {
		at = append(at, p.back(x.info(b).Position))
	}
	return at
}

// Results do not depend on the direction of gravity or on the place. 10 km away a float32
// has steps of a millimetre, so the places go only to 1 km.
func sameElsewhere(j *judged, mirror bool) {
	seed := j.Uint64()
	p := placed{angle: float64(j.IntN(4)) * math.Pi / 2, mirror: mirror}
	if !mirror && j.IntN(2) == 0 {
		p.at = world.Vec{X: 10_000 * float64(1-2*j.IntN(2)), Y: 10_000 * float64(1-2*j.IntN(2))}
	}
	here, there := j.few(seed, placed{}, 60), j.few(seed, p, 60)
	for i := range here {
		if !j.between(fmt.Sprintf("body %d of seed %d in %+v: beside the same elsewhere, m", i, seed, p), math.Hypot(here[i].X-there[i].X, here[i].Y-there[i].Y), 0, .01) {
			return
		}
	}
}

// The length of a step determines the error: half the rate of steps doubles the error.
func sameAtAnyRate(j *judged) {
	seed := j.Uint64()
	fine := j.few(seed, placed{}, 480)
	for _, rate := range []float64{30, 60, 120, 240} {
		at := j.few(seed, placed{}, rate)
		for i := range at[1:] { // the first body may bounce once more, or roll the other way
			if !j.between(fmt.Sprintf("hanging body %d of seed %d at %g Hz: beside that at 480 Hz, m", i+1, seed, rate), math.Hypot(at[i+1].X-fine[i+1].X, at[i+1].Y-fine[i+1].Y), 0, 15/rate) {
				return
			}
		}
	}
}
