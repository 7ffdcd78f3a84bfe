package engine_test

import (
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// operations returns the names of all commands.
func operations() (all []string) {
	c := world.Command{}
	for c.Op++; c.Op.String() != "unknown"; c.Op++ {
		all = append(all, c.Op.String())
	}
	return all
}

func init() {
	world.Register("kick every body", func(w *world.World, args []float64) {
		for b := range w.Bodies() {
			w.Impulse(b, world.Vec{X: args[0], Y: args[1]})
		}
	})
}

// everyDef is a scene in which every field of every definition has an effect.
func everyDef(w *world.World) error {
	ground, err := w.CreateBody(world.BodyDef{Name: "ground", Shapes: []world.ShapeDef{
		world.Chain(world.Vec{X: -20, Y: 8}, world.Vec{X: -20}, world.Vec{X: 20}, world.Vec{X: 20, Y: 8}),
	}})
	if err != nil {
		return err
	}
	for i := range 12 {
		b, err := w.CreateBody(world.BodyDef{
			Kind: world.Dynamic, Position: world.Vec{X: float64(i%4)*1.3 - 3, Y: 1 + float64(i/4)*1.2},
			Shapes: []world.ShapeDef{world.Box(.5, .4)}, Name: "box",
		})
		if err != nil {
			return err
		}
		if i == 11 {
			_, err = w.CreateJoint(world.JointDef{Kind: world.RopeJoint, A: ground, B: b, AnchorA: world.Vec{Y: 9}, MaxLength: 8})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// everyShape returns shapes of all kinds, with all their fields.
func everyShape() []world.ShapeDef {
	circle := world.CircleAt(.1, -.1, .3)
	circle.Density, circle.Friction, circle.Restitution = 2, .4, .5
	circle.Filter = world.Filter{Category: 1 << 40, Mask: world.AllCategories &^ 4, Group: 3}
	circle.Name, circle.Colour, circle.User = "round", body2d.Colour{200, 0, 0, 255}, 7
	poly := world.Polygon(world.Vec{X: -.5}, world.Vec{X: .5}, world.Vec{Y: .7})
	poly.Filter = world.Filter{Category: 4, Mask: 0xffff, Group: -2}
	sensor := world.Box(1, 1)
	sensor.Sensor = true
	edge := world.Edge(world.Vec{X: -1, Y: -.5}, world.Vec{X: 1, Y: -.5})
	edge.Before, edge.After = &world.Vec{X: -2, Y: -.4}, &world.Vec{X: 2, Y: -.4}
	loop := world.ClosedChain(world.Vec{X: -1, Y: -1}, world.Vec{X: 1, Y: -1}, world.Vec{Y: 1})
	loop.Restitution = .8
	chain := world.Chain(world.Vec{X: -1, Y: 1}, world.Vec{Y: 1.2}, world.Vec{X: 1, Y: 1})
	chain.Before, chain.After = &world.Vec{X: -2, Y: 1}, &world.Vec{X: 2, Y: 1}
	chain.Material, chain.SegmentMaterials = 1, []world.Material{7, 1}
	return []world.ShapeDef{circle, poly, sensor, edge, loop, chain}
}

// everyCommand gives every command. Some commands are for a frame, and others are for a
// tick. One command is rejected.
func everyCommand(e *engine.Engine, t testing.TB) {
	frames := func(n int) {
		for range n {
			e.Advance(time.Second / 90)
		}
	}
	frames(3)
	body := func(x float64, shapes ...world.ShapeDef) world.Body {
		return e.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: x, Y: 7}, Shapes: shapes})
	}
	a := e.CreateBody(world.BodyDef{
		Kind: world.Dynamic, Position: world.Vec{X: -6, Y: 6}, Angle: .3, Velocity: world.Vec{X: 1, Y: 2},
		AngularVelocity: .5, LinearDamping: .1, AngularDamping: .2, GravityScale: .8, Bullet: true, NoSleep: true,
		Mass:   &world.Mass{Mass: 3, Centre: world.Vec{X: .1}, Inertia: 2},
		Shapes: everyShape()[:3], Name: "all", Colour: body2d.Colour{0, 90, 0, 255}, User: "mine",
	})
	b := body(-4, everyShape()[0])
	e.CreateBody(world.BodyDef{Position: world.Vec{X: 8, Y: 3}, Shapes: everyShape()[3:], NoGravity: true, FixedRotation: true})
	e.CreateBody(world.BodyDef{Kind: world.Kinematic, Position: world.Vec{X: 5, Y: 6}, Velocity: world.Vec{X: -.5},
		Shapes: everyShape()[1:2], Asleep: true})
	e.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: everyShape()[:1], Disabled: true})
	frames(5)
	e.Force(b, world.Vec{X: 30, Y: 60})
	e.ForceAt(a, world.Vec{Y: 80}, world.Vec{X: -6, Y: 7})
	e.Torque(b, 5)
	e.Impulse(b, world.Vec{X: 1})
	e.ImpulseAt(a, world.Vec{X: 1, Y: 1}, world.Vec{X: -5, Y: 6})
	e.AngularImpulse(a, .7)
	frames(4)
	s := e.CreateShape(b, everyShape()[1])
	e.SetVelocity(a, world.Vec{X: 3})
	e.SetAngularVelocity(a, -2)
	frames(4)
	e.DestroyShape(s)
	e.Teleport(b, world.Vec{X: 2, Y: 9}, 1.2)
	e.Shift(b, world.Vec{X: .5})
	e.SetKind(a, world.Kinematic)
	e.MoveTo(a, world.Vec{X: -5, Y: 7}, .5)
	frames(3)
	e.SetKind(a, world.Dynamic)
	e.SetAwake(b, false)
	frames(2)
	e.SetAwake(b, true)
	e.SetEnabled(a, false)
	e.SetBullet(b, true)
	frames(3)
	e.SetEnabled(a, true)
	e.SetGravityScale(b, .5)
	e.SetDamping(b, .3, .4)
	e.SetFixedRotation(a, true)
	e.SetBodySmoothing(a, body2d.Hermite)
	frames(3)
	e.SetBodySmoothing(a, body2d.Inherit)
	e.SetGravity(world.Vec{X: 1, Y: -9})
	e.DoNamed("kick every body", .2, .4)
	e.At(e.Demanded()+7).Impulse(b, world.Vec{X: -2})
	e.At(e.Demanded()+9).Force(b, world.Vec{Y: 200})

	// every kind of joint, each with all the fields that it uses
	var p [14]world.Body
	for i := range p {
		p[i] = body(float64(i)*1.5-10, world.Box(.3, .3))
	}
	down, up := world.Vec{Y: -.3}, world.Vec{Y: .3}
	revolute := e.CreateJoint(world.JointDef{Kind: world.RevoluteJoint, A: p[0], B: p[1], AnchorA: world.Vec{X: .7}, AnchorB: world.Vec{X: -.7},
		ReferenceAngle: .1, EnableLimit: true, Lower: -1, Upper: 1, EnableMotor: true, MotorSpeed: 2, MaxMotorForce: 20, CollideConnected: true, Name: "hinge"})
	prismatic := e.CreateJoint(world.JointDef{Kind: world.PrismaticJoint, A: p[2], B: p[3], AnchorA: up, AnchorB: down, AxisA: world.Vec{X: 1, Y: 1},
		EnableLimit: true, Lower: -2, Upper: 2, EnableMotor: true, MotorSpeed: 1, MaxMotorForce: 30})
	e.CreateJoint(world.JointDef{Kind: world.DistanceJoint, A: p[3], B: p[4], Length: 1.4, Frequency: 4, Damping: .3})
	e.CreateJoint(world.JointDef{Kind: world.PulleyJoint, A: p[4], B: p[5], GroundA: world.Vec{X: -4, Y: 14}, GroundB: world.Vec{X: -2, Y: 14}, LengthA: 7, LengthB: 7.5, Ratio: 1.5})
	mouse := e.CreateJoint(world.JointDef{Kind: world.MouseJoint, B: p[6], Target: world.Vec{X: -1, Y: 7}, MaxForce: 200, Frequency: 3, Damping: .5})
	e.CreateJoint(world.JointDef{Kind: world.GearJoint, Joint1: revolute, Joint2: prismatic, Ratio: 2})
	e.CreateJoint(world.JointDef{Kind: world.WheelJoint, A: p[7], B: p[8], AnchorA: world.Vec{X: 1.5}, AxisA: world.Vec{Y: 1},
		EnableMotor: true, MotorSpeed: -3, MaxMotorForce: 10, Frequency: 3, Damping: .7})
	weld := e.CreateJoint(world.JointDef{Kind: world.WeldJoint, A: p[9], B: p[10], AnchorA: world.Vec{X: .75}, AnchorB: world.Vec{X: -.75}, ReferenceAngle: .2, Frequency: 5, Damping: .5})
	e.CreateJoint(world.JointDef{Kind: world.FrictionJoint, A: p[10], B: p[11], MaxForce: 3, MaxTorque: 2})
	e.CreateJoint(world.JointDef{Kind: world.RopeJoint, A: p[11], B: p[12], MaxLength: 1.8})
	motor := e.CreateJoint(world.JointDef{Kind: world.MotorJoint, A: p[12], B: p[13], LinearOffset: world.Vec{X: 1.2}, AngularOffset: .1, MaxForce: 50, MaxTorque: 40, Correction: .4})
	frames(12)
	e.SetTarget(mouse, world.Vec{X: 3, Y: 8})
	e.SetMotor(revolute, true, -4, 25)
	e.SetLimits(prismatic, true, -1, .5)
	e.SetMotorOffset(motor, world.Vec{X: 1, Y: .5}, .3)
	e.SetCollideConnected(revolute, false)
	e.SetSpringTarget(revolute, .5) // this joint has no spring, and neither have the next two: Box2D's joints have none
	e.SetMotorVelocity(motor, false, world.Vec{X: 1}, 2)
	e.SetSoftness(prismatic, 0, .5)
	frames(8)
	e.DestroyJoint(weld)
	e.DestroyBody(p[13])
	e.Impulse(p[13], world.Vec{X: 1}) // stale
	e.SetPaused(true)
	frames(2)
	e.Teleport(p[0], world.Vec{X: -12, Y: 10}, 0)
	frames(2)
	e.Step(1)
	frames(2)
	e.SetPaused(false)
	if err := e.SetRate(clock.Hz(75)); err != nil {
		t.Fatal(err)
	}
	e.Remote().Impulse(b, world.Vec{Y: 3})
	everyEdit(e, frames)
	frames(60)
	e.DestroyBody(b)
	frames(2)
}

