package world_test

import (
	"fmt"
	"math"

	"halfstep/world"
)

// still steps for some seconds and returns the distance that bodies creep in the
// last two seconds. A millimetre per second is invisible; in the library's stacks
// some bodies creep by twenty.
func (j *judged) still(x *situation, bodies []world.Body, settle int, what string) {
	most := .002
	if j.way != world.SoftStep {
		most = .1
	}
	x.steps(settle)
	var at []world.BodyInfo
	for _, b := range bodies {
		at = append(at, x.info(b))
	}
	x.steps(120)
	for i, b := range bodies {
		is := x.info(b)
		if !j.between(fmt.Sprintf("%s: body %d of %d creeps, m", what, i+1, len(bodies)), math.Hypot(is.Position.X-at[i].Position.X, is.Position.Y-at[i].Position.Y), 0, most) {
			return
		}
		if !j.between(fmt.Sprintf("%s: body %d of %d turns, rad", what, i+1, len(bodies)), math.Abs(is.Angle-at[i].Angle), 0, 2*most) {
			return
		}
	}
}

func restStacks(j *judged) {
	x := j.world(world.Config{NoSleep: true})
	x.body(world.Static, world.Vec{Y: -1}, world.Box(20, 1))
	var bodies []world.Body
	y, hx := 0., j.span(.3, .6)
	for range 1 + j.IntN(6) {
		hy := j.span(.15, .4)
		d := world.Box(hx, hy)
		d.Friction, d.Density = j.span(.2, 1), j.span(.5, 2)
		bodies = append(bodies, x.body(world.Dynamic, world.Vec{X: j.span(-.02, .02), Y: y + hy}, d))
		y, hx = y+2*hy, hx*j.span(.85, 1)
	}
	j.still(x, bodies, 240, "a stack")
}

// slope is a static box with its upper side turned about the origin.
func (j *judged) slope(x *situation, angle, friction float64) world.Vec {
	sin, cos := math.Sincos(angle)
	d := world.Box(60, 1)
	d.Friction = friction
	x.made(world.BodyDef{Position: world.Vec{X: sin, Y: -cos}, Angle: angle, Shapes: []world.ShapeDef{d}})
	return world.Vec{X: cos, Y: sin}
}

func restSlopes(j *judged) {
	x := j.world(world.Config{NoSleep: true})
	friction := j.span(.2, 1)
	angle := math.Atan(friction) * j.span(-.9, .9)
	up := j.slope(x, angle, friction)
	hx, hy := j.span(.3, .6), j.span(.1, .25)
	d := world.Box(hx, hy)
	d.Friction = friction
	b := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: -hy * up.Y, Y: hy * up.X}, Angle: angle, Shapes: []world.ShapeDef{d}})
	j.still(x, []world.Body{b}, 60, fmt.Sprintf("a box with a friction of %.2f on a slope of %.2f", friction, math.Tan(angle)))
}

func restHanging(j *judged) {
	x := j.world(world.Config{NoSleep: true})
	ceiling := x.body(world.Static, world.Vec{})
	var bodies []world.Body
	kind := []world.JointKind{world.RevoluteJoint, world.DistanceJoint, world.RopeJoint, world.WeldJoint, world.PrismaticJoint, world.WheelJoint, world.FrictionJoint, world.MotorJoint}[j.IntN(8)]
	above, y := ceiling, 0.
	n := 1 + j.IntN(3)
	if kind == world.FrictionJoint || kind == world.MotorJoint {
		n = 1
	}
	for range n {
		d := world.Box(.1, .25)
		d.Density = j.span(1, 3)
		b := x.body(world.Dynamic, world.Vec{Y: y - .35}, d)
		def := world.JointDef{Kind: kind, A: above, B: b, AnchorB: world.Vec{Y: .25}, AnchorA: world.Vec{Y: -.1}, MaxLength: .1, Length: .1, Frequency: 0}
		switch kind {
		case world.RevoluteJoint, world.WeldJoint:
			def.AnchorB.Y = .35 - .1
			def.AnchorA.Y = -.1
			if above != ceiling {
				def.AnchorA.Y = -.35
			}
		case world.PrismaticJoint:
			def.AxisA, def.EnableLimit, def.Lower, def.Upper = world.Vec{Y: 1}, true, -.1, .1
		case world.WheelJoint:
			def.AxisA, def.Frequency, def.Damping = world.Vec{Y: 1}, 3, .7
		case world.FrictionJoint:
			def.MaxForce, def.MaxTorque = 50, 50
		case world.MotorJoint:
			def.AnchorA, def.AnchorB = world.Vec{}, world.Vec{}
			def.LinearOffset, def.MaxForce, def.MaxTorque = world.Vec{Y: -.35}, 100, 100
		}
		if above != ceiling && kind != world.RevoluteJoint && kind != world.WeldJoint {
			def.AnchorA.Y = -.35
		}
		x.joint(def)
		bodies, above, y = append(bodies, b), b, y-.6
	}
	j.still(x, bodies, 400, "hung by joints of kind "+kind.String())
}
