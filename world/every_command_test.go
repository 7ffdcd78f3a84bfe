package world

import (
	"fmt"
	"slices"
	"testing"
)

// populated is a world with one object of every kind. Commands act on these
// objects.
type populated struct {
	*rig
	body   Body
	shape  Shape
	joints [11]Joint
	lift   Body // kinematic
	chain  Shape
}

func newPopulated(t testing.TB) *populated {
	r := newRig(t, gravity())
	joints, _ := everyJoint(r)
	b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: 3}, Shapes: []ShapeDef{Box(.5, .5), Circle(.25)}})
	shapes, _ := r.Shapes(b)
	r.ground()
	lift := r.body(BodyDef{Kind: Kinematic, Position: Vec{X: -30, Y: 5}, Shapes: []ShapeDef{Box(1, .1), Chain(Vec{X: -3, Y: 0}, Vec{X: -2, Y: 0}, Vec{X: -1, Y: 0})}})
	chain, _ := r.Shapes(lift)
	r.start()
	r.run(3)
	r.events()
	r.structure()
	return &populated{r, b, shapes[0], joints, lift, chain[1]}
}

// fullJoint is the definition of a joint of the given kind, with a value in every
// field that the kind reads.
func (p *populated) fullJoint(k JointKind) JointDef {
	i, err := p.Joint(p.joints[k])
	check(p.t, err)
	d := i.Def
	d.BreakForce, d.BreakTorque = 9e9, 9e9
	switch k {
	case RevoluteJoint, PrismaticJoint, DistanceJoint, MouseJoint, WheelJoint, WeldJoint:
		d.Frequency, d.Damping, d.SpringTarget = 2, .5, .25
	case MotorJoint:
		d.AnchorA, d.AnchorB, d.EnableMotor, d.LinearVelocity, d.AngularVelocity = Vec{X: .5, Y: 0}, Vec{X: 0, Y: .5}, true, Vec{X: 1, Y: 2}, 3
	}
	if k == DistanceJoint || k == WheelJoint {
		d.EnableLimit, d.Lower, d.Upper = true, .5, 4
	}
	if p.soft != nil {
		d.ConstraintFrequency, d.ConstraintDamping = 20, .5
	}
	return d
}

// kindsFor has the kinds of joint that an operation accepts. An operation that is
// not in kindsFor accepts all kinds.
var kindsFor = map[opcode][]JointKind{
	opSetTarget:        {MouseJoint},
	opSetMotor:         {RevoluteJoint, PrismaticJoint, WheelJoint},
	opSetLimits:        {RevoluteJoint, PrismaticJoint, DistanceJoint, WheelJoint},
	opSetMotorOffset:   {MotorJoint},
	opSetMotorVelocity: {MotorJoint},
	opSetSpring:        {RevoluteJoint, PrismaticJoint, DistanceJoint, MouseJoint, WheelJoint, WeldJoint},
	opSetSpringTarget:  {RevoluteJoint, PrismaticJoint},
	opSetLength:        {DistanceJoint, RopeJoint, PulleyJoint},
	opSetMaxForce:      {FrictionJoint, MotorJoint, MouseJoint},
	opSetMaxTorque:     {FrictionJoint, MotorJoint},
}

