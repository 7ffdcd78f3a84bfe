package world_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/test/attack"
	"halfstep/test/norace"
	"halfstep/world"
	"halfstep/world/forces"
)

// A referee makes a random world and judges it by physics alone: by what stays in a
// closed system, by what rests, by what is known of simple machines. Nothing here
// compares a world with what another version or stepper does.
type referee struct {
	name  string
	judge func(j *judged)
}

// referees are all that there are. Each tolerance stands beside the law that it is for.
func referees() []referee {
	all := []referee{
		{"closed: bodies that collide", closedCollisions},
		{"closed: joined bodies that touch", func(j *judged) {
			closedJoints(j, []world.JointKind{world.RevoluteJoint, world.PrismaticJoint, world.DistanceJoint, world.WheelJoint, world.WeldJoint, world.RopeJoint}[j.IntN(6)], true)
		}},
		{"closed: gears, each with frames of its own", func(j *judged) { closedGears(j, false) }},
		{"closed: gears on one frame", func(j *judged) { closedGears(j, true) }},
		{"wall: a shot at what is before a body", shots},
		{"rest: stacks", restStacks},
		{"rest: slopes", restSlopes},
		{"rest: hanging things", restHanging},
		{"told: impulses of contacts without friction", func(j *judged) { toldImpulses(j, 0) }},
		{"told: impulses of contacts with friction", func(j *judged) { toldImpulses(j, 1) }},
		{"known: pendulum", knownPendulum},
		{"known: spring", knownSpring},
		{"known: rolling and sliding down", knownSlopes},
		{"known: braking", knownBraking},
		{"known: Atwood's machine", knownAtwood},
		{"known: impacts of two discs", knownImpacts},
		{"known: projectile", knownProjectile},
		{"known: bounces", knownBounces},
		{"known: bounces of a plank", knownPlank},
		{"known: what floats", knownFloating},
		{"known: what turns together", knownTurning},
		{"same: turned and moved", func(j *judged) { sameElsewhere(j, false) }},
		{"same: mirrored", func(j *judged) { sameElsewhere(j, true) }},
		{"same: at any rate", sameAtAnyRate},
	}
	for kind := range world.JointKind(world.MotorJoint + 1) {
		switch kind {
		case world.PulleyJoint, world.MouseJoint: // they pull at the world
		case world.GearJoint:
		default:
			all = append(all, referee{"closed: joints, " + kind.String(), func(j *judged) { closedJoints(j, kind, false) }})
		}
		switch kind {
		case world.RevoluteJoint, world.PrismaticJoint, world.WheelJoint, world.WeldJoint:
			all = append(all, referee{"closed: a row, " + kind.String(), func(j *judged) { closedRow(j, kind) }})
		}
		switch kind {
		case world.GearJoint, world.MouseJoint:
		default:
			all = append(all, referee{"told: forces of joints, " + kind.String(), func(j *judged) { toldForces(j, kind) }})
		}
	}
	return all
}

// knownFaults are the referees that find faults of the soft stepper which are known, and
// what each finds. The list is to be empty.
var knownFaults = map[string]string{
	"same: mirrored":             "of two points, one comes first",
	"closed: gears on one frame": "energy is gained",
}

// judged is what a referee needs.
type judged struct {
	testing.TB
	*rand.Rand
	way     world.Stepper
	name    string
	verdict func(string) // nil: an error
}

func (j *judged) between(what string, got, low, high float64) bool {
	j.Helper()
	if got >= low && got <= high {
		return true
	}
	message := fmt.Sprintf("%s, %v: %s is %.5g; right is %.5g to %.5g", j.name, j.way, what, got, low, high)
	if j.verdict != nil {
		j.verdict(message)
	} else {
		j.Error(message)
	}
	return false
}

func (j *judged) span(low, high float64) float64 { return low + (high-low)*j.Float64() }

func (j *judged) vec(most float64) world.Vec {
	return world.Vec{X: j.span(-most, most), Y: j.span(-most, most)}
}

func (j *judged) world(c world.Config) *situation {
	c.Stepper, c.Workers = j.way, 1
	return newSituation(j.TB, c)
}

