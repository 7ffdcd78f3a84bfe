package play

import (
	"fmt"
	"math"
	"strconv"

	"halfstep/world"
)

type (
	bodyField  = Field[world.BodyDef]
	shapeField = Field[world.ShapeDef]
)

// BodyFields are the values of a body. The name of the body and its mass (the mass of all its shapes) have
// controls of their own.
var BodyFields = func() []bodyField {
	moves := func(d *world.BodyDef) bool { return d.Kind != world.Static }
	dynamic := func(d *world.BodyDef) bool { return d.Kind == world.Dynamic }
	// several rows use these commands
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
		number("x", "m", -50, 50, .05, func(d *world.BodyDef) *float64 { return &d.Position.X }).rare().typed(-far, far).sentBy(place),
		number("y", "m", -50, 50, .05, func(d *world.BodyDef) *float64 { return &d.Position.Y }).rare().typed(-far, far).sentBy(place),
		inDegrees("angle", func(d *world.BodyDef) *float64 { return &d.Angle }).rare().sentBy(place),
		number("velocity x", "m/s", -20, 20, .1, func(d *world.BodyDef) *float64 { return &d.Velocity.X }).typed(-120, 120).onlyFor(moves).sentBy(velocity),
		number("velocity y", "m/s", -20, 20, .1, func(d *world.BodyDef) *float64 { return &d.Velocity.Y }).typed(-120, 120).onlyFor(moves).sentBy(velocity),
		number("turning", "rad/s", -20, 20, .1, func(d *world.BodyDef) *float64 { return &d.AngularVelocity }).rare().typed(-90, 90).onlyFor(moves).
			sentBy(func(p *Player, b uint64, d *world.BodyDef) { p.SetAngularVelocity(world.Body(b), d.AngularVelocity) }),
		number("damping", "1/s", 0, 5, .05, func(d *world.BodyDef) *float64 { return &d.LinearDamping }).rare().typed(0, 1000).onlyFor(dynamic).sentBy(damping),
		number("damping of turning", "1/s", 0, 5, .05, func(d *world.BodyDef) *float64 { return &d.AngularDamping }).rare().typed(0, 1000).onlyFor(dynamic).sentBy(damping),
		gravity.rare().onlyFor(dynamic).sentBy(func(p *Player, b uint64, d *world.BodyDef) { p.SetGravityScale(world.Body(b), d.GravityScale) }),
		number("sleeps below", "m/s", 0, 2, .01, func(d *world.BodyDef) *float64 { return &d.SleepSpeed }).rare().typed(0, 1000).onlyFor(dynamic).sentBy(rest),
		number("sleeps below, turning", "rad/s", 0, 2, .01, func(d *world.BodyDef) *float64 { return &d.SleepSpin }).rare().typed(0, 1000).onlyFor(dynamic).sentBy(rest),
		truth("never turns", func(d *world.BodyDef) *bool { return &d.FixedRotation }).rare().onlyFor(dynamic).
			sentBy(func(p *Player, b uint64, d *world.BodyDef) { p.SetFixedRotation(world.Body(b), d.FixedRotation) }),
		truth("keeps its x", func(d *world.BodyDef) *bool { return &d.FixedX }).rare().onlyFor(dynamic).sentBy(axes),
		truth("keeps its y", func(d *world.BodyDef) *bool { return &d.FixedY }).rare().onlyFor(dynamic).sentBy(axes),
		truth("bullet", func(d *world.BodyDef) *bool { return &d.Bullet }).rare().onlyFor(dynamic).
			sentBy(func(p *Player, b uint64, d *world.BodyDef) { p.SetBullet(world.Body(b), d.Bullet) }),
		truth("disabled", func(d *world.BodyDef) *bool { return &d.Disabled }).rare().
			sentBy(func(p *Player, b uint64, d *world.BodyDef) { p.SetEnabled(world.Body(b), !d.Disabled) }),
	}
}()