// valid returns commands of an operation that the world can carry out. In each,
// every field that counts has a value other than zero. It returns none for an
// operation that it does not know.
func (p *populated) valid(op opcode) (all []Command) {
	one, two := Vec{X: .5, Y: .25}, Vec{X: 1.5, Y: 2.5}
	box := Box(.5, .75)
	box.Friction, box.Restitution = .4, .1
	box.Material, box.RollingResistance = 3, .2
	line := Edge(Vec{X: 1, Y: 1}, Vec{X: 2, Y: 1})
	line.Before, line.After = &Vec{X: .5, Y: .5}, &Vec{X: 3, Y: .5}
	line.OneWay, line.SurfaceSpeed = one, 2
	body := BodyDef{
		Kind: Dynamic, Position: Vec{X: 40, Y: 40}, Angle: .5, Velocity: one, CentreVelocity: true, AngularVelocity: 1, LinearDamping: 1, AngularDamping: 1,
		GravityScale: 2, FixedX: true, SleepSpeed: .5, SleepSpin: .25, Mass: &Mass{2, Vec{X: .25, Y: .25}, 3}, Shapes: []ShapeDef{box, line, CircleAt(.5, .5, 1)},
	}
	add := func(c Command) {
		c.Op = op
		all = append(all, c)
	}
	switch op {
	case opCreateBody:
		add(Command{Body: 901, Shape: 910, BodyDef: &body})
	case opDestroyBody, opSetAwake, opSetEnabled, opSetBullet, opSetFixedRotation:
		add(Command{Body: p.body, On: true})
	case opCreateShape:
		add(Command{Body: p.body, Shape: 902, ShapeDef: &box})
		add(Command{Body: p.body, Shape: 902, ShapeDef: &line})
	case opReplaceShape:
		add(Command{Shape: p.shape, ShapeDef: &box})
		add(Command{Shape: p.shape, ShapeDef: &line})
	case opDestroyShape, opSetSensor:
		add(Command{Shape: p.shape, On: true})
	case opSetFilter:
		add(Command{Shape: p.shape, Filter: Filter{1 << 40, 3, -1}})
	case opSetFriction, opSetRestitution, opSetDensity:
		add(Command{Shape: p.shape, X: .5})
	case opCreateJoint:
		for k := range p.joints {
			d := p.fullJoint(JointKind(k))
			add(Command{Joint: 903, JointDef: &d})
		}
	case opDestroyJoint:
		p.eachJoint(op, add, Command{})
	case opSetTarget:
		p.eachJoint(op, add, Command{P: one})
	case opSetMotorOffset:
		p.eachJoint(op, add, Command{P: one, X: 1.5})
	case opSetMotorVelocity:
		p.eachJoint(op, add, Command{On: true, V: one, X: 1.5})
	case opSetSoftness:
		c := Command{X: 9, Y: 1}
		if p.soft == nil {
			c.X = 0 // the joints of other steppers are rigid, and reject a frequency
		}
		p.eachJoint(op, add, c)
	case opSetCollideConnected:
		p.eachJoint(op, add, Command{On: true})
		p.eachJoint(op, add, Command{})
	case opSetLength, opSetMaxForce, opSetMaxTorque, opSetSpringTarget:
		p.eachJoint(op, add, Command{X: 1.5})
	case opSetMotor, opSetLimits, opSetSpring, opSetBreakLimits:
		p.eachJoint(op, add, Command{On: true, X: 1.5, Y: 2.5})
	case opForce, opImpulse, opVelocity, opShift:
		add(Command{Body: p.body, V: one})
	case opForceAt, opImpulseAt:
		add(Command{Body: p.body, V: one, P: two})
	case opTorque, opAngularImpulse, opAngularVelocity, opSetGravityScale:
		add(Command{Body: p.body, X: 2})
	case opMoveTo:
		add(Command{Body: p.lift, P: two, X: 1})
	case opTeleport:
		add(Command{Body: p.body, P: two, X: 1})
	case opSetKind:
		add(Command{Body: p.body, N: int32(Kinematic)})
	case opSetDamping:
		add(Command{Body: p.body, X: 1, Y: 2})
	case opSetSmoothing:
		add(Command{Body: p.body, N: 1})
	case opSetGravity:
		add(Command{V: one})
	case opDo:
		add(Command{Name: "test: nothing"})
	case opInspect:
		add(Command{Do: func(*World) {}})
	case opSetSurfaces:
		add(Command{Surfaces: &Surfaces{
			Mixes:                []Mix{{A: 1, B: 2, Friction: .5, Restitution: .25}, {A: AnyMaterial, RestitutionRule: MixAverage}},
			RestitutionThreshold: .5, HitSpeed: 2,
		}})
	case opSetMaterial:
		add(Command{Shape: p.shape, N: 7})
	case opSetRollingResistance:
		add(Command{Shape: p.shape, X: .5})
	case opSetSegmentMaterial:
		add(Command{Shape: p.chain, N: 7, X: 1})
	case opSetFixedAxes:
		add(Command{Body: p.body, N: fixedX | fixedY})
	case opSetName:
		add(Command{Body: p.body, Name: "another"})
	case opSetSleepSpeeds:
		add(Command{Body: p.body, X: .5, Y: .25})
	case opSetOneWay:
		add(Command{Shape: p.shape, V: one})
	case opSetSurfaceSpeed:
		add(Command{Shape: p.shape, X: 1.5})
	case opDropThrough:
		add(Command{Body: p.body})
	case opSnapshot, opRestore:
		add(Command{N: 3})
	case opExplode:
		add(Command{P: two, X: 3, V: Vec{X: 2}, Y: 4, Filter: Filter{Mask: 1}})
	}
	return all
}

func init() { Register("test: nothing", func(*World, []float64) {}) }

func allows(op opcode, k JointKind) bool {
	kinds, some := kindsFor[op]
	return !some || slices.Contains(kinds, k)
}

// eachJoint calls add with the command for each kind of joint that the operation
// accepts.
func (p *populated) eachJoint(op opcode, add func(Command), c Command) {
	for k, j := range p.joints {
		if c.Joint = j; allows(op, JointKind(k)) {
			add(c)
		}
	}
}

// everything is all state of a world that methods return.
func (p *populated) everything() string {
	s := fmt.Sprintln(p.Hash(), p.Counts(), p.Gravity(), p.World.Tick())
	for b := range p.Bodies() {
		i, err := p.Body(b)
		s += fmt.Sprintln(i, err)
		list, _ := p.Shapes(b)
		for _, sh := range list {
			i, err := p.Shape(sh)
			s += fmt.Sprintln(i, err)
		}
	}
	for raw := p.Box2D().GetJointList(); raw != nil; raw = raw.GetNext() {
		i, err := p.Joint(p.HandleOfJoint(raw))
		s += fmt.Sprintln(i, err)
	}
	return s
}

func TestEveryOperationIsNamed(t *testing.T) {
	for op, of := range operations {
		if of.name == "" || of.do == nil {
			t.Errorf("operation %d has no name, or nothing that it does", op)
		}
	}
}

func TestEveryCommandIsCarriedOut(t *testing.T) {
	for op := opNone + 1; op < opcodes; op++ {
		if op == opSnapshot || op == opRestore {
			continue // the history carries out these commands, and not the world
		}
		n := len(newPopulated(t).valid(op))
		if n == 0 {
			t.Errorf("%v: the table has no command", op)
		}
		for i := range n {
			p := newPopulated(t)
			c := p.valid(op)[i]
			p.frame(1, c)
			for _, e := range only(p.events(), CommandRejected) {
				t.Errorf("%v: %v", op, e)
			}
		}
	}
}