// shape is one of any kind that has mass, up to half a metre from its middle.
func (j *judged) shape() world.ShapeDef {
	var d world.ShapeDef
	switch j.IntN(4) {
	case 0:
		d = world.Circle(j.span(.15, .45))
	case 1:
		d = world.Box(j.span(.15, .45), j.span(.15, .35))
	case 2:
		d = world.CircleAt(j.span(-.2, .2), j.span(-.2, .2), j.span(.15, .3)) // its centre is elsewhere
	default:
		n, r := 3+j.IntN(5), j.span(.25, .45)
		d = world.Polygon()
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			d.Points = append(d.Points, world.Vec{X: r * cos, Y: r * sin})
		}
		d.Density, d.Friction = 1, .2
	}
	d.Density = math.Exp(j.span(-1.5, 1.5)) // of what is joined, one may be much lighter
	return d
}

// conserved is what a closed system keeps: momentum, angular momentum about a point that stays, energy.
type conserved struct {
	p            world.Vec
	l, energy    float64
	pMost, lMost float64 // sums of the bodies' own, without sign
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

// closed steps a system that nothing outside touches. Momentum is kept to rounding: the
// soft stepper's velocities have 24 bits. Angular momentum is kept to what the solver
// corrects of positions: both library and soft step move bodies by up to some millimetres
// without a force, so the arms of what flies change by that. Energy may come back from a
// spring in the wrong direction, where an axis turns far in a step.
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

// chain is a row of bodies that fly.
func (j *judged) chain(x *situation, n int, group int16) (bodies []world.Body) {
	apart := j.span(.9, 2.5) // where it is more, the arms are long
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

// joint is a joint of a kind between two bodies as they lie, with what the kind may have.
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
	if j.way != world.StockStep {
		keepsEnergy = j.more(&d) && keepsEnergy
	}
	return d, keepsEnergy
}

// more gives a joint, at random, what Box2D's has not, and reports whether it keeps energy.
func (j *judged) more(d *world.JointDef) bool {
	if j.IntN(2) == 0 {
		return true
	}
	switch d.Kind {
	case world.RevoluteJoint, world.PrismaticJoint:
		d.Frequency, d.Damping = j.span(.5, 5), j.Float64() // its target is where it is
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
		return // Box2D 2.x pulls at two points, which are apart as soon as the joint gives way
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
		keeps = false // of Box2D 2.x one of some hundred gains, a light body between heavy ones
	}
	j.closed(x, bodies, 300, keeps)
}

// closedRow has discs far apart, of which some are light: long arms and unequal masses.
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

// closedGears has two wheels or slides on frames, and a gear between them. Where both are
// on one frame, Box2D 2.x, and with it FastStep and StockStep, writes the frame's velocity
// twice, and what the first wheel gave it is lost.
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

// A body behind a wall feels nothing of what hits the wall.
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
			return // through: TestAttackWalls says when that may be
		}
	}
	is := x.info(target)
	j.between(fmt.Sprintf("moved behind a wall of %.2f m (%v), shot of %.1f m/s", 2*thick, kind, v), math.Hypot(is.Position.X-at.X, is.Position.Y-at.Y)+math.Abs(is.Velocity.X), 0, 1e-6)
}

// still steps for some seconds and says how far the bodies creep in the last two. A
// millimetre in a second is not seen; in the library's stacks some creep by five.
func (j *judged) still(x *situation, bodies []world.Body, settle int, what string) {
	most := .002
	if j.way != world.SoftStep {
		most = .01
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

// slope is a static box whose upper side is turned about the origin.
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

// The impulses of contacts, gravity's included, are what changes the momentum of a body.
// Discs have one point in each contact, and Impulse is that of the strongest.
func toldImpulses(j *judged, friction float64) {
	x := j.world(world.Config{NoSleep: true, NoContinuous: true})
	x.rate = 240 // a normal is told as it was at one end of the step
	x.body(world.Static, world.Vec{}, world.Edge(world.Vec{X: -2, Y: 3}, world.Vec{X: -1}), world.Edge(world.Vec{X: -1}, world.Vec{X: 1}), world.Edge(world.Vec{X: 1}, world.Vec{X: 2, Y: 3}))
	var bodies []world.Body
	n := 1 + j.IntN(6)
	for i := range n {
		d := world.Circle(j.span(.2, .3))
		d.Density, d.Friction = j.span(.5, 2), friction*j.Float64()
		bodies = append(bodies, x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: j.span(-.5, .5), Y: .5 + .7*float64(i)}, Velocity: j.vec(2), AngularVelocity: j.span(-5, 5), Shapes: []world.ShapeDef{d}}))
	}
	was := map[world.Body]world.BodyInfo{}
	for range 400 {
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

// The force of a joint is what changes the momentum of the body that it holds, and with
// its torque the spin.
func toldForces(j *judged, kind world.JointKind) {
	x := j.world(world.Config{NoSleep: true})
	x.rate = 480 // what turns far in a step is told along the axis of one end
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
		if !j.between(fmt.Sprintf("torque at step %d that is not told, of all", x.Tick()), (torque-told.Torque-rx*told.Force.Y+ry*told.Force.X)/(size*math.Hypot(rx, ry)+math.Abs(told.Torque)+is.Inertia*5), -.15, .15) {
			return
		}
	}
}

