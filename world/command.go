package world

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"halfstep/buffer/body2d"
)

type opcode uint8

// The operations, with the fields of Command that each uses. Recordings contain the numbers
// of the operations.
const (
	opNone                 opcode = iota
	opCreateBody                  // Body (the new handle), Shape (handle of the first shape; the others follow), BodyDef
	opDestroyBody                 // Body
	opCreateShape                 // Body, Shape (the new handle), ShapeDef
	opDestroyShape                // Shape
	opCreateJoint                 // Joint (the new handle), JointDef
	opDestroyJoint                // Joint
	opForce                       // Body, V (N), at the centre of mass
	opForceAt                     // Body, V (N), P (point of the world, m)
	opTorque                      // Body, X (N·m)
	opImpulse                     // Body, V (N·s), at the centre of mass
	opImpulseAt                   // Body, V (N·s), P (point of the world, m)
	opAngularImpulse              // Body, X (N·m·s)
	opVelocity                    // Body, V (m/s)
	opAngularVelocity             // Body, X (rad/s)
	opTeleport                    // Body, P (origin, m), X (angle, rad)
	opSetKind                     // Body, N (a BodyKind)
	opSetAwake                    // Body, On
	opSetEnabled                  // Body, On
	opSetBullet                   // Body, On
	opSetGravityScale             // Body, X
	opSetDamping                  // Body, X (linear, 1/s), Y (angular, 1/s)
	opSetFixedRotation            // Body, On
	opSetSmoothing                // Body, N (a body2d.Smoothing)
	opSetGravity                  // V (m/s²)
	opSetTarget                   // Joint (a mouse joint), P
	opSetMotor                    // Joint, On, X (speed), Y (maximum force or torque)
	opSetLimits                   // Joint, On, X (lower), Y (upper)
	opSetMotorOffset              // Joint (a motor joint), P (linear offset, m), X (angular offset, rad)
	opDo                          // Do; or Name and Args, of a registered function
	opInspect                     // Do, which must not change the world; it is never recorded
	opSetFilter                   // Shape, Filter
	opSetFriction                 // Shape, X
	opSetRestitution              // Shape, X
	opSetDensity                  // Shape, X (kg/m²)
	opSetSensor                   // Shape, On
	opReplaceShape                // Shape, ShapeDef
	opSetSpring                   // Joint, X (Hz), Y (damping ratio)
	opSetLength                   // Joint, X (m)
	opSetMaxForce                 // Joint, X (N)
	opSetMaxTorque                // Joint, X (N·m)
	opSetBreakLimits              // Joint, X (N), Y (N·m)
	opSetOneWay                   // Shape, V (direction, zero for none)
	opSetSurfaceSpeed             // Shape, X (m/s)
	opDropThrough                 // Body
	opExplode                     // P (at, m), X (radius, m), V.X (falloff, m), Y (N·s/m), Filter.Mask
	opSnapshot                    // N (the snapshot's number)
	opRestore                     // N
	opShift                       // Body, V (m)
	opSetSpringTarget             // Joint, X (rad or m)
	opSetMotorVelocity            // Joint (a motor joint), On, V (m/s), X (rad/s)
	opSetSoftness                 // Joint, X (Hz), Y (damping ratio)
	opSetCollideConnected         // Joint, On
	opSetSurfaces                 // Surfaces
	opSetMaterial                 // Shape, N (a Material)
	opSetRollingResistance        // Shape, X
	opSetSleepSpeeds              // Body, X (m/s), Y (rad/s)
	opMoveTo                      // Body, P (origin, m), X (angle, rad)
	opSetFixedAxes                // Body, N (1 for x, 2 for y)
	opSetSegmentMaterial          // Shape, N (a Material), X (the segment)
	opSetName                     // Body, Name

	opcodes // opcodes is the number of opcodes.
)