// everyEdit gives every command that edits shapes and joints. At that time the shapes
// and joints touch, turn and swing.
func everyEdit(e *engine.Engine, frames func(int)) {
	v := func(x, y float64) world.Vec { return world.Vec{X: x, Y: y} }
	ramp := e.CreateBody(world.BodyDef{Position: v(10, 3), Angle: -.3})
	slope := e.CreateShape(ramp, world.Box(4, .2))
	var b [10]world.Body
	for i := range b {
		b[i] = e.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: v(float64(i)+5, 6), Shapes: []world.ShapeDef{world.Box(.4, .4)}})
	}
	ball := e.CreateShape(b[0], world.CircleAt(.2, .1, .45))
	join := func(d world.JointDef, a, b world.Body) world.Joint {
		d.A, d.B = a, b
		return e.CreateJoint(d)
	}
	spring := join(world.JointDef{Kind: world.DistanceJoint, Frequency: 2, Damping: .1}, ramp, b[1])
	rope := join(world.JointDef{Kind: world.RopeJoint, MaxLength: 5}, ramp, b[2])
	slow := join(world.JointDef{Kind: world.FrictionJoint, MaxForce: 5, MaxTorque: 5}, ramp, b[3])
	weld := join(world.JointDef{Kind: world.WeldJoint, Anchor: new(v(8, 7))}, b[4], b[5])
	wheel := join(world.JointDef{Kind: world.WheelJoint, AxisA: v(0, 1), Frequency: 4}, b[6], b[7])
	pulley := join(world.JointDef{Kind: world.PulleyJoint, GroundA: v(13, 12), GroundB: v(14, 12)}, b[8], b[9])
	frames(10)
	e.SetFriction(slope, .02)
	e.SetRestitution(ball, .9)
	e.SetDensity(ball, 6)
	e.SetSpring(spring, 5, .3)
	e.SetSpring(wheel, 8, .7)
	e.SetLength(rope, 3)
	e.SetLength(pulley, 11)
	frames(10)
	e.SetMaxForce(slow, 50)
	e.SetMaxTorque(slow, 20)
	e.SetBreakLimits(weld, 15, 2)
	e.SetFilter(slope, world.Filter{Category: 2, Mask: 1 << 63})
	e.SetSensor(ball, true)
	frames(10)
	hull := world.Polygon(v(-5, -1), v(5, -.5), v(4, .8), v(-4, .3))
	hull.Restitution = .3
	e.ReplaceShape(slope, hull)
	frames(10)
	e.SetSensor(ball, false)
	e.ReplaceShape(ball, world.Box(.3, .6))
	e.SetFilter(slope, world.Filter{})
	belt := world.Box(30, .3)
	belt.OneWay, belt.SurfaceSpeed, belt.Friction = v(0, 1), 2, .9
	floor := e.CreateShape(e.CreateBody(world.BodyDef{Position: v(10, -1)}), belt)
	frames(10)
	e.SetSurfaceSpeed(floor, -3)
	e.SetMaterial(floor, 7)
	e.SetSegmentMaterial(e.CreateShape(e.CreateBody(world.BodyDef{Position: v(60, 0)}), world.Chain(v(0, 0), v(1, 0), v(2, 0))), 1, 7)
	e.SetSurfaces(world.Surfaces{Mixes: []world.Mix{{A: 7, B: world.AnyMaterial, Friction: .6, Restitution: .3}, {A: 1, RestitutionRule: world.MixProduct}}, HitSpeed: 1})
	e.SetRollingResistance(floor, 0)
	e.SetSleepSpeeds(b[0], 0, 0)
	e.SetFixedAxes(b[0], false, false)
	e.SetName(b[0], "renamed")
	e.Explode(world.Explosion{Centre: v(9, 2), Radius: 2, Falloff: 4, ImpulsePerLength: 3, Mask: 1})
	frames(10)
	for _, b := range b {
		e.DropThrough(b)
	}
	frames(10)
	e.SetOneWay(floor, world.Vec{})
	e.KeepSnapshot(1)
	frames(10)
	e.RestoreSnapshot(1)
}
