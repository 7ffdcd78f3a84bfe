package play

import (
	"fmt"
	"math"
	"strconv"

	"halfstep/world"
)

// Field is a value of a body, a shape or a joint that the user can change. D is the definition that has
// it. The page Body, the words of undo and the commands all come from the same row of a table.
type Field[D any] struct {
	Name string // "change " + Name is the control, and what undo says
	Unit string
	Is   FieldKind
	Rare bool // not on the page before the user asks for all values

	Min, Max    float64 // of a slider
	Step        float64
	Log         bool
	Least, Most float64  // what can be typed; both 0: Min to Max
	Words       []string // of a Choice

	Has func(*D) bool // whether this one has the value; nil: each has it
	Get func(*D) float64
	set func(*D, float64)

	Text  func(*D) string         // of a Text, in place of Get and set
	parse func(*D, string) string // it returns what is wrong, or ""

	// send gives the command that makes a part what its changed definition says; nil: the part is
	// made anew. In the tables of bodies and shapes it is never nil.
	send func(p *Player, handle uint64, d *D)
}

// FieldKind says how a value is shown and changed.
type FieldKind int

const (
	Number FieldKind = iota
	Truth            // 0 or 1
	Choice           // the index of a word
	Text
)

// Control is the name of the control that changes the value, and of the change.
func (f *Field[D]) Control() string { return "change " + f.Name }

// In reports whether a definition has the value.
func (f *Field[D]) In(d *D) bool { return f.Has == nil || f.Has(d) }

// change changes the value in a definition, to text if it is a Text and else to x.
func (f *Field[D]) change(d *D, x float64, text string) {
	if f.Is == Text {
		f.parse(d, text)
	} else {
		f.set(d, x)
	}
}

