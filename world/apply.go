package world

import (
	"errors"
	"fmt"
)

var errNoDef = errors.New("world: a command without its definition")

func (w *World) do(c *Command) error {
	switch c.Op {
	case opNone:
		return nil
	case opCreateBody:
		if err := choose(w.bodies, c.Body, &w.chosen.body, c.BodyDef); err != nil {
			return err
		}
		if err := w.chooseShapes(c.Shape, len(c.BodyDef.Shapes)); err != nil {
			return err
		}
		return w.createBody(c.Body, c.Shape, c.BodyDef)
	case opDestroyBody:
		return w.DestroyBody(c.Body)
	case opCreateShape:
		if err := choose(w.shapes, c.Shape, &w.chosen.shape, c.ShapeDef); err != nil {
			return err
		}
		return w.createShape(c.Body, c.Shape, c.ShapeDef)
	case opDestroyShape:
		return w.DestroyShape(c.Shape)
	case opCreateJoint:
		if err := choose(w.joints, c.Joint, &w.chosen.joint, c.JointDef); err != nil {
			return err
		}
		return w.createJoint(c.Joint, c.JointDef)
	case opDestroyJoint:
		return w.DestroyJoint(c.Joint)
	case opForce:
		return w.Force(c.Body, c.V)
	case opForceAt:
		return w.ForceAt(c.Body, c.V, c.P)
	case opTorque:
		return w.Torque(c.Body, c.X)
	case opImpulse:
		return w.Impulse(c.Body, c.V)
	case opImpulseAt:
		return w.ImpulseAt(c.Body, c.V, c.P)
	case opAngularImpulse:
		return w.AngularImpulse(c.Body, c.X)
	case opVelocity:
		return w.SetVelocity(c.Body, c.V)
	case opAngularVelocity:
		return w.SetAngularVelocity(c.Body, c.X)
	case opTeleport:
		return w.Teleport(c.Body, c.P, c.X)
	case opSetKind:
		if c.N < 0 || c.N > int32(Dynamic) {
			return fmt.Errorf("world: no body kind %d", c.N)
		}
		return w.SetKind(c.Body, BodyKind(c.N))
	case opSetAwake:
		return w.SetAwake(c.Body, c.On)
	case opSetEnabled:
		return w.SetEnabled(c.Body, c.On)
	case opSetBullet:
		return w.SetBullet(c.Body, c.On)
	case opSetGravityScale:
		return w.SetGravityScale(c.Body, c.X)
	case opSetDamping:
		return w.SetDamping(c.Body, c.X, c.Y)
	case opSetFixedRotation:
		return w.SetFixedRotation(c.Body, c.On)
	case opSetSmoothing:
		return w.SetSmoothing(c.Body, int(c.N))
	case opSetGravity:
		return w.SetGravity(c.V)
	case opSetTarget:
		return w.SetTarget(c.Joint, c.P)
	case opSetMotor:
		return w.SetMotor(c.Joint, c.On, c.X, c.Y)
	case opSetLimits:
		return w.SetLimits(c.Joint, c.On, c.X, c.Y)
	case opSetMotorOffset:
		return w.SetMotorOffset(c.Joint, c.P, c.X)
	case opDo:
		return w.run(c)
	case opInspect:
		if c.Do != nil {
			c.Do(w)
		}
		return nil
	case opSetFilter:
		return w.SetFilter(c.Shape, c.Filter)
	case opSetFriction:
		return w.SetFriction(c.Shape, c.X)
	case opSetRestitution:
		return w.SetRestitution(c.Shape, c.X)
	case opSetDensity:
		return w.SetDensity(c.Shape, c.X)
	case opSetSensor:
		return w.SetSensor(c.Shape, c.On)
	case opReplaceShape:
		if c.ShapeDef == nil {
			return errNoDef
		}
		return w.replaceShape(c.Shape, c.ShapeDef)
	case opSetSpring:
		return w.SetSpring(c.Joint, c.X, c.Y)
	case opSetLength:
		return w.SetLength(c.Joint, c.X)
	case opSetMaxForce:
		return w.SetMaxForce(c.Joint, c.X)
	case opSetMaxTorque:
		return w.SetMaxTorque(c.Joint, c.X)
	case opSetBreakLimits:
		return w.SetBreakLimits(c.Joint, c.X, c.Y)
	case opSetOneWay:
		return w.SetOneWay(c.Shape, c.V)
	case opSetSurfaceSpeed:
		return w.SetSurfaceSpeed(c.Shape, c.X)
	case opDropThrough:
		return w.DropThrough(c.Body)
	case opExplode:
		return w.explode(c)
	case opSnapshot:
		return w.snapshotAs(c.N)
	case opRestore:
		return w.restoreFrom(c.N)
	}
	return fmt.Errorf("world: no operation %d", c.Op)
}
