package rube

import (
	"fmt"
	"math"

	"halfstep/world"
)

// jointKinds read or write the fields of each kind of joint. In a file a kind has the name that
// package world has for it.
var jointKinds = [...]func(*object, *world.JointDef){
	world.RevoluteJoint:  revolute,
	world.PrismaticJoint: prismatic,
	world.DistanceJoint:  distance,
	world.PulleyJoint:    pulley,
	world.MouseJoint:     mouse,
	world.GearJoint:      gear,
	world.WheelJoint:     wheel,
	world.WeldJoint:      weld,
	world.FrictionJoint:  friction,
	world.RopeJoint:      rope,
	world.MotorJoint:     motor,
}

// tiny replaces 0 in fields of world.JointDef in which 0 leaves the choice to the world.
const tiny = 1e-9

// joint reads or writes the fields of a joint of a scene. The scene already has its bodies;
// joints is the number of all its joints.
func (o *object) joint(s *Scene, joints int, j *Joint) {
	d := &j.Def
	toWorld := j.BodyA < 0
	if toWorld { // other programs need a body, although a mouse joint does not use it
		j.BodyA = 0
		if j.BodyB == 0 && len(s.Bodies) > 1 {
			j.BodyA = 1
		}
	}
	o.index("bodyA", &j.BodyA, len(s.Bodies), "body")
	o.index("bodyB", &j.BodyB, len(s.Bodies), "body")
	o.boolean("collideConnected", &d.CollideConnected)
	o.string("name", &d.Name)
	own(o, "breakForce", &d.BreakForce, numbers)
	own(o, "breakTorque", &d.BreakTorque, numbers)
	own(o, "keepBroken", &d.KeepBroken, truths)
	own(o, "constraintFrequency", &d.ConstraintFrequency, numbers)
	own(o, "constraintDamping", &d.ConstraintDamping, numbers)
	own(o, "toWorld", &toWorld, truths)
	o.info(&d.User)
	name := ""
	if o.writes {
		name = d.Kind.String()
	}
	o.string("type", &name)
	for d.Kind = 0; int(d.Kind) < len(jointKinds) && d.Kind.String() != name; d.Kind++ {
	}
	if o.require(int(d.Kind) < len(jointKinds), "type %s: not a joint type", quote(name)); o.err != nil {
		return
	}
	jointKinds[d.Kind](o, d)
	switch {
	case d.Kind == world.GearJoint:
		o.index("joint1", &j.Joint1, joints, "joint")
		o.index("joint2", &j.Joint2, joints, "joint")
	case d.Kind == world.MouseJoint && o.err == nil:
		o.grab(&s.Bodies[j.BodyB], d)
		if toWorld {
			j.BodyA = -1
		}
	}
	o.require(j.BodyA != j.BodyB || d.Kind == world.GearJoint, "bodyA and bodyB are both %d", j.BodyA)
	o.noOther()
}

// index reads or writes an index in a list of n elements. what is the word for an element.
func (o *object) index(name string, i *int, n int, what string) {
	integer(o, name, i, math.MinInt32, math.MaxInt32)
	o.require(*i >= 0 && *i < n, "%s %d out of range (%s)", name, *i, count(n, what))
}

// grab reads or writes the point at which a mouse joint holds body B. In the format it is a
// point of the world, unlike the anchors of other joints. If it is missing, it is the target.
func (o *object) grab(b *world.BodyDef, d *world.JointDef) {
	frame := world.BodyInfo{Position: b.Position, Angle: b.Angle}
	at := d.Target
	if o.writes {
		at = frame.WorldPoint(d.AnchorB)
	}
	o.vec("anchorB", &at)
	if !o.writes {
		d.AnchorB = frame.LocalPoint(at)
		if own(o, "anchorB", &d.AnchorB, vectors); d.AnchorB == (world.Vec{}) { // zero would mean the target
			d.AnchorB.X = math.SmallestNonzeroFloat64
		}
		return
	}
	own(o, "anchorB", &d.AnchorB, vectors)
}

// checkGear returns an error for a gear whose joints it cannot couple. All joints must have
// been read.
func (s *Scene) checkGear(j *Joint) error {
	if j.Def.Kind != world.GearJoint {
		return nil
	}
	if j.Joint1 == j.Joint2 {
		return fmt.Errorf("joint1 and joint2 are both %d", j.Joint1)
	}
	for i, n := range []int{j.Joint1, j.Joint2} {
		if k := s.Joints[n].Def.Kind; k != world.RevoluteJoint && k != world.PrismaticJoint {
			return fmt.Errorf("joint%d %d is neither revolute nor prismatic", i+1, n)
		}
	}
	return nil
}

func anchors(o *object, d *world.JointDef) {
	o.vec("anchorA", &d.AnchorA)
	o.vec("anchorB", &d.AnchorB)
}