func one(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

const degree = math.Pi / 180

type (
	bodyField  = Field[world.BodyDef]
	shapeField = Field[world.ShapeDef]
	jointField = Field[world.JointDef]
)

// number, inDegrees, truth and vec are rows of the tables.
func number[D any](name, unit string, low, high, step float64, at func(*D) *float64) Field[D] {
	return Field[D]{Name: name, Unit: unit, Min: low, Max: high, Step: step,
		Get: func(d *D) float64 { return *at(d) }, set: func(d *D, x float64) { *at(d) = x }}
}

func inDegrees[D any](name string, at func(*D) *float64) Field[D] {
	f := number(name, "°", -180, 180, 1, at)
	f.Least, f.Most = -36000, 36000
	f.Get = func(d *D) float64 { return *at(d) / degree }
	f.set = func(d *D, x float64) { *at(d) = x * degree }
	return f
}

func truth[D any](name string, at func(*D) *bool) Field[D] {
	return Field[D]{Name: name, Is: Truth, Max: 1,
		Get: func(d *D) float64 { return one(*at(d)) }, set: func(d *D, x float64) { *at(d) = x != 0 }}
}

// typed widens the range of what can be typed.
func (f Field[D]) typed(least, most float64) Field[D] {
	f.Least, f.Most = least, most
	return f
}

// log gives the slider a logarithmic scale; 0 can be typed.
func (f Field[D]) log(most float64) Field[D] {
	f.Log, f.Step, f.Least, f.Most = true, 0, 0, most
	return f
}

func (f Field[D]) rare() Field[D] {
	f.Rare = true
	return f
}

func (f Field[D]) of(has func(*D) bool) Field[D] {
	f.Has = has
	return f
}

func (f Field[D]) by(send func(*Player, uint64, *D)) Field[D] {
	f.send = send
	return f
}

// named is the row of a name.
func named[D any](at func(*D) *string) Field[D] {
	return Field[D]{Name: "name", Is: Text, Rare: true,
		Text:  func(d *D) string { return *at(d) },
		parse: func(d *D, text string) string { *at(d) = text; return "" }}
}

// far is the farthest place that can be typed, m.
const far = 1e5

// BodyFields are the values of a body.
var BodyFields = func() []bodyField {
	moves := func(d *world.BodyDef) bool { return d.Kind != world.Static }
	dynamic := func(d *world.BodyDef) bool { return d.Kind == world.Dynamic }
	place := func(p *Player, b uint64, d *world.BodyDef) { p.Teleport(world.Body(b), d.Position, d.Angle) }
	velocity := func(p *Player, b uint64, d *world.BodyDef) { p.SetVelocity(world.Body(b), d.Velocity) }
	damping := func(p *Player, b uint64, d *world.BodyDef) {
		p.SetDamping(world.Body(b), d.LinearDamping, d.AngularDamping)
	}
	rest := func(p *Player, b uint64, d *world.BodyDef) {
		p.SetSleepSpeeds(world.Body(b), d.SleepSpeed, d.SleepSpin)
	}
	axes := func(p *Player, b uint64, d *world.BodyDef) { p.SetFixedAxes(world.Body(b), d.FixedX, d.FixedY) }
	gravity := bodyField{Name: "gravity scale", Unit: "×", Min: -2, Max: 2, Step: .1, Least: -1000, Most: 1000,
		Get: func(d *world.BodyDef) float64 {
			if d.NoGravity {
				return 0
			}
			return d.GravityScale
		},
		set: func(d *world.BodyDef, x float64) { d.GravityScale, d.NoGravity = x, x == 0 },
	}
	return []bodyField{
		{Name: "kind", Is: Choice, Words: []string{world.Static.String(), world.Kinematic.String(), world.Dynamic.String()},
			Get: func(d *world.BodyDef) float64 { return float64(d.Kind) }, set: func(d *world.BodyDef, x float64) { d.Kind = world.BodyKind(x) },
			send: func(p *Player, b uint64, d *world.BodyDef) { p.SetKind(world.Body(b), d.Kind) }},
		number("x", "m", -50, 50, .05, func(d *world.BodyDef) *float64 { return &d.Position.X }).rare().typed(-far, far).by(place),
		number("y", "m", -50, 50, .05, func(d *world.BodyDef) *float64 { return &d.Position.Y }).rare().typed(-far, far).by(place),
		inDegrees("angle", func(d *world.BodyDef) *float64 { return &d.Angle }).rare().by(place),
		number("velocity x", "m/s", -20, 20, .1, func(d *world.BodyDef) *float64 { return &d.Velocity.X }).typed(-120, 120).of(moves).by(velocity),
		number("velocity y", "m/s", -20, 20, .1, func(d *world.BodyDef) *float64 { return &d.Velocity.Y }).typed(-120, 120).of(moves).by(velocity),
		number("turning", "rad/s", -20, 20, .1, func(d *world.BodyDef) *float64 { return &d.AngularVelocity }).rare().typed(-90, 90).of(moves).
			by(func(p *Player, b uint64, d *world.BodyDef) { p.SetAngularVelocity(world.Body(b), d.AngularVelocity) }),
		number("damping", "1/s", 0, 5, .05, func(d *world.BodyDef) *float64 { return &d.LinearDamping }).rare().typed(0, 1000).of(dynamic).by(damping),
		number("damping of turning", "1/s", 0, 5, .05, func(d *world.BodyDef) *float64 { return &d.AngularDamping }).rare().typed(0, 1000).of(dynamic).by(damping),
		gravity.rare().of(dynamic).by(func(p *Player, b uint64, d *world.BodyDef) { p.SetGravityScale(world.Body(b), d.GravityScale) }),
		number("sleeps below", "m/s", 0, 2, .01, func(d *world.BodyDef) *float64 { return &d.SleepSpeed }).rare().typed(0, 1000).of(dynamic).by(rest),
		number("sleeps below, turning", "rad/s", 0, 2, .01, func(d *world.BodyDef) *float64 { return &d.SleepSpin }).rare().typed(0, 1000).of(dynamic).by(rest),
		truth("never turns", func(d *world.BodyDef) *bool { return &d.FixedRotation }).rare().of(dynamic).
			by(func(p *Player, b uint64, d *world.BodyDef) { p.SetFixedRotation(world.Body(b), d.FixedRotation) }),
		truth("keeps its x", func(d *world.BodyDef) *bool { return &d.FixedX }).rare().of(dynamic).by(axes),
		truth("keeps its y", func(d *world.BodyDef) *bool { return &d.FixedY }).rare().of(dynamic).by(axes),
		truth("bullet", func(d *world.BodyDef) *bool { return &d.Bullet }).rare().of(dynamic).
			by(func(p *Player, b uint64, d *world.BodyDef) { p.SetBullet(world.Body(b), d.Bullet) }),
		truth("disabled", func(d *world.BodyDef) *bool { return &d.Disabled }).rare().
			by(func(p *Player, b uint64, d *world.BodyDef) { p.SetEnabled(world.Body(b), !d.Disabled) }),
	}
}()

// ShapeFields are the values of a shape. The first ones are its size; several shapes have no size in
// common.
var ShapeFields = func() []shapeField {
	is := func(kinds ...world.ShapeKind) func(*world.ShapeDef) bool {
		return func(d *world.ShapeDef) bool {
			for _, k := range kinds {
				if d.Kind == k {
					return true
				}
			}
			return false
		}
	}
	anew := func(p *Player, s uint64, d *world.ShapeDef) { p.ReplaceShape(world.Shape(s), *d) }
	filter := func(p *Player, s uint64, d *world.ShapeDef) { p.SetFilter(world.Shape(s), d.Filter) }
	side := func(name string, of func(*world.Vec) *float64) shapeField {
		f := shapeField{Name: name, Unit: "m", Min: .05, Max: 20, Log: true, Least: 2 * leastSize, Most: 1e4,
			Get: func(d *world.ShapeDef) float64 { low, high := span(d, of); return high - low + 2*d.Radius },
			set: func(d *world.ShapeDef, x float64) {
				low, high := span(d, of)
				if x -= 2 * d.Radius; x < leastSize || high == low {
					return // the round corners leave no room
				}
				d.Points = append([]world.Vec(nil), d.Points...)
				for i := range d.Points {
					at := of(&d.Points[i])
					*at = (low+high)/2 + (*at-(low+high)/2)*x/(high-low)
				}
			}}
		return f.of(is(world.PolygonShape)).by(anew)
	}
	length := shapeField{Name: "length", Unit: "m", Min: .05, Max: 20, Log: true, Least: 2 * leastSize, Most: 1e4,
		Get: func(d *world.ShapeDef) float64 { return d.Points[1].Sub(d.Points[0]).Len() },
		set: func(d *world.ShapeDef, x float64) {
			a, b := d.Points[0], d.Points[1]
			middle, half := world.Vec{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2}, x/2/b.Sub(a).Len()
			way := world.Vec{X: (b.X - a.X) * half, Y: (b.Y - a.Y) * half}
			d.Points = []world.Vec{middle.Sub(way), middle.Add(way)}
		}}
	radius := number("radius", "m", .05, 10, 0, func(d *world.ShapeDef) *float64 { return &d.Radius })
	radius.Log, radius.Least, radius.Most = true, leastSize, 1e4
	bits := func(name string, at func(*world.Filter) *uint64) shapeField {
		return shapeField{Name: name, Is: Text, Rare: true,
			Text: func(d *world.ShapeDef) string { return fmt.Sprintf("%#x", *at(&d.Filter)) },
			parse: func(d *world.ShapeDef, text string) string {
				x, err := strconv.ParseUint(text, 0, 64)
				if err != nil {
					return text + " is no number of 64 bits, such as 0x1f"
				}
				*at(&d.Filter) = x
				return ""
			}, send: filter}
	}
	return []shapeField{
		radius.of(is(world.CircleShape, world.CapsuleShape)).by(anew),
		side("width", func(v *world.Vec) *float64 { return &v.X }),
		side("height", func(v *world.Vec) *float64 { return &v.Y }),
		length.of(is(world.CapsuleShape, world.EdgeShape)).by(anew),
		number("density", "kg/m²", .01, 100, 0, func(d *world.ShapeDef) *float64 { return &d.Density }).log(1e6).
			of(is(world.CircleShape, world.PolygonShape, world.CapsuleShape)).
			by(func(p *Player, s uint64, d *world.ShapeDef) { p.SetDensity(world.Shape(s), d.Density) }),
		number("friction", "", 0, 2, .05, func(d *world.ShapeDef) *float64 { return &d.Friction }).typed(0, 100).
			by(func(p *Player, s uint64, d *world.ShapeDef) { p.SetFriction(world.Shape(s), d.Friction) }),
		number("bounce", "", 0, 1, .05, func(d *world.ShapeDef) *float64 { return &d.Restitution }).typed(0, 10).
			by(func(p *Player, s uint64, d *world.ShapeDef) { p.SetRestitution(world.Shape(s), d.Restitution) }),
		number("rolling resistance", "", 0, 1, .01, func(d *world.ShapeDef) *float64 { return &d.RollingResistance }).rare().typed(0, 100).
			by(func(p *Player, s uint64, d *world.ShapeDef) {
				p.SetRollingResistance(world.Shape(s), d.RollingResistance)
			}),
		number("surface speed", "m/s", -10, 10, .1, func(d *world.ShapeDef) *float64 { return &d.SurfaceSpeed }).rare().typed(-1000, 1000).
			by(func(p *Player, s uint64, d *world.ShapeDef) { p.SetSurfaceSpeed(world.Shape(s), d.SurfaceSpeed) }),
		truth("sensor", func(d *world.ShapeDef) *bool { return &d.Sensor }).rare().
			by(func(p *Player, s uint64, d *world.ShapeDef) { p.SetSensor(world.Shape(s), d.Sensor) }),
		{Name: "material", Rare: true, Min: 0, Max: 16, Step: 1, Least: 0, Most: math.MaxUint16,
			Get:  func(d *world.ShapeDef) float64 { return float64(d.Material) },
			set:  func(d *world.ShapeDef, x float64) { d.Material, d.SegmentMaterials = world.Material(x), nil },
			send: func(p *Player, s uint64, d *world.ShapeDef) { p.SetMaterial(world.Shape(s), d.Material) }},
		{Name: "filter group", Rare: true, Min: -16, Max: 16, Step: 1, Least: math.MinInt16, Most: math.MaxInt16,
			Get: func(d *world.ShapeDef) float64 { return float64(d.Filter.Group) },
			set: func(d *world.ShapeDef, x float64) { d.Filter.Group = int16(x) }, send: filter},
		named(func(d *world.ShapeDef) *string { return &d.Name }).by(anew),
		bits("filter category", func(f *world.Filter) *uint64 { return &f.Category }),
		bits("filter mask", func(f *world.Filter) *uint64 { return &f.Mask }),
	}
}()

// sizes are the first of ShapeFields.
const sizes = 4

// span is from where to where the points of a shape reach along an axis.
func span(d *world.ShapeDef, of func(*world.Vec) *float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for i := range d.Points {
		x := *of(&d.Points[i])
		low, high = min(low, x), max(high, x)
	}
	return low, high
}

// What a motor and limits are that have just been switched on and were never set.
const (
	firstTorque = 100 // N·m or N
	firstSpeed  = -5  // rad/s: a wheel rolls to the right
	firstTurn   = 45 * degree
	firstWay    = 1 // m, and m in a second
)

// JointFields are the values of a joint.
var JointFields = func() []jointField {
	type def = world.JointDef
	is := func(kinds ...world.JointKind) func(*def) bool {
		set := 0
		for _, k := range kinds {
			set |= 1 << k
		}
		return func(d *def) bool { return set>>d.Kind&1 != 0 }
	}
	const (
		revolute, prismatic, distance, wheel, weld = world.RevoluteJoint, world.PrismaticJoint, world.DistanceJoint, world.WheelJoint, world.WeldJoint
		friction, motor, rope, mouse               = world.FrictionJoint, world.MotorJoint, world.RopeJoint, world.MouseJoint
	)
	turns := is(revolute)
	slides := is(prismatic, distance, wheel)
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
	// A limit that would pass the other one takes it along.
	together := func(f jointField) jointField {
		set := f.set
		f.set = func(d *def, x float64) {
			was := *d
			if set(d, x); d.Lower > d.Upper && d.Lower != was.Lower {
				d.Upper = d.Lower
			} else if d.Lower > d.Upper {
				d.Lower = d.Upper
			}
		}
		return f.by(limits)
	}
	limited := truth("limits", func(d *def) *bool { return &d.EnableLimit })
	limited.set = func(d *def, x float64) {
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
	driven := truth("motor", func(d *def) *bool { return &d.EnableMotor })
	driven.set = func(d *def, x float64) {
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
		return number(name, "m", -10, 10, .05, at).typed(-far, far).of(has)
	}
	both := is(revolute, prismatic, distance, world.PulleyJoint, wheel, weld, friction, rope, motor)
	const most = math.MaxFloat32
	return []jointField{
		driven.of(is(revolute, prismatic, wheel)).by(drive),
		number("motor speed", "rad/s", -50, 50, .5, speed).typed(-1e4, 1e4).of(is(revolute, wheel)).by(drive),
		number("motor speed", "m/s", -10, 10, .1, speed).typed(-1e4, 1e4).of(is(prismatic)).by(drive),
		number("motor torque", "N·m", .1, 1e5, 0, strength).log(most).of(is(revolute, wheel)).by(drive),
		number("motor force", "N", .1, 1e5, 0, strength).log(most).of(is(prismatic)).by(drive),
		limited.of(is(revolute, prismatic, distance, wheel)).by(limits),
		together(inDegrees("lower limit", lower).of(turns)),
		together(inDegrees("upper limit", upper).of(turns)),
		together(number("lower limit", "m", -10, 10, .05, lower).typed(-far, far).of(slides)),
		together(number("upper limit", "m", -10, 10, .05, upper).typed(-far, far).of(slides)),
		number("spring", "Hz", 0, 20, .1, frequency).typed(0, 1000).of(is(revolute, prismatic, distance, wheel, weld)).by(spring),
		number("spring", "Hz", .1, 20, .1, frequency).typed(.001, 1000).of(is(mouse)).by(spring),
		number("damping ratio", "", 0, 2, .05, func(d *def) *float64 { return &d.Damping }).typed(0, 1000).of(is(revolute, prismatic, distance, wheel, weld, mouse)).by(spring),
		inDegrees("spring target", func(d *def) *float64 { return &d.SpringTarget }).of(turns).by(target),
		number("spring target", "m", -10, 10, .05, func(d *def) *float64 { return &d.SpringTarget }).typed(-far, far).of(is(prismatic)).by(target),
		number("length", "m", .05, 20, .05, func(d *def) *float64 { return &d.Length }).typed(.005, far).of(is(distance)).
			by(func(p *Player, j uint64, d *def) { p.SetLength(world.Joint(j), d.Length) }),
		number("length", "m", .05, 20, .05, func(d *def) *float64 { return &d.MaxLength }).typed(.01, far).of(is(rope)).
			by(func(p *Player, j uint64, d *def) { p.SetLength(world.Joint(j), d.MaxLength) }),
		number("greatest force", "N", .1, 1e5, 0, func(d *def) *float64 { return &d.MaxForce }).log(most).of(is(friction, motor, mouse)).
			by(func(p *Player, j uint64, d *def) { p.SetMaxForce(world.Joint(j), d.MaxForce) }),
		number("greatest torque", "N·m", .1, 1e5, 0, func(d *def) *float64 { return &d.MaxTorque }).log(most).of(is(friction, motor)).
			by(func(p *Player, j uint64, d *def) { p.SetMaxTorque(world.Joint(j), d.MaxTorque) }),
		number("target x", "m", -50, 50, .05, func(d *def) *float64 { return &d.Target.X }).typed(-far, far).of(is(mouse)).
			by(func(p *Player, j uint64, d *def) { p.SetTarget(world.Joint(j), d.Target) }),
		number("target y", "m", -50, 50, .05, func(d *def) *float64 { return &d.Target.Y }).typed(-far, far).of(is(mouse)).
			by(func(p *Player, j uint64, d *def) { p.SetTarget(world.Joint(j), d.Target) }),
		number("offset x", "m", -10, 10, .05, func(d *def) *float64 { return &d.LinearOffset.X }).typed(-far, far).of(is(motor)).by(offset),
		number("offset y", "m", -10, 10, .05, func(d *def) *float64 { return &d.LinearOffset.Y }).typed(-far, far).of(is(motor)).by(offset),
		inDegrees("offset angle", func(d *def) *float64 { return &d.AngularOffset }).of(is(motor)).by(offset),
		truth("drives at a velocity", func(d *def) *bool { return &d.EnableMotor }).of(is(motor)).by(velocity),
		number("drives x", "m/s", -10, 10, .1, func(d *def) *float64 { return &d.LinearVelocity.X }).typed(-1000, 1000).of(is(motor)).by(velocity),
		number("drives y", "m/s", -10, 10, .1, func(d *def) *float64 { return &d.LinearVelocity.Y }).typed(-1000, 1000).of(is(motor)).by(velocity),
		number("drives turning", "rad/s", -20, 20, .1, func(d *def) *float64 { return &d.AngularVelocity }).typed(-1000, 1000).of(is(motor)).by(velocity),
		truth("its bodies collide", func(d *def) *bool { return &d.CollideConnected }).rare().of(both).
			by(func(p *Player, j uint64, d *def) { p.SetCollideConnected(world.Joint(j), d.CollideConnected) }),
		number("breaks at", "N", .1, 1e5, 0, func(d *def) *float64 { return &d.BreakForce }).rare().log(1e9).of(both).by(breaks),
		number("breaks at torque", "N·m", .1, 1e5, 0, func(d *def) *float64 { return &d.BreakTorque }).rare().log(1e9).of(both).by(breaks),
		// Joints are made anew with the values from here on.
		named(func(d *def) *string { return &d.Name }),
		axis.of(is(prismatic, wheel)),
		inDegrees("angle at rest", func(d *def) *float64 { return &d.ReferenceAngle }).rare().of(is(revolute, prismatic, weld)),
		number("ratio", "", -5, 5, .05, func(d *def) *float64 { return &d.Ratio }).typed(-100, 100).of(is(world.GearJoint)),
		number("ratio", "", .05, 5, .05, func(d *def) *float64 { return &d.Ratio }).typed(.01, 100).of(is(world.PulleyJoint)),
		number("correction", "", .05, 1, .05, func(d *def) *float64 { return &d.Correction }).of(is(motor)),
		anchor("anchor A, x", both, func(d *def) *float64 { return &d.AnchorA.X }).rare(),
		anchor("anchor A, y", both, func(d *def) *float64 { return &d.AnchorA.Y }).rare(),
		anchor("anchor B, x", both, func(d *def) *float64 { return &d.AnchorB.X }).rare(),
		anchor("anchor B, y", both, func(d *def) *float64 { return &d.AnchorB.Y }).rare(),
	}
}()