// crossings steps until a value has gone through 0 upwards so often, and returns the time
// between the first and the last, in seconds.
func (x *situation) crossings(n int, value func() float64) (seconds float64) {
	last, first := value(), math.NaN()
	for range int(60 * x.rate) {
		x.steps(1)
		now := value()
		if last < 0 && now >= 0 {
			at := (float64(x.Tick()) - now/(now-last)) / x.rate
			if math.IsNaN(first) {
				first = at
			} else if n--; n == 0 {
				return at - first
			}
		}
		last = now
	}
	return math.NaN()
}

// The period of a pendulum follows from its amplitude by an arithmetic-geometric mean.
func knownPendulum(j *judged) {
	x := j.world(world.Config{NoSleep: true})
	length, amplitude, kind := j.span(.5, 4), j.span(.1, 1.2), []world.JointKind{world.RevoluteJoint, world.DistanceJoint, world.RopeJoint}[j.IntN(3)]
	sin, cos := math.Sincos(amplitude)
	radius := .1 * length
	pivot := x.body(world.Static, world.Vec{})
	b := x.body(world.Dynamic, world.Vec{X: length * sin, Y: -length * cos}, world.Circle(radius))
	def := world.JointDef{Kind: kind, A: pivot, B: b, MaxLength: length}
	inertia := 1.
	if kind == world.RevoluteJoint {
		def.AnchorB = world.Vec{X: -length * sin, Y: length * cos}
		inertia += .5 * .1 * .1 // it turns with the rod
	}
	x.joint(def)
	a, g := 1., math.Cos(amplitude/2)
	for range 10 {
		a, g = (a+g)/2, math.Sqrt(a*g)
	}
	right := 2 * math.Pi * math.Sqrt(length*inertia/10) / a
	got := x.crossings(3, func() float64 { return x.info(b).Position.X }) / 3
	// A step of 1/60 s is a fiftieth of the shortest period, and the library takes away some
	// of the amplitude, by which the period is shorter.
	j.between(fmt.Sprintf("the period of a pendulum of %.2f m at %.2f rad on a joint of kind %v, of the right one", length, amplitude, kind), got/right, .97, 1.02)
}

// A spring's frequency is that of its definition, damped as that says and by the method.
func knownSpring(j *judged) {
	x := j.world(world.Config{NoGravity: true, NoSleep: true})
	f, damping := j.span(.5, 4), .3*j.Float64()*float64(j.IntN(2))
	b := x.body(world.Dynamic, world.Vec{X: 2.3}, world.Circle(j.span(.2, .5)))
	x.joint(world.JointDef{Kind: world.DistanceJoint, A: x.body(world.Static, world.Vec{}), B: b, Length: 2, Frequency: f, Damping: damping})
	value := func() float64 { return x.info(b).Position.X - 2 }
	got := x.crossings(2, value) / 2
	j.between(fmt.Sprintf("the period of a spring of %.2f Hz, damped by %.2f, of the right one", f, damping), got*f*math.Sqrt(1-damping*damping), .97, 1.03+.35*2*math.Pi*f/60)
	// One implicit step damps by ωh/2 more; sub-steps of which the second pass damps again, by ωh/4.
	top := 0.
	for now := value(); x.Tick() < 600; now = value() {
		top = math.Max(top, now)
		x.steps(1)
		if now < 0 && top > 0 {
			break
		}
	}
	omega := 2 * math.Pi * f
	lost := math.Log(.3/top) / (omega * float64(x.Tick()) / 60) // about the damping ratio
	if top > .002 {
		j.between(fmt.Sprintf("the damping of a spring of %.2f Hz, damped by %.2f", f, damping), lost, .7*damping-.02, damping*1.2+omega/60)
	}
}

