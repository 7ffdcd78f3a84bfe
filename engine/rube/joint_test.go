package rube

import (
	"math"
	"reflect"
	"testing"

	"halfstep/world"
)

func TestEveryKindOfJointIsReadWithItsFields(t *testing.T) {
	a, b := world.Vec{X: 1, Y: 2}, world.Vec{X: 3, Y: 4}
	const anchors = `,"anchorA":{"x":1,"y":2},"anchorB":{"x":3,"y":4}`
	const limits = `,"enableLimit":true,"lowerLimit":-1,"upperLimit":2`
	for _, c := range []struct {
		name, fields string
		want         world.JointDef
	}{
		{"revolute", `"type":"revolute","refAngle":0.5,"jointSpeed":9,"enableMotor":true,"motorSpeed":6,"maxMotorTorque":7` + anchors + limits,
			world.JointDef{Kind: world.RevoluteJoint, AnchorA: a, AnchorB: b, ReferenceAngle: .5,
				EnableLimit: true, Lower: -1, Upper: 2, EnableMotor: true, MotorSpeed: 6, MaxMotorForce: 7}},
		{"prismatic", `"type":"prismatic","refAngle":0.5,"localAxisA":{"x":0,"y":1},"enableMotor":true,"motorSpeed":6,"maxMotorForce":7` + anchors + limits,
			world.JointDef{Kind: world.PrismaticJoint, AnchorA: a, AnchorB: b, AxisA: world.Vec{Y: 1}, ReferenceAngle: .5,
				EnableLimit: true, Lower: -1, Upper: 2, EnableMotor: true, MotorSpeed: 6, MaxMotorForce: 7}},
		{"prismatic of Box2D 2.1", `"type":"prismatic","localAxis1":{"x":0,"y":1}`, world.JointDef{Kind: world.PrismaticJoint, AxisA: world.Vec{Y: 1}}},
		{"distance", `"type":"distance","length":2,"frequency":3,"dampingRatio":0.5` + anchors,
			world.JointDef{Kind: world.DistanceJoint, AnchorA: a, AnchorB: b, Length: 2, Frequency: 3, Damping: .5}},
		{"distance of length 0", `"type":"distance","length":0`, world.JointDef{Kind: world.DistanceJoint, Length: tiny}},
		{"distance without length", `"type":"distance"`, world.JointDef{Kind: world.DistanceJoint}},
		{"pulley", `"type":"pulley","groundAnchorA":{"x":5,"y":6},"groundAnchorB":{"x":7,"y":8},"lengthA":9,"lengthB":10,"ratio":2` + anchors,
			world.JointDef{Kind: world.PulleyJoint, AnchorA: a, AnchorB: b, GroundA: world.Vec{X: 5, Y: 6}, GroundB: world.Vec{X: 7, Y: 8}, LengthA: 9, LengthB: 10, Ratio: 2}},
		{"mouse", `"type":"mouse","target":{"x":5,"y":6},"maxForce":7,"frequency":3,"dampingRatio":0.5,"anchorB":{"x":3,"y":4}`,
			world.JointDef{Kind: world.MouseJoint, AnchorB: b, Target: world.Vec{X: 5, Y: 6}, MaxForce: 7, Frequency: 3, Damping: .5}},
		{"wheel", `"type":"wheel","localAxisA":{"x":0,"y":1},"enableMotor":true,"motorSpeed":6,"maxMotorTorque":7,"springFrequency":3,"springDampingRatio":0.5` + anchors,
			world.JointDef{Kind: world.WheelJoint, AnchorA: a, AnchorB: b, AxisA: world.Vec{Y: 1}, EnableMotor: true, MotorSpeed: 6, MaxMotorForce: 7, Frequency: 3, Damping: .5}},
		{"weld", `"type":"weld","refAngle":0.5,"frequency":3,"dampingRatio":0.25` + anchors,
			world.JointDef{Kind: world.WeldJoint, AnchorA: a, AnchorB: b, ReferenceAngle: .5, Frequency: 3, Damping: .25}},
		{"friction", `"type":"friction","maxForce":7,"maxTorque":8` + anchors,
			world.JointDef{Kind: world.FrictionJoint, AnchorA: a, AnchorB: b, MaxForce: 7, MaxTorque: 8}},
		{"rope", `"type":"rope","maxLength":7` + anchors, world.JointDef{Kind: world.RopeJoint, AnchorA: a, AnchorB: b, MaxLength: 7}},
		{"motor", `"type":"motor","anchorA":{"x":5,"y":6},"linearOffset":{"x":1,"y":2},"refAngle":0.5,"maxForce":7,"maxTorque":8,"correctionFactor":0.25`,
			world.JointDef{Kind: world.MotorJoint, LinearOffset: a, AngularOffset: .5, MaxForce: 7, MaxTorque: 8, Correction: .25}},
		{"motor before R.U.B.E. 1.7", `"type":"motor","anchorA":{"x":1,"y":2}`, world.JointDef{Kind: world.MotorJoint, LinearOffset: a}},
		{"motor with offset 0", `"type":"motor","linearOffset":0,"anchorA":{"x":1,"y":2},"correctionFactor":0`, world.JointDef{Kind: world.MotorJoint, Correction: tiny}},
	} {
		j := oneJoint(t, `"name":"hinge","collideConnected":true,`+c.fields)
		c.want.Name, c.want.CollideConnected = "hinge", true
		if !reflect.DeepEqual(j.Def, c.want) || j.BodyA != 0 || j.BodyB != 1 {
			t.Errorf("%s:\ngot  %+v\nwant %+v", c.name, j, c.want)
		}
	}
}

