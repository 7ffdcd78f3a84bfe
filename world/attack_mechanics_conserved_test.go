package world_test

import (
	"fmt"
	"math"

	"halfstep/world"
)

// conserved has the quantities that a closed system conserves: momentum, angular momentum about a
// fixed point, energy.
type conserved struct {
	p            world.Vec
	l, energy    float64
	pMost, lMost float64 // sums of the absolute values of momentum and of angular momentum over the bodies
}

func (x *situation) conserved(bodies []world.Body) (m conserved) {
	for _, b := range bodies {
		i := x.info(b)
		p := world.Vec{X: i.Mass * i.Velocity.X, Y: i.Mass * i.Velocity.Y}
		m.p.X, m.p.Y = m.p.X+p.X, m.p.Y+p.Y
		orbit, spin := i.Centre.X*p.Y-i.Centre.Y*p.X, i.Inertia*i.AngularVelocity
		m.l += orbit + spin
		m.pMost += math.Hypot(p.X, p.Y)
		m.lMost += math.Hypot(i.Centre.X, i.Centre.Y)*math.Hypot(p.X, p.Y) + math.Abs(spin)
		m.energy += i.KineticEnergy()
	}
	return m
}

// closed steps a closed system, and checks what it conserves. Momentum stays the same except for
// rounding, because the soft stepper's velocities have 24 bits. Angular momentum changes a little
// when a step corrects positions: the library and the soft step both move bodies by up to some
// millimetres without a force, which changes the lever arms of flying bodies. A spring may give
// back its energy in another direction, if its axis turns far in a step.
func (j *judged) closed(x *situation, bodies []world.Body, steps int, keepsEnergy bool) {
	drift, gain := .08, 1.15
	if j.way != world.SoftStep {
		drift = .25
	}
	first := x.conserved(bodies)
	most := first.energy
	for range steps {
		x.steps(1)
		now := x.conserved(bodies)
		scale := math.Max(first.pMost, now.pMost)
		if !j.between("momentum gained, of all there is", math.Hypot(now.p.X-first.p.X, now.p.Y-first.p.Y)/scale, 0, 1e-4) {
			return
		}
		if !j.between(fmt.Sprintf("angular momentum gained after %d steps, of all there is", x.Tick()), (now.l-first.l)/math.Max(first.lMost, now.lMost), -drift, drift) {
			return
		}
		most = math.Max(most, now.energy)
	}
	if keepsEnergy {
		j.between("the greatest energy, of what there was", most/first.energy, 1, gain)
	}
}

func closedCollisions(j *judged) {
	x := j.world(world.Config{NoGravity: true, NoSleep: true})
	var bodies []world.Body
	n := 2 + j.IntN(5)
	restitution, friction := float64(j.IntN(2))*j.Float64(), float64(j.IntN(2))*j.Float64()
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		r, v := 1.5+.5*j.Float64(), j.span(.2, 4)
		d := j.shape()
		d.Restitution, d.Friction = restitution, friction
		bodies = append(bodies, x.made(world.BodyDef{
			Kind: world.Dynamic, Position: world.Vec{X: r * cos, Y: r * sin}, Angle: j.span(-3, 3), Bullet: j.IntN(4) == 0,
			Velocity: world.Vec{X: -v*cos + j.span(-.5, .5), Y: -v*sin + j.span(-.5, .5)}, AngularVelocity: j.span(-3, 3), Shapes: []world.ShapeDef{d},
		}))
	}
	j.closed(x, bodies, 150, true)
}

// chain is a row of flying bodies.
func (j *judged) chain(x *situation, n int, group int16) (bodies []world.Body) {
	apart := j.span(.9, 2.5) // more makes long arms
	for i := range n {
		d := j.shape()
		d.Filter.Group = group
		bodies = append(bodies, x.made(world.BodyDef{
			Kind: world.Dynamic, Position: world.Vec{X: apart * float64(i), Y: j.span(-.2, .2)}, Angle: j.span(-3, 3),
			Velocity: j.vec(1), AngularVelocity: j.span(-2, 2), Shapes: []world.ShapeDef{d},
		}))
	}
	return bodies
}

