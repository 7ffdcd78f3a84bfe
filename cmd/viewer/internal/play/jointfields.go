package play

import (
	"math"

	"halfstep/world"
)

type jointField = Field[world.JointDef]

// the values for a motor and for limits that are switched on for the first time
const (
	firstTorque = 100 // N·m, and N
	firstSpeed  = -5  // in rad/s: a wheel that is the joint's second body then rolls to the right
	firstTurn   = 45 * degree
	firstWay    = 1 // m, and m/s
)

// JointFields are the values of a joint.
var JointFields = func() []jointField {
	type def = world.JointDef
	is := func(kinds ...world.JointKind) func(*def) bool {
		kindBits := 0
		for _, k := range kinds {
			kindBits |= 1 << k
		}
		return func(d *def) bool { return kindBits>>d.Kind&1 != 0 }
	}
	const (
		revolute, prismatic, distance, wheel, weld = world.RevoluteJoint, world.PrismaticJoint, world.DistanceJoint, world.WheelJoint, world.WeldJoint
		friction, motor, rope, mouse               = world.FrictionJoint, world.MotorJoint, world.RopeJoint, world.MouseJoint
	)
	turns := is(revolute)
	slides := is(prismatic, distance, wheel)
	// several rows use these commands
	limits := func(p *Player, j uint64, d *def) { p.SetLimits(world.Joint(j), d.EnableLimit, d.Lower, d.Upper) }
	drive := func(p *Player, j uint64, d *def) {
		p.SetMotor(world.Joint(j), d.EnableMotor, d.MotorSpeed, d.MaxMotorForce)
	}
	spring := func(p *Player, j uint64, d *def) { p.SetSpring(world.Joint(j), d.Frequency, d.Damping) }
	target := func(p *Player, j uint64, d *def) { p.SetSpringTarget(world.Joint(j), d.SpringTarget) }
	breaks := func(p *Player, j uint64, d *def) { p.SetBreakLimits(world.Joint(j), d.BreakForce, d.BreakTorque) }
	offset := func(p *Player, j uint64, d *def) {
		p.SetMotorOffset(world.Joint(j), d.LinearOffset, d.AngularOffset)
	}
	velocity := func(p *Player, j uint64, d *def) {
		p.SetMotorVelocity(world.Joint(j), d.EnableMotor, d.LinearVelocity, d.AngularVelocity)
	}
	lower, upper := func(d *def) *float64 { return &d.Lower }, func(d *def) *float64 { return &d.Upper }
	// if a limit would pass the other limit, the other limit moves as well
	pushesOther := func(f jointField) jointField {
		set := f.set
		f.set = func(d *def, x float64) {
			was := *d
			if set(d, x); d.Lower > d.Upper && d.Lower != was.Lower {
				d.Upper = d.Lower
			} else if d.Lower > d.Upper {
				d.Lower = d.Upper
			}
		}
		return f.sentBy(limits)
	}
	limitSwitch := truth("limits", func(d *def) *bool { return &d.EnableLimit })
	limitSwitch.set = func(d *def, x float64) {
		if d.EnableLimit = x != 0; !d.EnableLimit || d.Lower != 0 || d.Upper != 0 {
			return
		}
		switch d.Kind {
		case revolute:
			d.Lower, d.Upper = -firstTurn, firstTurn
		case distance:
			d.Lower, d.Upper = d.Length/2, d.Length*2
		default:
			d.Lower, d.Upper = -firstWay, firstWay
		}
	}
	motorSwitch := truth("motor", func(d *def) *bool { return &d.EnableMotor })
	motorSwitch.set = func(d *def, x float64) {
		if d.EnableMotor = x != 0; d.EnableMotor && d.MaxMotorForce == 0 {
			if d.MaxMotorForce = firstTorque; d.MotorSpeed == 0 && d.Kind == prismatic {
				d.MotorSpeed = firstWay
			} else if d.MotorSpeed == 0 {
				d.MotorSpeed = firstSpeed
			}
		}
	}
	speed := func(d *def) *float64 { return &d.MotorSpeed }
	strength := func(d *def) *float64 { return &d.MaxMotorForce }
	frequency := func(d *def) *float64 { return &d.Frequency }
	axis := inDegrees("axis", func(d *def) *float64 { return &d.AxisA.X })
	axis.Get = func(d *def) float64 { return math.Atan2(d.AxisA.Y, d.AxisA.X) / degree }
	axis.set = func(d *def, x float64) { d.AxisA.Y, d.AxisA.X = math.Sincos(x * degree) }
	anchor := func(name string, has func(*def) bool, at func(*def) *float64) jointField {
		return number(name, "m", -10, 10, .05, at).typed(-far, far).onlyFor(has)
	}
	twoBodies := is(revolute, prismatic, distance, world.PulleyJoint, wheel, weld, friction, rope, motor)
	const noLimit = math.MaxFloat32 // the range of values that can be typed has no limit
	return []jointField{
		motorSwitch.onlyFor(is(revolute, prismatic, wheel)).sentBy(drive),
		number("motor speed", "rad/s", -50, 50, .5, speed).typed(-1e4, 1e4).onlyFor(is(revolute, wheel)).sentBy(drive),
		number("motor speed", "m/s", -10, 10, .1, speed).typed(-1e4, 1e4).onlyFor(is(prismatic)).sentBy(drive),
		number("motor torque", "N·m", .1, 1e5, 0, strength).log(noLimit).onlyFor(is(revolute, wheel)).sentBy(drive),
		number("motor force", "N", .1, 1e5, 0, strength).log(noLimit).onlyFor(is(prismatic)).sentBy(drive),
		limitSwitch.onlyFor(is(revolute, prismatic, distance, wheel)).sentBy(limits),
		pushesOther(inDegrees("lower limit", lower).onlyFor(turns)),
		pushesOther(inDegrees("upper limit", upper).onlyFor(turns)),
		pushesOther(number("lower limit", "m", -10, 10, .05, lower).typed(-far, far).onlyFor(slides)),
		pushesOther(number("upper limit", "m", -10, 10, .05, upper).typed(-far, far).onlyFor(slides)),
		number("spring", "Hz", 0, 20, .1, frequency).typed(0, 1000).onlyFor(is(revolute, prismatic, distance, wheel, weld)).sentBy(spring),
		number("spring", "Hz", .1, 20, .1, frequency).typed(.001, 1000).onlyFor(is(mouse)).sentBy(spring),
		number("damping ratio", "", 0, 2, .05, func(d *def) *float64 { return &d.Damping }).typed(0, 1000).onlyFor(is(revolute, prismatic, distance, wheel, weld, mouse)).sentBy(spring),
		inDegrees("spring target", func(d *def) *float64 { return &d.SpringTarget }).onlyFor(turns).sentBy(target),
		number("spring target", "m", -10, 10, .05, func(d *def) *float64 { return &d.SpringTarget }).typed(-far, far).onlyFor(is(prismatic)).sentBy(target),
		number("length", "m", .05, 20, .05, func(d *def) *float64 { return &d.Length }).typed(.005, far).onlyFor(is(distance)).
			sentBy(func(p *Player, j uint64, d *def) { p.SetLength(world.Joint(j), d.Length) }),
		number("length", "m", .05, 20, .05, func(d *def) *float64 { return &d.MaxLength }).typed(.01, far).onlyFor(is(rope)).
			sentBy(func(p *Player, j uint64, d *def) { p.SetLength(world.Joint(j), d.MaxLength) }),
		number("greatest force", "N", .1, 1e5, 0, func(d *def) *float64 { return &d.MaxForce }).log(noLimit).onlyFor(is(friction, motor, mouse)).
			sentBy(func(p *Player, j uint64, d *def) { p.SetMaxForce(world.Joint(j), d.MaxForce) }),
		number("greatest torque", "N·m", .1, 1e5, 0, func(d *def) *float64 { return &d.MaxTorque }).log(noLimit).onlyFor(is(friction, motor)).
			sentBy(func(p *Player, j uint64, d *def) { p.SetMaxTorque(world.Joint(j), d.MaxTorque) }),
		number("target x", "m", -50, 50, .05, func(d *def) *float64 { return &d.Target.X }).typed(-far, far).onlyFor(is(mouse)).
			sentBy(func(p *Player, j uint64, d *def) { p.SetTarget(world.Joint(j), d.Target) }),
		number("target y", "m", -50, 50, .05, func(d *def) *float64 { return &d.Target.Y }).typed(-far, far).onlyFor(is(mouse)).
			sentBy(func(p *Player, j uint64, d *def) { p.SetTarget(world.Joint(j), d.Target) }),
		number("offset x", "m", -10, 10, .05, func(d *def) *float64 { return &d.LinearOffset.X }).typed(-far, far).onlyFor(is(motor)).sentBy(offset),
		number("offset y", "m", -10, 10, .05, func(d *def) *float64 { return &d.LinearOffset.Y }).typed(-far, far).onlyFor(is(motor)).sentBy(offset),
		inDegrees("offset angle", func(d *def) *float64 { return &d.AngularOffset }).onlyFor(is(motor)).sentBy(offset),
		truth("drives at a velocity", func(d *def) *bool { return &d.EnableMotor }).onlyFor(is(motor)).sentBy(velocity),
		number("drives x", "m/s", -10, 10, .1, func(d *def) *float64 { return &d.LinearVelocity.X }).typed(-1000, 1000).onlyFor(is(motor)).sentBy(velocity),
		number("drives y", "m/s", -10, 10, .1, func(d *def) *float64 { return &d.LinearVelocity.Y }).typed(-1000, 1000).onlyFor(is(motor)).sentBy(velocity),
		number("drives turning", "rad/s", -20, 20, .1, func(d *def) *float64 { return &d.AngularVelocity }).typed(-1000, 1000).onlyFor(is(motor)).sentBy(velocity),
		truth("its bodies collide", func(d *def) *bool { return &d.CollideConnected }).rare().onlyFor(twoBodies).
			sentBy(func(p *Player, j uint64, d *def) { p.SetCollideConnected(world.Joint(j), d.CollideConnected) }),
		number("breaks at", "N", .1, 1e5, 0, func(d *def) *float64 { return &d.BreakForce }).rare().log(1e9).onlyFor(twoBodies).sentBy(breaks),
		number("breaks at torque", "N·m", .1, 1e5, 0, func(d *def) *float64 { return &d.BreakTorque }).rare().log(1e9).onlyFor(twoBodies).sentBy(breaks),
		// changing one of the following values replaces the joint
		named(func(d *def) *string { return &d.Name }),
		axis.onlyFor(is(prismatic, wheel)),
		inDegrees("angle at rest", func(d *def) *float64 { return &d.ReferenceAngle }).rare().onlyFor(is(revolute, prismatic, weld)),
		number("ratio", "", -5, 5, .05, func(d *def) *float64 { return &d.Ratio }).typed(-100, 100).onlyFor(is(world.GearJoint)),
		number("ratio", "", .05, 5, .05, func(d *def) *float64 { return &d.Ratio }).typed(.01, 100).onlyFor(is(world.PulleyJoint)),
		number("correction", "", .05, 1, .05, func(d *def) *float64 { return &d.Correction }).onlyFor(is(motor)),
		anchor("anchor A, x", twoBodies, func(d *def) *float64 { return &d.AnchorA.X }).rare(),
		anchor("anchor A, y", twoBodies, func(d *def) *float64 { return &d.AnchorA.Y }).rare(),
		anchor("anchor B, x", twoBodies, func(d *def) *float64 { return &d.AnchorB.X }).rare(),
		anchor("anchor B, y", twoBodies, func(d *def) *float64 { return &d.AnchorB.Y }).rare(),
	}
}()