func limits(o *object, d *world.JointDef) {
	o.boolean("enableLimit", &d.EnableLimit)
	o.float("lowerLimit", &d.Lower)
	o.float("upperLimit", &d.Upper)
}

// ownLimits reads or writes custom properties: the limits of joints that have no limits in
// Box2D 2.
func ownLimits(o *object, d *world.JointDef) {
	own(o, "enableLimit", &d.EnableLimit, truths)
	own(o, "lowerLimit", &d.Lower, numbers)
	own(o, "upperLimit", &d.Upper, numbers)
}

func drive(o *object, d *world.JointDef, most string) {
	o.boolean("enableMotor", &d.EnableMotor)
	o.float("motorSpeed", &d.MotorSpeed)
	o.positive(most, &d.MaxMotorForce)
}

func spring(o *object, d *world.JointDef, frequency, damping string) {
	o.positive(frequency, &d.Frequency)
	o.positive(damping, &d.Damping)
}

// ownSpring reads or writes custom properties: the spring of joints that have no spring in
// Box2D 2.
func ownSpring(o *object, d *world.JointDef) {
	own(o, "frequency", &d.Frequency, numbers)
	own(o, "dampingRatio", &d.Damping, numbers)
	own(o, "springTarget", &d.SpringTarget, numbers)
}

// orDefault reads or writes a number. If a file leaves the number out, the definition has 0.
func orDefault(o *object, name string, x *float64) {
	if o.writes && *x == 0 {
		return
	}
	o.positive(name, x)
	if o.has(name) {
		*x = max(*x, tiny)
	}
}

func revolute(o *object, d *world.JointDef) {
	anchors(o, d)
	limits(o, d)
	drive(o, d, "maxMotorTorque")
	o.float("refAngle", &d.ReferenceAngle)
	ownSpring(o, d)
}

func prismatic(o *object, d *world.JointDef) {
	anchors(o, d)
	limits(o, d)
	drive(o, d, "maxMotorForce")
	o.float("refAngle", &d.ReferenceAngle)
	axis := "localAxisA"
	if !o.writes && !o.has(axis) {
		axis = "localAxis1" // the name of the field in Box2D 2.1
	}
	o.vec(axis, &d.AxisA)
	ownSpring(o, d)
}

func distance(o *object, d *world.JointDef) {
	anchors(o, d)
	spring(o, d, "frequency", "dampingRatio")
	orDefault(o, "length", &d.Length)
	ownLimits(o, d)
}

func pulley(o *object, d *world.JointDef) {
	anchors(o, d)
	o.vec("groundAnchorA", &d.GroundA)
	o.vec("groundAnchorB", &d.GroundB)
	o.positive("lengthA", &d.LengthA)
	o.positive("lengthB", &d.LengthB)
	o.positive("ratio", &d.Ratio)
}

func mouse(o *object, d *world.JointDef) {
	spring(o, d, "frequency", "dampingRatio")
	o.vec("target", &d.Target)
	o.positive("maxForce", &d.MaxForce)
}

func gear(o *object, d *world.JointDef) { o.float("ratio", &d.Ratio) }

func wheel(o *object, d *world.JointDef) {
	anchors(o, d)
	drive(o, d, "maxMotorTorque")
	spring(o, d, "springFrequency", "springDampingRatio")
	o.vec("localAxisA", &d.AxisA)
	ownLimits(o, d)
}

func weld(o *object, d *world.JointDef) {
	anchors(o, d)
	spring(o, d, "frequency", "dampingRatio")
	o.float("refAngle", &d.ReferenceAngle)
}

func friction(o *object, d *world.JointDef) {
	anchors(o, d)
	o.positive("maxForce", &d.MaxForce)
	o.positive("maxTorque", &d.MaxTorque)
}

func rope(o *object, d *world.JointDef) {
	anchors(o, d)
	o.positive("maxLength", &d.MaxLength)
}

func motor(o *object, d *world.JointDef) {
	offset := "linearOffset"
	if !o.writes && !o.has(offset) {
		offset = "anchorA" // the name of the field before R.U.B.E. 1.7
	}
	o.vec(offset, &d.LinearOffset)
	o.float("refAngle", &d.AngularOffset)
	o.positive("maxForce", &d.MaxForce)
	o.positive("maxTorque", &d.MaxTorque)
	orDefault(o, "correctionFactor", &d.Correction)
	own(o, "anchorA", &d.AnchorA, vectors)
	own(o, "anchorB", &d.AnchorB, vectors)
	own(o, "enableMotor", &d.EnableMotor, truths)
	own(o, "linearVelocity", &d.LinearVelocity, vectors)
	own(o, "angularVelocity", &d.AngularVelocity, numbers)
}