// ShapeFields are the values of a shape. The first values are its size, which cannot be set for several
// shapes at once (see sizes).
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
	// the function anew is for values that can be changed only by replacing the shape
	anew := func(p *Player, s uint64, d *world.ShapeDef) { p.ReplaceShape(world.Shape(s), *d) }
	filter := func(p *Player, s uint64, d *world.ShapeDef) { p.SetFilter(world.Shape(s), d.Filter) }
	// the function side makes a row for the length of a polygon along an axis; the parameter of returns the
	// coordinate on that axis
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
		return f.onlyFor(is(world.PolygonShape)).sentBy(anew)
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
	// the function bits makes a row for the bits of a filter
	bits := func(name string, at func(*world.Filter) *uint64) shapeField {
		return shapeField{Name: name, Is: Text, Advanced: true,
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
		radius.onlyFor(is(world.CircleShape, world.CapsuleShape)).sentBy(anew),
		side("width", func(v *world.Vec) *float64 { return &v.X }),
		side("height", func(v *world.Vec) *float64 { return &v.Y }),
		length.onlyFor(is(world.CapsuleShape, world.EdgeShape)).sentBy(anew),
		number("density", "kg/m²", .01, 100, 0, func(d *world.ShapeDef) *float64 { return &d.Density }).log(1e6).
			onlyFor(is(world.CircleShape, world.PolygonShape, world.CapsuleShape)).
			sentBy(func(p *Player, s uint64, d *world.ShapeDef) { p.SetDensity(world.Shape(s), d.Density) }),
		number("friction", "", 0, 2, .05, func(d *world.ShapeDef) *float64 { return &d.Friction }).typed(0, 100).
			sentBy(func(p *Player, s uint64, d *world.ShapeDef) { p.SetFriction(world.Shape(s), d.Friction) }),
		number("bounce", "", 0, 1, .05, func(d *world.ShapeDef) *float64 { return &d.Restitution }).typed(0, 10).
			sentBy(func(p *Player, s uint64, d *world.ShapeDef) { p.SetRestitution(world.Shape(s), d.Restitution) }),
		number("rolling resistance", "", 0, 1, .01, func(d *world.ShapeDef) *float64 { return &d.RollingResistance }).rare().typed(0, 100).
			sentBy(func(p *Player, s uint64, d *world.ShapeDef) {
				p.SetRollingResistance(world.Shape(s), d.RollingResistance)
			}),
		number("surface speed", "m/s", -10, 10, .1, func(d *world.ShapeDef) *float64 { return &d.SurfaceSpeed }).rare().typed(-1000, 1000).
			sentBy(func(p *Player, s uint64, d *world.ShapeDef) { p.SetSurfaceSpeed(world.Shape(s), d.SurfaceSpeed) }),
		truth("sensor", func(d *world.ShapeDef) *bool { return &d.Sensor }).rare().
			sentBy(func(p *Player, s uint64, d *world.ShapeDef) { p.SetSensor(world.Shape(s), d.Sensor) }),
		{Name: "material", Advanced: true, Min: 0, Max: 16, Step: 1, Least: 0, Most: math.MaxUint16,
			Get:  func(d *world.ShapeDef) float64 { return float64(d.Material) },
			set:  func(d *world.ShapeDef, x float64) { d.Material, d.SegmentMaterials = world.Material(x), nil }, // with nil all segments have that material
			send: func(p *Player, s uint64, d *world.ShapeDef) { p.SetMaterial(world.Shape(s), d.Material) }},
		{Name: "filter group", Advanced: true, Min: -16, Max: 16, Step: 1, Least: math.MinInt16, Most: math.MaxInt16,
			Get: func(d *world.ShapeDef) float64 { return float64(d.Filter.Group) },
			set: func(d *world.ShapeDef, x float64) { d.Filter.Group = int16(x) }, send: filter},
		named(func(d *world.ShapeDef) *string { return &d.Name }).sentBy(anew),
		bits("filter category", func(f *world.Filter) *uint64 { return &f.Category }),
		bits("filter mask", func(f *world.Filter) *uint64 { return &f.Mask }),
	}
}()

// sizes is the number of rows of ShapeFields that belong to the size: radius, width, height and length.
const sizes = 4

// span returns the range of the coordinates of a shape's points along an axis.
func span(d *world.ShapeDef, of func(*world.Vec) *float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for i := range d.Points {
		x := *of(&d.Points[i])
		low, high = min(low, x), max(high, x)
	}
	return low, high
}
