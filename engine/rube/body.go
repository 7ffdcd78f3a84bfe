package rube

import (
	"fmt"
	"strings"

	"halfstep/world"
)

// body reads or writes the fields of a body. It returns a line for each fixture that Box2D
// cannot make.
func (o *object) body(d *world.BodyDef) (without []string) {
	if o.writes && d.GravityScale == 0 && !d.NoGravity {
		d.GravityScale = 1
	}
	o.string("name", &d.Name)
	integer(o, "type", &d.Kind, 0, 2) // numbered as Box2D does
	o.vec("position", &d.Position)
	o.float("angle", &d.Angle)
	o.vec("linearVelocity", &d.Velocity)
	own(o, "velocityOfCentre", &d.CentreVelocity, truths)
	o.float("angularVelocity", &d.AngularVelocity)
	o.positive("linearDamping", &d.LinearDamping)
	o.positive("angularDamping", &d.AngularDamping)
	o.float("gravityScale", &d.GravityScale)
	o.not("allowSleep", &d.NoSleep)
	o.not("awake", &d.Asleep)
	o.boolean("fixedRotation", &d.FixedRotation)
	own(o, "fixedX", &d.FixedX, truths)
	own(o, "fixedY", &d.FixedY, truths)
	o.boolean("bullet", &d.Bullet)
	o.not("active", &d.Disabled)
	own(o, "sleepSpeed", &d.SleepSpeed, numbers)
	own(o, "sleepSpin", &d.SleepSpin, numbers)
	own(o, "colour", &d.Colour, colours)
	o.info(&d.User)
	o.massData(d)
	if d.NoGravity = d.GravityScale == 0; d.Kind == world.Static {
		// Box2D itself would keep the velocity, and would move the body by it.
		d.Velocity, d.AngularVelocity = world.Vec{}, 0
	}
	if o.writes {
		o.writeAll("fixture", len(d.Shapes), func(in *object, i int) {
			f := d.Shapes[i]
			in.fixture(&f)
		})
		return nil
	}
	fixtures := o.elements("fixture")
	o.require(len(fixtures) <= world.MaxBodyShapes, "%d fixtures (at most %d)", len(fixtures), world.MaxBodyShapes)
	if o.noOther(); o.err != nil {
		return nil
	}
	d.Shapes = make([]world.ShapeDef, 0, len(fixtures))
	for i, raw := range fixtures {
		in := newObject(raw)
		f := world.ShapeDef{Filter: defaultFilter}
		in.fixture(&f)
		err := in.err
		if err == nil {
			err = f.Validate()
		}
		if err != nil {
			without = append(without, fmt.Sprintf("%s: %s", describe("fixture", i, f.Name), strings.TrimPrefix(err.Error(), "world: ")))
			continue
		}
		d.Shapes = append(d.Shapes, f)
	}
	return without
}

// The values of the custom property "mass", which this package adds to massData. They say
// whether the mass is exactly the given one, or follows from the densities.
const (
	massGiven = "given"
	massSum   = "densities"
)

// massData reads or writes the mass of a body. It also writes a mass that follows from
// densities, because b2dJson always reads it.
func (o *object) massData(d *world.BodyDef) {
	m, from := world.Mass{}, ""
	if o.writes {
		if d.Mass != nil {
			m, from = *d.Mass, massGiven
		} else if d.Kind == world.Dynamic {
			m, from = o.massOf(d), massSum
		}
	}
	own(o, "mass", &from, texts)
	o.require(from == "" || from == massGiven || from == massSum, "mass %s: neither %s nor %s", quote(from), massGiven, massSum)
	if from == massSum && !o.writes || from == "" && d.Kind != world.Dynamic {
		return
	}
	o.positive("massData-mass", &m.Mass)
	o.vec("massData-center", &m.Centre)
	o.positive("massData-I", &m.Inertia)
	if o.writes || m.Mass == 0 {
		return
	}
	if d.Mass = &m; from == "" {
		o.correctInertia(&m)
	}
}

// massOf returns the mass that follows from a body's densities. The scratch world o.scales
// computes it.
func (o *object) massOf(d *world.BodyDef) (m world.Mass) {
	w := o.scales.World()
	b, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Disabled: true, FixedRotation: d.FixedRotation, Shapes: d.Shapes})
	if err != nil { // the scene cannot be built
		return m
	}
	defer w.DestroyBody(b)
	i, _ := w.Body(b)
	c := i.LocalPoint(i.Centre)
	// the conversions keep the compiler from fusing a product and a sum
	return world.Mass{Mass: i.Mass, Centre: c, Inertia: i.Inertia + float64(i.Mass*(float64(c.X*c.X)+float64(c.Y*c.Y)))}
}

// rounding is the greatest relative error of a difference of two float32
// products.
const rounding = 1e-5

// correctInertia corrects the inertia of a body from b2dJson, which is about the body's origin. For a
// body with fixed rotation, b2dJson writes only the mass times the squared distance of the
// centre, so the inertia about the centre is 0.
func (o *object) correctInertia(m *world.Mass) {
	offset := m.Mass * (m.Centre.X*m.Centre.X + m.Centre.Y*m.Centre.Y)
	switch about := m.Inertia - offset; {
	case m.Inertia == 0 || about >= -rounding*offset && about <= rounding*offset:
		m.Inertia = 0
	case about < 0:
		o.fail(fmt.Errorf("massData-I %v: less than massData-mass at massData-center has, %v", m.Inertia, offset))
	}
}
