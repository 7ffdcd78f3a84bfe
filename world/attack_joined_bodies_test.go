package world_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/test/attack"
	"halfstep/test/norace"
	"halfstep/world"
)

// motion has the quantities that a closed system conserves, momentum and angular momentum
// about the origin, and its kinetic energy. For a scale of errors, it also has the sums of
// the bodies' absolute values.
type motion struct {
	p            world.Vec
	l, energy    float64
	sizeP, sizeL float64
}

func motionOf(w *world.World, bodies []world.Body) (m motion) {
	for _, b := range bodies {
		i := must(w.Body(b))
		c, v := i.Centre, i.Velocity
		m.p.X += i.Mass * v.X
		m.p.Y += i.Mass * v.Y
		m.l += i.Mass*(c.X*v.Y-c.Y*v.X) + i.Inertia*i.AngularVelocity
		m.energy += i.KineticEnergy()
		m.sizeP += i.Mass * math.Hypot(v.X, v.Y)
		m.sizeL += i.Mass*math.Hypot(c.X, c.Y)*math.Hypot(v.X, v.Y) + i.Inertia*math.Abs(i.AngularVelocity)
	}
	return m
}

// cluster has some bodies in free space that spin about each other. Joints hold them
// together.
type cluster struct {
	*rand.Rand
	w      *world.World
	bodies []world.Body
	joints []world.Joint
	kind   world.JointKind
	limits bool
	motor  bool
	spring bool
	soft   bool // the joints have a ConstraintFrequency
}

// closedKinds are the kinds of joint that act only between bodies, and not on the world.
var closedKinds = []world.JointKind{
	world.RevoluteJoint, world.PrismaticJoint, world.DistanceJoint, world.GearJoint,
	world.WheelJoint, world.WeldJoint, world.FrictionJoint, world.RopeJoint, world.MotorJoint,
}

func (c *cluster) build() {
	n := 2 + c.IntN(3) // bodies of similar masses: a light body between heavy ones shakes, see docs/soft.md
	if c.kind == world.GearJoint {
		n = 3
	}
	omega := 2 * c.NormFloat64()
	for i := range n {
		size := .25 + .1*c.Float64()
		d := world.BodyDef{Kind: world.Dynamic, NoSleep: true, AngularVelocity: omega + .3*c.NormFloat64(), Shapes: []world.ShapeDef{world.Box(size, size*(.7+.6*c.Float64()))}}
		if c.IntN(2) == 0 {
			d.Shapes[0] = world.CircleAt(.1*c.NormFloat64(), 0, size)
		}
		d.Shapes[0].Filter, d.Shapes[0].Density = world.Filter{Category: 1, Mask: 1, Group: -1}, .7+.6*c.Float64()
		to := 0
		if i > 0 {
			if to = c.IntN(i); c.kind == world.GearJoint {
				to = 0
			}
			at, way := must(c.w.Body(c.bodies[to])).Position, 2*math.Pi*c.Float64()
			far := .5 + .3*c.Float64()
			d.Position = world.Vec{X: at.X + far*math.Cos(way), Y: at.Y + far*math.Sin(way)}
			d.Angle = 2 * math.Pi * c.Float64()
		}
		d.Velocity = world.Vec{X: -omega*d.Position.Y + .3*c.NormFloat64(), Y: omega*d.Position.X + .3*c.NormFloat64()}
		c.bodies = append(c.bodies, must(c.w.CreateBody(d)))
		if i > 0 {
			c.link(c.bodies[to], c.bodies[i])
		}
	}
	if c.kind == world.GearJoint {
		ratio := .5 + c.Float64()
		if c.IntN(2) == 0 {
			ratio = -ratio
		}
		must(c.w.CreateJoint(world.JointDef{Kind: world.GearJoint, Joint1: c.joints[0], Joint2: c.joints[1], Ratio: ratio}))
	}
}

