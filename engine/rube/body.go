package rube

import (
	"encoding/json"
	"fmt"
	"strings"

	"halfstep/world"
)

// body reads a body with its fixtures, and says which of these cannot be. On error the
// definition holds at least the name, where it could be read.
func body(raw json.RawMessage) (d world.BodyDef, without []string, err error) {
	o := newObject(raw)
	d = world.BodyDef{
		Name:            o.text("name"),
		Kind:            world.BodyKind(o.integer("type", 0, 0, 2)), // numbered as Box2D does
		Position:        o.vec("position"),
		Angle:           o.float("angle", 0),
		Velocity:        o.vec("linearVelocity"),
		AngularVelocity: o.float("angularVelocity", 0),
		LinearDamping:   o.positive("linearDamping"),
		AngularDamping:  o.positive("angularDamping"),
		GravityScale:    o.float("gravityScale", 1),
		NoSleep:         !o.boolean("allowSleep", true),
		Asleep:          !o.boolean("awake", false),
		FixedRotation:   o.boolean("fixedRotation", false),
		Bullet:          o.boolean("bullet", false),
		Disabled:        !o.boolean("active", true),
		User:            user(o),
	}
	d.NoGravity = d.GravityScale == 0
	if d.Kind == world.Static {
		// Box2D itself would keep the velocity and move the body by it.
		d.Velocity, d.AngularVelocity = world.Vec{}, 0
	}
	if d.Kind == world.Dynamic {
		d.Mass = mass(o)
	}
	fixtures := o.list("fixture")
	o.require(len(fixtures) <= world.MaxBodyShapes, "%d fixtures (at most %d)", len(fixtures), world.MaxBodyShapes)
	if o.err != nil {
		return d, nil, o.err
	}
	d.Shapes = make([]world.ShapeDef, 0, len(fixtures))
	for i, raw := range fixtures {
		f, err := fixture(raw)
		if err == nil {
			err = f.Validate()
		}
		if err != nil {
			without = append(without, fmt.Sprintf("%s: %s", place("fixture", i, f.Name), strings.TrimPrefix(err.Error(), "world: ")))
			continue
		}
		d.Shapes = append(d.Shapes, f)
	}
	return d, without, nil
}

// rounding is how far off, relatively, a difference of two float32 products
// may be.
const rounding = 1e-5

// mass reads a dynamic body's mass data. b2dJson always writes it, for a user
// may have changed it; where it is left out, or the mass is 0, which no dynamic
// body has, the densities decide.
func mass(o *object) *world.Mass {
	m := &world.Mass{
		Mass:    o.positive("massData-mass"),
		Centre:  o.vec("massData-center"),
		Inertia: o.positive("massData-I"),
	}
	if m.Mass == 0 {
		return nil
	}
	// What is written is about the origin, also for a body that does not turn:
	// there it is the part that the centre's distance gives, give or take the
	// rounding, and nothing is left about the centre.
	offset := m.Mass * (m.Centre.X*m.Centre.X + m.Centre.Y*m.Centre.Y)
	switch about := m.Inertia - offset; {
	case m.Inertia == 0 || about >= -rounding*offset && about <= rounding*offset:
		m.Inertia = 0
	case about < 0:
		o.fail(fmt.Errorf("massData-I %v: less than massData-mass at massData-center has, %v", m.Inertia, offset))
	}
	return m
}
