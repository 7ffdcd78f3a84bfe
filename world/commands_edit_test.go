package world

import (
	"reflect"
	"testing"
)

// atOnce is a queue that carries out commands as soon as they are sent.
type atOnce struct{ *rig }

func (q atOnce) Send(_ uint64, c Command) { q.apply(c) }
func (q atOnce) Room() int                { return 1 }

func TestEditsGivenAsCommandsArrive(t *testing.T) {
	p := newPopulated(t)
	c := Commands{queue: atOnce{p.rig}, handles: new(handles)}
	c.SetFriction(p.shape, .7)
	c.SetRestitution(p.shape, .6)
	c.SetDensity(p.shape, 3)
	c.SetFilter(p.shape, Filter{1 << 40, 3, -1})
	c.SetSensor(p.shape, true)
	c.SetMaterial(p.shape, 7)
	c.SetRollingResistance(p.shape, .25)
	want := ShapeInfo{Body: p.body, Kind: PolygonShape, Friction: .7, Restitution: .6, Density: 3, Filter: Filter{1 << 40, 3, -1}, Sensor: true, Material: 7, RollingResistance: .25}
	if i, err := p.Shape(p.shape); i != want || err != nil {
		t.Errorf("shape %+v, %v", i, err)
	}
	c.SetSleepSpeeds(p.body, .5, .25)
	if i := p.info(p.body); i.SleepSpeed != .5 || i.SleepSpin != .25 {
		t.Errorf("body %+v", i)
	}
	rules := Surfaces{Mixes: []Mix{{A: 1, B: 2, Friction: .5}}, HitSpeed: 3}
	c.SetSurfaces(rules)
	if got := p.Surfaces(); !reflect.DeepEqual(got, rules) {
		t.Errorf("surfaces %+v", got)
	}
	c.ReplaceShape(p.shape, Circle(2))
	if i, err := p.Shape(p.shape); i.Kind != CircleShape || i.Sensor || err != nil {
		t.Errorf("replaced: %+v, %v", i, err)
	}
	def := func(k JointKind) JointDef {
		i, err := p.Joint(p.joints[k])
		check(t, err)
		return i.Def
	}
	c.SetSpring(p.joints[WheelJoint], 7, .9)
	c.SetLength(p.joints[RopeJoint], 4.5)
	c.SetMaxForce(p.joints[MotorJoint], 11)
	c.SetMaxTorque(p.joints[MotorJoint], 12)
	c.SetBreakLimits(p.joints[WeldJoint], 13, 14)
	if d := def(WheelJoint); d.Frequency != 7 || d.Damping != .9 {
		t.Errorf("%+v", d)
	}
	if d := def(RopeJoint); d.MaxLength != 4.5 {
		t.Errorf("%+v", d)
	}
	if d := def(MotorJoint); d.MaxForce != 11 || d.MaxTorque != 12 {
		t.Errorf("%+v", d)
	}
	if d := def(WeldJoint); d.BreakForce != 13 || d.BreakTorque != 14 {
		t.Errorf("%+v", d)
	}
	if got := only(p.events(), CommandRejected); len(got) > 0 {
		t.Error(got)
	}
}