func (c *cluster) link(a, b world.Body) {
	ia, ib := must(c.w.Body(a)), must(c.w.Body(b))
	t, way := c.Float64(), 2*math.Pi*c.Float64()
	at := world.Vec{X: ia.Position.X + t*(ib.Position.X-ia.Position.X), Y: ia.Position.Y + t*(ib.Position.Y-ia.Position.Y)}
	d := world.JointDef{
		Kind: c.kind, A: a, B: b, AnchorA: ia.LocalPoint(at), AnchorB: ib.LocalPoint(at), ReferenceAngle: ib.Angle - ia.Angle,
		AxisA: world.Vec{X: math.Cos(way), Y: math.Sin(way)}, MaxForce: 5 * c.Float64(), MaxTorque: 5 * c.Float64(),
	}
	switch c.kind {
	case world.GearJoint:
		d.Kind = []world.JointKind{world.RevoluteJoint, world.PrismaticJoint}[c.IntN(2)]
	case world.DistanceJoint, world.RopeJoint:
		d.AnchorA, d.AnchorB = world.Vec{X: .1 * c.NormFloat64()}, world.Vec{Y: .1 * c.NormFloat64()}
		pa, pb := ia.WorldPoint(d.AnchorA), ib.WorldPoint(d.AnchorB)
		d.MaxLength = math.Hypot(pa.X-pb.X, pa.Y-pb.Y) + .3*c.Float64()
	case world.MotorJoint:
		d.AnchorA, d.AnchorB = world.Vec{}, world.Vec{}
		d.LinearOffset, d.AngularOffset = ia.LocalPoint(ib.Position), ib.Angle-ia.Angle
	}
	if c.limits {
		d.EnableLimit, d.Lower, d.Upper = true, -.3*c.Float64(), .3*c.Float64()
		if d.Kind == world.DistanceJoint {
			d.Lower += d.MaxLength - .15
			d.Upper += d.MaxLength
		}
	}
	if c.soft {
		d.ConstraintFrequency, d.ConstraintDamping = 5+20*c.Float64(), c.Float64()
	}
	if c.motor {
		d.EnableMotor, d.MotorSpeed, d.MaxMotorForce = true, c.NormFloat64(), c.Float64()
		if d.Kind == world.MotorJoint {
			d.LinearOffset = world.Vec{X: c.NormFloat64(), Y: c.NormFloat64()}
			d.EnableMotor = c.IntN(2) == 0
			d.LinearVelocity, d.AngularVelocity = world.Vec{X: c.NormFloat64(), Y: c.NormFloat64()}, c.NormFloat64()
			d.AnchorA, d.AnchorB = world.Vec{X: .3 * c.NormFloat64()}, world.Vec{Y: .3 * c.NormFloat64()}
		}
	}
	if c.spring && (d.Kind == world.RevoluteJoint || d.Kind == world.PrismaticJoint) {
		d.Frequency, d.Damping = .5+3*c.Float64(), c.Float64()
	}
	if c.spring && (d.Kind == world.DistanceJoint || d.Kind == world.WheelJoint || d.Kind == world.WeldJoint) {
		d.Frequency, d.Damping = .5+3*c.Float64(), c.Float64()
	}
	c.joints = append(c.joints, must(c.w.CreateJoint(d)))
}

// drift steps a cluster for some seconds. It returns the changes of the cluster's momentum
// and angular momentum, as fractions of the sums over its bodies, and its greatest energy, as
// a multiple of the first.
func (c *cluster) drift(s world.Stepper) (p, l, energy float64) {
	sim := world.NewSimulation(world.Config{Stepper: s, NoGravity: true, Workers: 1})
	defer sim.Close()
	c.w = sim.World()
	c.build()
	first := motionOf(c.w, c.bodies)
	for range 12 {
		steps(sim, 15)
		m := motionOf(c.w, c.bodies)
		p = max(p, math.Hypot(m.p.X-first.p.X, m.p.Y-first.p.Y)/(first.sizeP+m.sizeP))
		l = max(l, math.Abs(m.l-first.l)/(first.sizeL+m.sizeL))
		energy = max(energy, m.energy/first.energy)
	}
	return p, l, energy
}

// check fails if a cluster gains or loses momentum or energy without an outside force.
func (c *cluster) check(t testing.TB, s world.Stepper) {
	t.Helper()
	p, l, energy := c.drift(s)
	mostP, mostL := 2e-5, 2e-5 // errors of single precision over some hundred impulses
	if s != world.SoftStep {
		// The library pushes each body at its own anchor. If the anchors part, the pair turns: joints
		// of these kinds let them part far.
		mostP, mostL = 1e-12, .2
		if c.kind == world.FrictionJoint || c.kind == world.MotorJoint {
			mostL = 1
		}
	}
	if p > mostP || l > mostL {
		t.Errorf("%v: a part of %.2g of the momentum of %v is lost, and %.2g of its angular momentum", s, p, c, l)
	}
	if most := c.mostEnergy(); energy > most {
		t.Errorf("%v: %v has %.3g times its energy", s, c, energy)
	}
}

// mostEnergy is the limit on a cluster's energy, as a multiple of the first. A spring whose
// end turns with a body gets harder or softer, because its frequency stays the same.
func (c *cluster) mostEnergy() float64 {
	switch {
	case c.motor || c.kind == world.MotorJoint:
		return math.Inf(1)
	case c.spring || c.soft:
		return 2
	}
	return 1.01
}

func (c *cluster) String() string {
	return fmt.Sprintf("a cluster of %d bodies with %v joints (limits %v, motors %v, springs %v, soft %v)", len(c.bodies), c.kind, c.limits, c.motor, c.spring, c.soft)
}

// newCluster chooses a stepper and a cluster. It leaves out gears of the library, which
// explode in free space.
func newCluster(r *rand.Rand, kind world.JointKind, s world.Stepper) (*cluster, bool) {
	c := &cluster{Rand: r, kind: kind, limits: r.IntN(2) == 0, motor: r.IntN(2) == 0, spring: r.IntN(2) == 0}
	c.soft = s == world.SoftStep && r.IntN(4) == 0
	return c, kind != world.GearJoint || s == world.SoftStep
}

// Joints between the bodies of a group do not change its momentum and its angular momentum.
// Joints without a motor add no energy. (box2d issue 487, and issue 1046 for welds)
func TestJointsKeepMomentumAndGiveNoEnergy(t *testing.T) {
	norace.Only(t)
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, kind := range closedKinds {
			for seed := range uint64(12) {
				if c, ok := newCluster(rand.New(rand.NewPCG(seed, uint64(kind))), kind, s); ok {
					c.check(t, s)
				}
			}
		}
	})
}

// The same holds for any cluster.
func TestAttackJoinedBodies(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		s := steppers[r.IntN(len(steppers))]
		if c, ok := newCluster(r, closedKinds[r.IntN(len(closedKinds))], s); ok {
			c.check(t, s)
			a.Count("joints", uint64(len(c.joints)))
		}
	}
}
