package rube

import (
	"encoding/json"
	"fmt"
	"math"

	"halfstep/world"
)

// jointKinds are the types by their names in the file, each with what reads
// the fields that are its own.
var jointKinds = map[string]struct {
	kind world.JointKind
	read func(*object, *Joint)
}{
	"revolute":  {world.RevoluteJoint, revolute},
	"prismatic": {world.PrismaticJoint, prismatic},
	"distance":  {world.DistanceJoint, distance},
	"pulley":    {world.PulleyJoint, pulley},
	"mouse":     {world.MouseJoint, mouse},
	"gear":      {world.GearJoint, gear},
	"wheel":     {world.WheelJoint, wheel},
	"weld":      {world.WeldJoint, weld},
	"friction":  {world.FrictionJoint, friction},
	"rope":      {world.RopeJoint, rope},
	"motor":     {world.MotorJoint, motor},
}

// tiny stands for a 0 in fields of world.JointDef in which 0 leaves the choice
// to the world, where the file says 0 and means it.
const tiny = 1e-9

// joint reads a joint of a scene with so many bodies and joints.
func joint(raw json.RawMessage, bodies, joints int) (Joint, error) {
	o := newObject(raw)
	j := Joint{
		BodyA: o.index("bodyA", bodies, "body"),
		BodyB: o.index("bodyB", bodies, "body"),
		Def: world.JointDef{
			CollideConnected: o.boolean("collideConnected", false),
			Name:             o.text("name"),
			User:             user(o),
		},
	}
	name := o.text("type")
	k, ok := jointKinds[name]
	o.require(ok, "type %s: not a joint type", quote(name))
	if o.err != nil {
		return j, o.err
	}
	j.Def.Kind = k.kind
	k.read(o, &j)
	if k.kind == world.GearJoint {
		j.Joint1 = o.index("joint1", joints, "joint")
		j.Joint2 = o.index("joint2", joints, "joint")
	} else {
		o.require(j.BodyA != j.BodyB, "bodyA and bodyB are both %d", j.BodyA)
	}
	return j, o.err
}

// index reads the place of something in a list of n.
func (o *object) index(name string, n int, what string) int {
	i := int(o.integer(name, 0, math.MinInt32, math.MaxInt32))
	o.require(i >= 0 && i < n, "%s %d out of range (%s)", name, i, count(n, what))
	return i
}

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
	d.AnchorA = o.vec("anchorA")
	d.AnchorB = o.vec("anchorB")
}

func limits(o *object, d *world.JointDef) {
	d.EnableLimit = o.boolean("enableLimit", false)
	d.Lower = o.float("lowerLimit", 0)
	d.Upper = o.float("upperLimit", 0)
}

func drive(o *object, d *world.JointDef, most string) {
	d.EnableMotor = o.boolean("enableMotor", false)
	d.MotorSpeed = o.float("motorSpeed", 0)
	d.MaxMotorForce = o.positive(most)
}

func spring(o *object, d *world.JointDef, frequency, damping string) {
	d.Frequency = o.positive(frequency)
	d.Damping = o.positive(damping)
}

func revolute(o *object, j *Joint) {
	anchors(o, &j.Def)
	limits(o, &j.Def)
	drive(o, &j.Def, "maxMotorTorque")
	j.Def.ReferenceAngle = o.float("refAngle", 0)
}

func prismatic(o *object, j *Joint) {
	anchors(o, &j.Def)
	limits(o, &j.Def)
	drive(o, &j.Def, "maxMotorForce")
	j.Def.ReferenceAngle = o.float("refAngle", 0)
	if o.has("localAxisA") {
		j.Def.AxisA = o.vec("localAxisA")
	} else {
		j.Def.AxisA = o.vec("localAxis1") // its name in Box2D 2.1
	}
}

func distance(o *object, j *Joint) {
	anchors(o, &j.Def)
	spring(o, &j.Def, "frequency", "dampingRatio")
	j.Def.Length = o.positive("length")
	if o.has("length") {
		j.Def.Length = max(j.Def.Length, tiny)
	}
}

func pulley(o *object, j *Joint) {
	anchors(o, &j.Def)
	j.Def.GroundA = o.vec("groundAnchorA")
	j.Def.GroundB = o.vec("groundAnchorB")
	j.Def.LengthA = o.positive("lengthA")
	j.Def.LengthB = o.positive("lengthB")
	j.Def.Ratio = o.positive("ratio")
}

func mouse(o *object, j *Joint) {
	spring(o, &j.Def, "frequency", "dampingRatio")
	j.Def.Target = o.vec("target")
	j.Def.MaxForce = o.positive("maxForce")
	j.Grab = j.Def.Target
	if o.has("anchorB") {
		j.Grab = o.vec("anchorB") // a point of the world, unlike the anchors of other joints
	}
}

func gear(o *object, j *Joint) { j.Def.Ratio = o.float("ratio", 0) }

func wheel(o *object, j *Joint) {
	anchors(o, &j.Def)
	drive(o, &j.Def, "maxMotorTorque")
	spring(o, &j.Def, "springFrequency", "springDampingRatio")
	j.Def.AxisA = o.vec("localAxisA")
}

func weld(o *object, j *Joint) {
	anchors(o, &j.Def)
	spring(o, &j.Def, "frequency", "dampingRatio")
	j.Def.ReferenceAngle = o.float("refAngle", 0)
}

func friction(o *object, j *Joint) {
	anchors(o, &j.Def)
	j.Def.MaxForce = o.positive("maxForce")
	j.Def.MaxTorque = o.positive("maxTorque")
}

func rope(o *object, j *Joint) {
	anchors(o, &j.Def)
	j.Def.MaxLength = o.positive("maxLength")
}

func motor(o *object, j *Joint) {
	j.Def.LinearOffset = o.vec("anchorA") // its name before R.U.B.E. 1.7
	if o.has("linearOffset") {
		j.Def.LinearOffset = o.vec("linearOffset")
	}
	j.Def.AngularOffset = o.float("refAngle", 0)
	j.Def.MaxForce = o.positive("maxForce")
	j.Def.MaxTorque = o.positive("maxTorque")
	j.Def.Correction = o.positive("correctionFactor")
	if o.has("correctionFactor") {
		j.Def.Correction = max(j.Def.Correction, tiny)
	}
}