func TestWhatAFileLeavesOutOfAJointIsLeftOutWhenItIsWrittenAgain(t *testing.T) {
	for _, kind := range []string{"revolute", "prismatic", "distance", "pulley", "mouse", "wheel", "weld", "friction", "rope", "motor"} {
		s := mustParse(t, `{"body":[{},{"type":2},{"type":2}],"joint":[{"type":"`+kind+`","bodyA":1,"bodyB":2},
			{"type":"revolute","bodyA":0,"bodyB":1},{"type":"revolute","bodyA":0,"bodyB":2},{"type":"gear","joint1":1,"joint2":2}]}`)
		data, err := s.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if again := mustParse(t, string(data)); !reflect.DeepEqual(again.Joints, s.Joints) {
			t.Errorf("%s:\nread  %+v\nagain %+v", kind, s.Joints, again.Joints)
		}
	}
}

func TestMouseJointHoldsWhereItTookHold(t *testing.T) {
	for fields, want := range map[string]world.Vec{
		`"anchorB":{"x":3,"y":4}`:            {X: 3, Y: 4},
		`"target":{"x":5,"y":6}`:             {X: 5, Y: 6},
		`"target":{"x":5,"y":6},"anchorB":0`: {X: math.SmallestNonzeroFloat64},
	} {
		if j := oneJoint(t, `"type":"mouse",`+fields); j.Def.AnchorB != want {
			t.Errorf("%s: held at %v", fields, j.Def.AnchorB)
		}
	}
}

func TestGearRefersToJointsByPlace(t *testing.T) {
	s := mustParse(t, `{"body":[{},{"type":2},{"type":2}],"joint":[
		{"type":"gear","joint1":1,"joint2":2,"ratio":-2,"bodyA":0,"bodyB":0},
		{"type":"revolute","bodyA":0,"bodyB":1},{"type":"prismatic","bodyA":0,"bodyB":2}]}`)
	j := s.Joints[0]
	if j.Joint1 != 1 || j.Joint2 != 2 || j.Def.Ratio != -2 || j.Def.Kind != world.GearJoint {
		t.Errorf("%+v", j)
	}
}