// joint returns the definition of a joint between two bodies, with random settings of its kind, and
// whether the joint conserves energy.
func (j *judged) joint(x *situation, kind world.JointKind, a, b world.Body) (d world.JointDef, keepsEnergy bool) {
	ia, ib := x.info(a), x.info(b)
	between := world.Vec{X: (ia.Position.X + ib.Position.X) / 2, Y: (ia.Position.Y + ib.Position.Y) / 2}
	d = world.JointDef{Kind: kind, A: a, B: b, AnchorA: ia.LocalPoint(between), AnchorB: ib.LocalPoint(between), CollideConnected: j.IntN(2) == 0}
	d.ReferenceAngle = ib.Angle - ia.Angle
	keepsEnergy = true
	switch kind {
	case world.RevoluteJoint, world.PrismaticJoint, world.WheelJoint:
		if d.AxisA = ia.LocalVector(world.Vec{X: 1}); j.IntN(2) == 0 { // along the row
			d.AxisA = world.Vec{X: j.NormFloat64(), Y: j.NormFloat64()}
		}
		if kind != world.WheelJoint {
			d.EnableLimit, d.Lower, d.Upper = j.IntN(2) == 0, -j.span(0, .5), j.span(0, .5)
		}
		if j.IntN(3) == 0 {
			d.EnableMotor, d.MotorSpeed, d.MaxMotorForce, keepsEnergy = true, j.span(-3, 3), j.span(0, 3), false
		}
		if kind == world.WheelJoint {
			d.Frequency, d.Damping = j.span(.5, 5), j.Float64()
		}
	case world.DistanceJoint, world.RopeJoint:
		d.AnchorA, d.AnchorB = j.vec(.3), j.vec(.3)
		p, q := ia.WorldPoint(d.AnchorA), ib.WorldPoint(d.AnchorB)
		d.MaxLength = math.Hypot(p.X-q.X, p.Y-q.Y) + .1
		if kind == world.DistanceJoint && j.IntN(2) == 0 {
			d.Frequency, d.Damping = j.span(.5, 5), j.Float64()
		}
	case world.WeldJoint:
		if j.IntN(2) == 0 {
			d.Frequency, d.Damping = j.span(.5, 5), j.Float64()
		}
	case world.FrictionJoint:
		d.MaxForce, d.MaxTorque = j.span(0, 5), j.span(0, 2)
	case world.MotorJoint:
		d.AnchorA, d.AnchorB, d.ReferenceAngle = world.Vec{}, world.Vec{}, 0
		d.LinearOffset, d.AngularOffset, keepsEnergy = world.Vec{X: j.span(.8, 1.6), Y: j.span(-.5, .5)}, j.span(-1, 1), false
		d.MaxForce, d.MaxTorque = j.span(1, 20), j.span(1, 20)
	}
	return d, j.more(&d) && keepsEnergy
}

// more gives a joint random settings that Box2D's own joints lack, and reports whether the joint
// conserves energy.
func (j *judged) more(d *world.JointDef) bool {
	if j.IntN(2) == 0 {
		return true
	}
	switch d.Kind {
	case world.RevoluteJoint, world.PrismaticJoint:
		d.Frequency, d.Damping = j.span(.5, 5), j.Float64() // the spring's target is the present place
	case world.DistanceJoint:
		d.EnableLimit, d.Lower, d.Upper = true, d.MaxLength-.3, d.MaxLength+j.Float64()
	case world.WheelJoint:
		d.EnableLimit, d.Lower, d.Upper = true, -j.Float64(), j.Float64()
	case world.MotorJoint:
		d.AnchorA, d.AnchorB = j.vec(.3), j.vec(.3)
		d.EnableMotor, d.LinearVelocity, d.AngularVelocity = j.IntN(2) == 0, j.vec(1), j.span(-1, 1)
	}
	return d.Frequency == 0
}

func closedJoints(j *judged, kind world.JointKind, touching bool) {
	if j.way != world.SoftStep && (kind == world.FrictionJoint || kind == world.MotorJoint) {
		return // Box2D 2.x pulls at two points, which part as soon as the joint yields
	}
	x := j.world(world.Config{NoGravity: true, NoSleep: true})
	group := int16(-1) // nothing collides
	if touching {
		group = 0
	}
	bodies, keeps := j.chain(x, 2+j.IntN(3), group), true
	for i := range bodies[1:] {
		d, k := j.joint(x, kind, bodies[i], bodies[i+1])
		d.CollideConnected = touching
		x.joint(d)
		keeps = keeps && k
	}
	if j.way != world.SoftStep && (touching || kind == world.WheelJoint) {
		keeps = false // with Box2D 2.x, about one in a hundred such worlds gains energy: a light body between heavy ones
	}
	j.closed(x, bodies, 300, keeps)
}