func knownSlopes(j *judged) {
	x := j.world(world.Config{NoSleep: true})
	angle := -j.span(.1, .5)
	rolls := j.IntN(2) == 0
	friction := 1.
	if !rolls {
		friction = -math.Tan(angle) * j.span(0, .8)
	}
	up := j.slope(x, angle, friction)
	d, height := world.Circle(.4), .4
	right := -10 * math.Sin(angle) * 2 / 3
	if !rolls {
		d, height = world.Box(.6, .15), .15
		right = 10 * (-math.Sin(angle) - friction*math.Cos(angle))
	}
	d.Friction = friction
	b := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: -height * up.Y, Y: height * up.X}, Angle: angle, Shapes: []world.ShapeDef{d}})
	x.steps(20) // it comes to lie
	before := x.info(b)
	x.steps(90)
	speed := func(i world.BodyInfo) float64 { return i.Velocity.X*up.X + i.Velocity.Y*up.Y }
	j.between(fmt.Sprintf("the acceleration down a slope of %.2f rad (rolling: %v, friction %.2f)", -angle, rolls, friction), (speed(x.info(b))-speed(before))/1.5, .98*right-.02, 1.02*right+.02)
}

func knownBraking(j *judged) {
	x := j.world(world.Config{NoSleep: true})
	friction, v := j.span(.2, 1), j.span(1, 10)
	j.slope(x, 0, friction)
	d := world.Box(.6, .15)
	d.Friction = friction
	b := x.body(world.Dynamic, world.Vec{Y: .15}, d)
	x.steps(30)
	from := x.info(b).Position.X
	must(0, x.SetVelocity(b, world.Vec{X: v}))
	x.steps(360)
	right := v * v / (2 * friction * 10)
	// It brakes from the first step on, or from the second.
	j.between(fmt.Sprintf("the way from %.1f m/s with a friction of %.2f, m", v, friction), x.info(b).Position.X-from, .97*right-v/60, 1.03*right+v/60)
}

func knownAtwood(j *judged) {
	x := j.world(world.Config{NoSleep: true})
	make := func(at float64) world.Body {
		d := world.Circle(.3)
		d.Density = j.span(1, 5)
		return x.body(world.Dynamic, world.Vec{X: at}, d)
	}
	a, b, ratio := make(-2), make(2), j.span(.5, 2)
	joint := x.joint(world.JointDef{Kind: world.PulleyJoint, A: a, B: b, GroundA: world.Vec{X: -2, Y: 20}, GroundB: world.Vec{X: 2, Y: 20}, Ratio: ratio})
	x.steps(60)
	ma, mb := x.info(a).Mass, x.info(b).Mass
	right := -10 * (ma - mb/ratio) / (ma + mb/ratio/ratio)
	j.between(fmt.Sprintf("the acceleration of %.2f kg against %.2f kg with a ratio of %.2f", ma, mb, ratio), x.info(a).Velocity.Y, right-.02*math.Abs(right)-.02, right+.02*math.Abs(right)+.02)
	tension := mb * (10 - right/ratio)
	j.between("the force on the second, N", must(x.Joint(joint)).Force.Y, .98*tension-.1, 1.02*tension+.1)
}

func knownImpacts(j *judged) {
	x := j.world(world.Config{NoGravity: true, NoSleep: true})
	e := float64(j.IntN(5)) / 4
	rate := []float64{60, 120, 240}[j.IntN(3)]
	x.rate = rate
	make := func(at, v, r float64) world.Body {
		d := bouncy(world.Circle(r), e, j.Float64())
		d.Density = j.span(.5, 4)
		return x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: at}, Velocity: world.Vec{X: v}, Shapes: []world.ShapeDef{d}})
	}
	va, vb := j.span(.2, 20), -j.span(1.3, 10)
	a, b := make(-2, va, j.span(.2, .5)), make(2+j.Float64(), vb, j.span(.2, .5))
	x.steps(int(rate * 4))
	ma, mb := x.info(a).Mass, x.info(b).Mass
	common := (ma*va + mb*vb) / (ma + mb)
	what := fmt.Sprintf("the velocity after %.2f kg with %.1f m/s met %.2f kg with %.1f m/s, restitution %.2f, %g Hz", ma, va, mb, vb, e, rate)
	// Where they keep together, they may come apart at what the overlap is pushed out with.
	off := .01*(va-vb) + .02
	if e == 0 {
		off += .05 * (va - vb)
	}
	j.between(what+", of the first", x.info(a).Velocity.X, common-e*mb/(ma+mb)*(va-vb)-off, common-e*mb/(ma+mb)*(va-vb)+off)
	j.between(what+", of the second", x.info(b).Velocity.X, common+e*ma/(ma+mb)*(va-vb)-off, common+e*ma/(ma+mb)*(va-vb)+off)
	told := 0.
	for _, ev := range x.events {
		if ev.Kind == world.ContactBegin {
			told += ev.Impulse
		}
	}
	if len(x.events) > 0 {
		right := (1 + e) * (va - vb) * ma * mb / (ma + mb)
		j.between(what+", the impulse told", told, .93*right, 1.03*right)
	}
}