// Command is one change to the world on its way to a [Simulation]. The methods of
// [Commands] make them, queues carry them, and recordings store them under the names of
// these fields. Op decides which of the other fields are used. Units are m, rad, kg, s
// and products of these.
type Command struct {
	Op    opcode // one of the operations in this file
	On    bool
	N     int32
	Body  Body
	Shape Shape
	Joint Joint
	V, P  Vec
	X, Y  float64

	BodyDef  *BodyDef // read by Apply, which neither changes nor keeps it
	ShapeDef *ShapeDef
	JointDef *JointDef
	Surfaces *Surfaces
	Do       func(*World)
	Name     string // the name of a registered function (see Register) or of a body
	Args     []float64

	Filter Filter

	Source  int  // Source is the source that Commands.From sets. The value 0 means none.
	AtStart bool // the command is from Commands.At(0): a queue treats it like a command without At

	order any // an order to the engine, such as to go back in time; see private.NewOrder
}

var errNoDef = errors.New("world: a command without its definition")

// operations has the functions that carry out commands. The name of an operation is that of the
// method of Commands that makes the command.
var operations = [opcodes]struct {
	name string
	do   func(*World, *Command) error
}{
	opNone: {"no command", func(*World, *Command) error { return nil }},
	opCreateBody: {"CreateBody", func(w *World, c *Command) error {
		if err := choose(w.registry.bodies, c.Body, &w.registry.chosen.body, c.BodyDef); err != nil {
			return err
		}
		if err := w.registry.chooseShapes(c.Shape, len(c.BodyDef.Shapes)); err != nil {
			return err
		}
		return w.createBody(c.Body, c.Shape, c.BodyDef)
	}},
	opDestroyBody: {"DestroyBody", func(w *World, c *Command) error { return w.DestroyBody(c.Body) }},
	opCreateShape: {"CreateShape", func(w *World, c *Command) error {
		if err := choose(w.registry.shapes, c.Shape, &w.registry.chosen.shape, c.ShapeDef); err != nil {
			return err
		}
		return w.createShape(c.Body, c.Shape, c.ShapeDef)
	}},
	opDestroyShape: {"DestroyShape", func(w *World, c *Command) error { return w.DestroyShape(c.Shape) }},
	opCreateJoint: {"CreateJoint", func(w *World, c *Command) error {
		if err := choose(w.registry.joints, c.Joint, &w.registry.chosen.joint, c.JointDef); err != nil {
			return err
		}
		return w.createJoint(c.Joint, c.JointDef)
	}},
	opDestroyJoint:    {"DestroyJoint", func(w *World, c *Command) error { return w.DestroyJoint(c.Joint) }},
	opForce:           {"Force", func(w *World, c *Command) error { return w.Force(c.Body, c.V) }},
	opForceAt:         {"ForceAt", func(w *World, c *Command) error { return w.ForceAt(c.Body, c.V, c.P) }},
	opTorque:          {"Torque", func(w *World, c *Command) error { return w.Torque(c.Body, c.X) }},
	opImpulse:         {"Impulse", func(w *World, c *Command) error { return w.Impulse(c.Body, c.V) }},
	opImpulseAt:       {"ImpulseAt", func(w *World, c *Command) error { return w.ImpulseAt(c.Body, c.V, c.P) }},
	opAngularImpulse:  {"AngularImpulse", func(w *World, c *Command) error { return w.AngularImpulse(c.Body, c.X) }},
	opVelocity:        {"SetVelocity", func(w *World, c *Command) error { return w.SetVelocity(c.Body, c.V) }},
	opAngularVelocity: {"SetAngularVelocity", func(w *World, c *Command) error { return w.SetAngularVelocity(c.Body, c.X) }},
	opTeleport:        {"Teleport", func(w *World, c *Command) error { return w.Teleport(c.Body, c.P, c.X) }},
	opSetKind: {"SetKind", func(w *World, c *Command) error {
		if c.N < 0 || c.N > int32(Dynamic) {
			return fmt.Errorf("world: no body kind %d", c.N)
		}
		return w.SetKind(c.Body, BodyKind(c.N))
	}},
	opSetAwake:         {"SetAwake", func(w *World, c *Command) error { return w.SetAwake(c.Body, c.On) }},
	opSetEnabled:       {"SetEnabled", func(w *World, c *Command) error { return w.SetEnabled(c.Body, c.On) }},
	opSetBullet:        {"SetBullet", func(w *World, c *Command) error { return w.SetBullet(c.Body, c.On) }},
	opSetGravityScale:  {"SetGravityScale", func(w *World, c *Command) error { return w.SetGravityScale(c.Body, c.X) }},
	opSetDamping:       {"SetDamping", func(w *World, c *Command) error { return w.SetDamping(c.Body, c.X, c.Y) }},
	opSetFixedRotation: {"SetFixedRotation", func(w *World, c *Command) error { return w.SetFixedRotation(c.Body, c.On) }},
	opSetSmoothing: {"SetBodySmoothing", func(w *World, c *Command) error {
		if c.N < 0 || c.N > int32(body2d.Inherit) {
			return fmt.Errorf("world: no smoothing mode %d", c.N)
		}
		return w.SetBodySmoothing(c.Body, body2d.Smoothing(c.N))
	}},
	opSetGravity:     {"SetGravity", func(w *World, c *Command) error { return w.SetGravity(c.V) }},
	opSetTarget:      {"SetTarget", func(w *World, c *Command) error { return w.SetTarget(c.Joint, c.P) }},
	opSetMotor:       {"SetMotor", func(w *World, c *Command) error { return w.SetMotor(c.Joint, c.On, c.X, c.Y) }},
	opSetLimits:      {"SetLimits", func(w *World, c *Command) error { return w.SetLimits(c.Joint, c.On, c.X, c.Y) }},
	opSetMotorOffset: {"SetMotorOffset", func(w *World, c *Command) error { return w.SetMotorOffset(c.Joint, c.P, c.X) }},
	opDo:             {"Do", (*World).run},
	opInspect: {"Inspect", func(w *World, c *Command) error {
		if c.Do == nil {
			return errNoFunctionNamed
		}
		c.Do(w)
		return nil
	}},
	opSetFilter:      {"SetFilter", func(w *World, c *Command) error { return w.SetFilter(c.Shape, c.Filter) }},
	opSetFriction:    {"SetFriction", func(w *World, c *Command) error { return w.SetFriction(c.Shape, c.X) }},
	opSetRestitution: {"SetRestitution", func(w *World, c *Command) error { return w.SetRestitution(c.Shape, c.X) }},
	opSetDensity:     {"SetDensity", func(w *World, c *Command) error { return w.SetDensity(c.Shape, c.X) }},
	opSetSensor:      {"SetSensor", func(w *World, c *Command) error { return w.SetSensor(c.Shape, c.On) }},
	opReplaceShape: {"ReplaceShape", func(w *World, c *Command) error {
		if c.ShapeDef == nil {
			return errNoDef
		}
		return w.replaceShape(c.Shape, c.ShapeDef)
	}},
	opSetSpring:           {"SetSpring", func(w *World, c *Command) error { return w.SetSpring(c.Joint, c.X, c.Y) }},
	opSetSpringTarget:     {"SetSpringTarget", func(w *World, c *Command) error { return w.SetSpringTarget(c.Joint, c.X) }},
	opSetMotorVelocity:    {"SetMotorVelocity", func(w *World, c *Command) error { return w.SetMotorVelocity(c.Joint, c.On, c.V, c.X) }},
	opSetSoftness:         {"SetSoftness", func(w *World, c *Command) error { return w.SetSoftness(c.Joint, c.X, c.Y) }},
	opSetCollideConnected: {"SetCollideConnected", func(w *World, c *Command) error { return w.SetCollideConnected(c.Joint, c.On) }},
	opSetLength:           {"SetLength", func(w *World, c *Command) error { return w.SetLength(c.Joint, c.X) }},
	opSetMaxForce:         {"SetMaxForce", func(w *World, c *Command) error { return w.SetMaxForce(c.Joint, c.X) }},
	opSetMaxTorque:        {"SetMaxTorque", func(w *World, c *Command) error { return w.SetMaxTorque(c.Joint, c.X) }},
	opSetBreakLimits:      {"SetBreakLimits", func(w *World, c *Command) error { return w.SetBreakLimits(c.Joint, c.X, c.Y) }},
	opSetOneWay:           {"SetOneWay", func(w *World, c *Command) error { return w.SetOneWay(c.Shape, c.V) }},
	opSetSurfaceSpeed:     {"SetSurfaceSpeed", func(w *World, c *Command) error { return w.SetSurfaceSpeed(c.Shape, c.X) }},
	opDropThrough:         {"DropThrough", func(w *World, c *Command) error { return w.DropThrough(c.Body) }},
	opShift:               {"Shift", func(w *World, c *Command) error { return w.Shift(c.Body, c.V) }},
	opExplode:             {"Explode", (*World).explode},
	opSnapshot:            {"KeepSnapshot", func(w *World, c *Command) error { return w.numbered.keep(c.N) }},
	opRestore:             {"RestoreSnapshot", func(w *World, c *Command) error { return w.numbered.restore(c.N) }},
	opSetSurfaces: {"SetSurfaces", func(w *World, c *Command) error {
		if c.Surfaces == nil {
			return errNoDef
		}
		return w.SetSurfaces(*c.Surfaces)
	}},
	opSetMaterial: {"SetMaterial", func(w *World, c *Command) error {
		m, err := c.material()
		if err != nil {
			return err
		}
		return w.SetMaterial(c.Shape, m)
	}},
	opSetSegmentMaterial: {"SetSegmentMaterial", func(w *World, c *Command) error {
		m, err := c.material()
		if err != nil {
			return err
		}
		segment := -1
		if c.X >= 0 && c.X <= math.MaxInt32 {
			segment = int(c.X)
		}
		return w.SetSegmentMaterial(c.Shape, segment, m)
	}},
	opSetRollingResistance: {"SetRollingResistance", func(w *World, c *Command) error { return w.SetRollingResistance(c.Shape, c.X) }},
	opSetFixedAxes: {"SetFixedAxes", func(w *World, c *Command) error {
		return w.SetFixedAxes(c.Body, c.N&fixedX != 0, c.N&fixedY != 0)
	}},
	opSetSleepSpeeds: {"SetSleepSpeeds", func(w *World, c *Command) error { return w.SetSleepSpeeds(c.Body, c.X, c.Y) }},
	opSetName:        {"SetName", func(w *World, c *Command) error { return w.SetName(c.Body, c.Name) }},
	opMoveTo:         {"MoveTo", func(w *World, c *Command) error { return w.MoveTo(c.Body, c.P, c.X) }},
}