// closedRow makes a row of discs far apart, some of them light: long lever arms and unequal masses.
func closedRow(j *judged, kind world.JointKind) {
	x := j.world(world.Config{NoGravity: true, NoSleep: true})
	var bodies []world.Body
	apart := j.span(1.5, 3)
	for i := range 3 + j.IntN(2) {
		bodies = append(bodies, x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: apart * float64(i)}, Velocity: world.Vec{Y: j.span(-1, 1)}, Shapes: []world.ShapeDef{world.Circle(j.span(.15, .6))}}))
		if i > 0 {
			x.joint(world.JointDef{Kind: kind, A: bodies[i-1], B: bodies[i], AnchorA: world.Vec{X: apart / 2}, AnchorB: world.Vec{X: -apart / 2}})
		}
	}
	j.closed(x, bodies, 300, true)
}

// closedGears makes two wheels or slides on frames, and a gear between them. If both are on one
// frame, Box2D 2.x, and so FastStep, writes the frame's velocity twice and loses the change from
// the first wheel.
func closedGears(j *judged, oneFrame bool) {
	if oneFrame && j.way != world.SoftStep {
		return
	}
	x := j.world(world.Config{NoGravity: true, NoSleep: true})
	bodies := j.chain(x, 4, -1)
	frames := []world.Body{bodies[1], bodies[2]}
	if oneFrame {
		frames[1] = bodies[1]
	}
	var joints []world.Joint
	for i, b := range []world.Body{bodies[0], bodies[3]} {
		kind := world.RevoluteJoint
		if j.IntN(2) == 0 {
			kind = world.PrismaticJoint
		}
		d, _ := j.joint(x, kind, frames[i], b)
		d.EnableMotor, d.EnableLimit = false, false
		joints = append(joints, x.joint(d))
	}
	x.joint(world.JointDef{Kind: world.GearJoint, Joint1: joints[0], Joint2: joints[1], Ratio: j.span(.5, 2)})
	j.closed(x, bodies, 120, true)
}

// A body behind a wall is not affected by hits on the wall.
func shots(j *judged) {
	x := j.world(world.Config{NoGravity: true, NoSleep: true})
	thick, kind := j.span(.01, .3), world.BodyKind(j.IntN(3))
	d := world.Box(thick, 6)
	if kind != world.Dynamic && j.IntN(3) == 0 {
		d, thick = world.Edge(world.Vec{Y: -6}, world.Vec{Y: 6}), 0
		kind = world.Static
	}
	d.Density = 1e4
	wall := x.made(world.BodyDef{Kind: kind, Shapes: []world.ShapeDef{d}, FixedRotation: kind == world.Dynamic})
	shape := j.shape()
	target := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: thick + .5 + .03 + j.span(0, .5)}, Angle: j.span(-3, 3), Shapes: []world.ShapeDef{shape}})
	v := j.span(2, 110)
	bullet := j.shape()
	shot := x.made(world.BodyDef{
		Kind: world.Dynamic, Position: world.Vec{X: -thick - 1 - v/60*j.Float64(), Y: j.span(-.2, .2)}, Velocity: world.Vec{X: v}, AngularVelocity: j.span(-5, 5),
		Bullet: j.IntN(2) == 0 || kind == world.Dynamic, Shapes: []world.ShapeDef{bullet},
	})
	at := x.info(target).Position
	for range 60 {
		x.steps(1)
		for _, e := range x.events {
			if (e.A == target || e.B == target) && e.A != wall && e.B != wall {
				j.between(fmt.Sprintf("contacts told through a wall of %.2f m (%v), shot of %.1f m/s", 2*thick, kind, v), 1, 0, 0)
				return
			}
		}
		if x.info(wall).Velocity.X != 0 && kind == world.Dynamic && x.info(wall).Position.X > .02 {
			return // the wall comes itself
		}
		if s := x.info(shot); s.Position.X > thick {
			return // the shot passed through the wall: TestAttackWalls has the rules for that
		}
	}
	is := x.info(target)
	j.between(fmt.Sprintf("moved behind a wall of %.2f m (%v), shot of %.1f m/s", 2*thick, kind, v), math.Hypot(is.Position.X-at.X, is.Position.Y-at.Y)+math.Abs(is.Velocity.X), 0, 1e-6)
}