func knownProjectile(j *judged) {
	x := j.world(world.Config{})
	v := j.vec(15)
	d := j.shape()
	b := x.made(world.BodyDef{Kind: world.Dynamic, Velocity: v, Angle: j.span(-3, 3), AngularVelocity: 0, Shapes: []world.ShapeDef{d}})
	at, v0 := x.info(b).Centre, x.info(b).Velocity
	t := j.span(.2, 2)
	n := int(60 * t)
	x.steps(n)
	t = float64(n) / 60
	i := x.info(b)
	j.between("x of what is thrown, beside the parabola", i.Centre.X-at.X-v0.X*t, -1e-3, 1e-3)
	// Each step falls with the velocity of its end: h/2 more than the parabola.
	j.between("y of what is thrown, beside the parabola", i.Centre.Y-at.Y-v0.Y*t+5*t*t, -5*t/60-1e-3, 1e-3)
	j.between("its velocity", i.Velocity.Y-v0.Y, -10*t-1e-3, -10*t+1e-3)
}

func knownBounces(j *judged) {
	x := j.world(world.Config{})
	x.rate = []float64{60, 120, 240}[j.IntN(3)]
	e, h, r := j.span(.3, 1), j.span(.5, 5), j.span(.1, .5)
	x.body(world.Static, world.Vec{Y: -1}, world.Box(20, 1))
	b := x.body(world.Dynamic, world.Vec{Y: h + r}, bouncy(world.Circle(r), e, .2))
	v := math.Sqrt(20 * h)
	x.steps(int(x.rate * (v/10 + .05)))
	top := 0.
	for range int(x.rate * (e*v/10 + .1)) {
		x.steps(1)
		top = math.Max(top, x.info(b).Position.Y-r)
	}
	if e*v < 1.2 {
		return // so slow impacts do not bounce
	}
	// The step of the impact falls by v/rate more or less than the real ball, and the
	// library's floors have a skin of 1 cm.
	off := 1.3*v/x.rate/h/e + .012/(e*e*h) + .02
	j.between(fmt.Sprintf("the height of a bounce from %.2f m with a restitution of %.2f at %g Hz, of the right one", h, e, x.rate), top/(e*e*h), 1-off, 1+off)
}

// Whatever comes down on whatever, no bounce gains energy. A step is a 240th of a second,
// so that what a step of the fall does with the energy is small beside it.
func knownPlank(j *judged) {
	impacts := 1. // whose steps' falls may be gained
	if j.way != world.SoftStep {
		impacts = 5 // of Box2D 2.x each: a body stops where it hits, and has the velocity of the whole step
	}
	x := j.world(world.Config{NoSleep: true})
	x.rate = 240
	half := j.span(.02, 1)
	x.body(world.Static, world.Vec{Y: -.5}, bouncy(world.Box(half, .5), 1, 0))
	hx, hy, height := j.span(.2, 2.5), j.span(.05, .3), j.span(1, 5)
	b := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: j.span(-.05, .05), Y: height}, Angle: float64(j.IntN(2)) * j.span(-.5, .5), Shapes: []world.ShapeDef{bouncy(world.Box(hx, hy), j.span(.5, 1), 0)}})
	energy := func() float64 { i := x.info(b); return i.KineticEnergy()/i.Mass/10 + i.Position.Y } // as a height
	for range 600 {
		x.steps(1)
		if !j.between(fmt.Sprintf("the energy of a plank of %.2f by %.2f m over a floor of %.2f m, of what there was", 2*hx, 2*hy, 2*half), energy()/height, -math.MaxFloat64, 1.01+impacts*math.Sqrt(20*height)/x.rate/height) {
			return
		}
	}
}

