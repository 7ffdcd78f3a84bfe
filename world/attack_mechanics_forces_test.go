package world_test

import (
	"fmt"
	"math"

	"halfstep/world"
)

// The impulses of contacts and of gravity add up to the change of a body's momentum.
// Each contact of a disc has one point, so Impulse is the impulse of the whole contact.
func toldImpulses(j *judged, friction float64) {
	x := j.world(world.Config{NoSleep: true, NoContinuous: true})
	x.rate = 480 // short steps, because events have the normal at one end of the step
	x.body(world.Static, world.Vec{}, world.Edge(world.Vec{X: -2, Y: 3}, world.Vec{X: -1}), world.Edge(world.Vec{X: -1}, world.Vec{X: 1}), world.Edge(world.Vec{X: 1}, world.Vec{X: 2, Y: 3}))
	var bodies []world.Body
	n := 1 + j.IntN(6)
	for i := range n {
		d := world.Circle(j.span(.2, .3))
		d.Density, d.Friction = j.span(.5, 2), friction*j.Float64()
		bodies = append(bodies, x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: j.span(-.5, .5), Y: .5 + .7*float64(i)}, Velocity: j.vec(2), AngularVelocity: j.span(-5, 5), Shapes: []world.ShapeDef{d}}))
	}
	was := map[world.Body]world.BodyInfo{}
	for range 800 {
		for _, b := range bodies {
			was[b] = x.info(b)
		}
		x.steps(1)
		given, greatest := map[world.Body]world.Vec{}, map[world.Body]float64{}
		for c := range x.Contacts() {
			fx := c.Impulse*c.Normal.X + c.TangentImpulse*c.Normal.Y
			fy := c.Impulse*c.Normal.Y - c.TangentImpulse*c.Normal.X
			a, b := given[c.A], given[c.B]
			given[c.A], given[c.B] = world.Vec{X: a.X - fx, Y: a.Y - fy}, world.Vec{X: b.X + fx, Y: b.Y + fy}
			greatest[c.A] += math.Hypot(fx, fy)
			greatest[c.B] += math.Hypot(fx, fy)
		}
		for i, b := range bodies {
			is := x.info(b)
			dx, dy := is.Mass*(is.Velocity.X-was[b].Velocity.X), is.Mass*(is.Velocity.Y-was[b].Velocity.Y+10/x.rate)
			if !j.between(fmt.Sprintf("momentum of disc %d of %d that no impulse tells, step %d, kg·m/s", i+1, n, x.Tick()), math.Hypot(dx-given[b].X, dy-given[b].Y), 0, .08*greatest[b]+.01*is.Mass) {
				return
			}
		}
	}
}

// The force of a joint gives the change of its body's momentum. The force and the
// torque together give the change of its spin.
func toldForces(j *judged, kind world.JointKind) {
	x := j.world(world.Config{NoSleep: true})
	x.rate = 480 // short steps, because the axis of a joint that turns far in a step is the one at an end of the step
	ground := x.made(world.BodyDef{Angle: j.span(-1, 1), Position: j.vec(.5)})
	d := j.shape()
	b := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 1 + j.Float64(), Y: j.span(-1, 1)}, Angle: j.span(-3, 3), Velocity: j.vec(1), AngularVelocity: j.span(-1, 1), Shapes: []world.ShapeDef{d}})
	var def world.JointDef
	if kind == world.PulleyJoint {
		other := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: -3}, Shapes: []world.ShapeDef{d}})
		p := x.info(b).Position
		def = world.JointDef{Kind: kind, A: other, B: b, AnchorB: x.info(b).LocalPoint(p), GroundA: world.Vec{X: -3, Y: 5}, GroundB: world.Vec{X: p.X, Y: 5}, Ratio: j.span(.5, 2)}
	} else {
		def, _ = j.joint(x, kind, ground, b)
	}
	joint := x.joint(def)
	x.steps(20)
	for range 480 {
		was := x.info(b)
		x.steps(1)
		is, told := x.info(b), must(x.Joint(joint))
		fx, fy := is.Mass*(is.Velocity.X-was.Velocity.X)*x.rate, is.Mass*((is.Velocity.Y-was.Velocity.Y)*x.rate+10)
		size := math.Hypot(told.Force.X, told.Force.Y) + is.Mass*10
		if !j.between(fmt.Sprintf("force at step %d that is not told, of all", x.Tick()), math.Hypot(fx-told.Force.X, fy-told.Force.Y)/size, 0, .05) {
			return
		}
		rx, ry := told.PointB.X-is.Centre.X, told.PointB.Y-is.Centre.Y
		torque := is.Inertia * (is.AngularVelocity - was.AngularVelocity) * x.rate
		if !j.between(fmt.Sprintf("torque at step %d that is not told, of all", x.Tick()), (torque-told.Torque-rx*told.Force.Y+ry*told.Force.X)/(size*math.Hypot(rx, ry)+math.Abs(told.Torque)+is.Inertia*5), -.2, .2) {
			return
		}
	}
}