// String returns the name of the method of Commands that makes a command with this operation.
func (o opcode) String() string {
	if o < opcodes {
		return operations[o].name
	}
	return "unknown"
}

func (w *World) do(c *Command) error {
	if c.Op < opcodes {
		return operations[c.Op].do(w, c)
	}
	return fmt.Errorf("world: no operation %d", c.Op)
}

func (c *Command) material() (Material, error) {
	if c.N < 0 || c.N > int32(AnyMaterial) {
		return 0, fmt.Errorf("world: no material %d", c.N)
	}
	return Material(c.N), nil
}

// detach copies everything to which a command points, except User values. So the caller may change its
// arguments after the call.
func detach(c *Command) {
	c.Args = slices.Clone(c.Args)
	c.BodyDef = copied(c.BodyDef)
	c.ShapeDef = copied(c.ShapeDef)
	c.JointDef = copied(c.JointDef)
	if c.Surfaces = copied(c.Surfaces); c.Surfaces != nil {
		c.Surfaces.Mixes = slices.Clone(c.Surfaces.Mixes)
	}
	if d := c.BodyDef; d != nil {
		d.Mass = copied(d.Mass)
		d.Shapes = slices.Clone(d.Shapes)
		for i := range d.Shapes {
			detachShape(&d.Shapes[i])
		}
	}
	if c.JointDef != nil {
		c.JointDef.Anchor = copied(c.JointDef.Anchor)
	}
	if c.ShapeDef != nil {
		detachShape(c.ShapeDef)
	}
}

func detachShape(d *ShapeDef) {
	d.Points, d.SegmentMaterials = slices.Clone(d.Points), slices.Clone(d.SegmentMaterials)
	d.Before, d.After = copied(d.Before), copied(d.After)
}

func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}