func knownFloating(j *judged) {
	x := j.world(world.Config{NoSleep: true})
	d := world.Box(j.span(.2, .5), j.span(.2, .5))
	if j.IntN(2) == 0 {
		d = world.Circle(j.span(.2, .5))
	}
	d.Density = j.span(.3, 1)
	b := x.body(world.Dynamic, world.Vec{Y: -5}, d)
	must(0, x.SetFixedRotation(b, true))
	x.AddController(&forces.Fluid{Density: d.Density, Drag: 1.5})
	x.steps(600)
	j.between("moved in 10 s in a fluid of its own density, m", math.Abs(x.info(b).Position.Y+5), 0, .01)
}

// A box that friction or a weld holds on what sways goes with it.
func knownTurning(j *judged) {
	x := j.world(world.Config{NoSleep: true})
	d, bx := world.Box(10, .2), world.Box(j.span(.2, .5), j.span(.2, .5))
	d.Friction, bx.Friction = 1, 1
	om, far := j.span(.2, 1.2), j.span(2, 8)
	p := x.made(world.BodyDef{Kind: world.Kinematic, Angle: -.3, Shapes: []world.ShapeDef{d}})
	at := x.info(p).WorldPoint(world.Vec{X: far, Y: .2 + bx.Points[2].Y})
	b := x.made(world.BodyDef{Kind: world.Dynamic, Angle: -.3, Position: at, Shapes: []world.ShapeDef{bx}})
	x.steps(30)
	from, worst := x.info(p).LocalPoint(x.info(b).Position).X, 0.
	for i := range 300 {
		t := float64(i) / 60
		must(0, x.SetAngularVelocity(p, (-.3*math.Cos(om*(t+1./60))+.3*math.Cos(om*t))*60))
		x.steps(1)
		worst = math.Max(worst, math.Abs(x.info(p).LocalPoint(x.info(b).Position).X-from))
	}
	j.between(fmt.Sprintf("a box with friction 1 at %.1f m on a plank that sways as cos %.2ft: slides, m in 5 s", far, om), worst, 0, .02*om+.004)
}

// placed turns a world, mirrors it and moves it elsewhere.
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

// back is where a point would be in the world that was not placed elsewhere.
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

// few is a small world that does not depend on tiny differences within a second: a body
// comes down on a slope, and two hang from joints.
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

// A world does not know which way is up, or where it is. 10 km away a float32 has steps of
// a millimetre, which is why states of bodies are given to 1 km.
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

// A rate is a choice of accuracy: half of it doubles the error.
func sameAtAnyRate(j *judged) {
	seed := j.Uint64()
	fine := j.few(seed, placed{}, 480)
	for _, rate := range []float64{30, 60, 120, 240} {
		at := j.few(seed, placed{}, rate)
		for i := range at[1:] { // the first may bounce once more, or roll the other way
			if !j.between(fmt.Sprintf("hanging body %d of seed %d at %g Hz: beside that at 480 Hz, m", i+1, seed, rate), math.Hypot(at[i+1].X-fine[i+1].X, at[i+1].Y-fine[i+1].Y), 0, 15/rate) {
				return
			}
		}
	}
}

// Random worlds, judged by physics alone.
func TestAttackPhysics(t *testing.T) {
	a := attack.Start(t)
	all := referees()
	for r := range a.Rounds() {
		way := steppers[r.IntN(3)]
		f := all[r.IntN(len(all))]
		if way == world.SoftStep && knownFaults[f.name] != "" {
			continue
		}
		f.judge(&judged{TB: a, Rand: r, way: way, name: f.name})
		a.Count("verdicts", 1)
	}
}

// What holds of motion in general holds of a few worlds of each kind, with every stepper.
func TestRefereesOfPhysicsFindNothing(t *testing.T) {
	norace.Only(t)
	for _, f := range referees() {
		for _, way := range steppers {
			t.Run(fmt.Sprintf("%s/%v", f.name, way), func(t *testing.T) {
				if fault := knownFaults[f.name]; way == world.SoftStep && fault != "" {
					t.Skip(fault)
				}
				for seed := range uint64(12) {
					f.judge(&judged{TB: t, Rand: rand.New(rand.NewPCG(seed, 51)), way: way, name: fmt.Sprintf("%s, seed %d", f.name, seed)})
				}
			})
		}
	}
}
