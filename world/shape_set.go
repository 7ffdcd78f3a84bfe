package world

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// SetFriction sets a shape's friction, at least 0. It also changes the shape's contacts, and wakes their
// bodies.
func (w *World) SetFriction(s Shape, friction float64) error {
	sh, err := w.editShape(s, checkPositive("friction", friction))
	if err != nil || sh.fix.M_friction == friction {
		return err
	}
	w.box.SetFriction(sh.fix, friction)
	w.surfaces.surfaceChanged(sh)
	return nil
}

// SetRestitution sets a shape's restitution, at least 0; 0 means no bounce. It also changes the shape's
// contacts.
func (w *World) SetRestitution(s Shape, restitution float64) error {
	sh, err := w.editShape(s, checkPositive("restitution", restitution))
	if err != nil || sh.fix.M_restitution == restitution {
		return err
	}
	w.box.SetRestitution(sh.fix, restitution)
	for c := range w.box.ContactsOfShape(sh.fix) {
		w.box.SetSurface(c, w.surfaces.mixed(c))
	}
	return nil
}

// SetDensity sets a shape's density, in kg/m². The mass of the body changes, unless the body's definition gives
// the mass. A call takes about 3 ns for each shape of the body.
func (w *World) SetDensity(s Shape, density float64) error {
	sh, err := w.editShape(s, checkPositive("density", density))
	if err != nil || sh.fix.M_density == density {
		return err
	}
	// Check as if the shape were removed and added with the new density.
	if err := w.masses.checkMass(sh.of, sh.of.b.M_type, sh, sh.fix.M_shape, density); err != nil {
		return err
	}
	moved := w.keepCentre(sh.of) // announces a new mass or centre after the change
	w.box.SetDensity(sh.fix, density)
	w.masses.reweigh(sh)
	w.box.WakeBody(sh.of.b)
	moved()
	return nil
}

// SetFilter sets which shapes a shape collides with. The filter takes effect in the next step: contacts that it
// forbids end, and contacts that it allows begin. The error wraps [ErrCrowded] if there would be too many
// contacts.
func (w *World) SetFilter(s Shape, filter Filter) error {
	sh, err := w.editShape(s)
	if filter = filter.withDefaults(); err != nil || sh.filter == filter {
		return err
	}
	if err := w.crowd.checkContactsOfReplaced(sh, sh.fix.M_shape, filter); err != nil {
		return err
	}
	sh.filter = filter
	w.box.RefilterShape(sh.fix)
	there := 0
	for c := range w.box.ContactsOfShape(sh.fix) {
		if pass(c.Shapes()) {
			there++
		}
	}
	w.crowd.alreadyThere(sh, there) // checkContactsOfReplaced has counted these as new contacts
	w.news.announceShapeAnew(sh)
	return nil
}

// SetSensor sets whether a shape is a sensor or solid. The shape's contacts end, and the next step finds them
// again.
func (w *World) SetSensor(s Shape, on bool) error {
	sh, err := w.editShape(s)
	if err != nil || sh.fix.M_isSensor == on {
		return err
	}
	if err := w.crowd.checkContactsOfReplaced(sh, sh.fix.M_shape, sh.filter); err != nil {
		return err
	}
	w.box.SetSensor(sh.fix, on)
	w.news.announceShapeAnew(sh)
	return nil
}

// ReplaceShape gives a shape the values of a definition: geometry, surface, density, filter, name, colour and user
// value. The shape keeps its handle and its body. Its contacts end, and the next step finds them again. If
// ReplaceShape returns an error, it has changed nothing. The error names the invalid value, or wraps
// [ErrCrowded].
func (w *World) ReplaceShape(s Shape, def ShapeDef) error {
	return w.replaceShape(s, &def)
}

func (w *World) replaceShape(s Shape, def *ShapeDef) error {
	sh, err := w.editShape(s)
	if err != nil {
		return err
	}
	made, err := w.outlines.build(def)
	if err == nil {
		err = w.masses.checkMass(sh.of, sh.of.b.M_type, sh, made, def.Density)
	}
	if err == nil {
		err = w.crowd.checkContactsOfReplaced(sh, made, def.Filter.withDefaults())
	}
	if err != nil {
		return err
	}
	moved := w.keepCentre(sh.of)
	w.box.ReplaceShape(sh.fix, &box2d.B2FixtureDef{
		Shape: made, Friction: def.Friction, Restitution: def.Restitution, IsSensor: def.Sensor, Filter: openToAll,
	})
	w.box.SetDensity(sh.fix, def.Density)
	w.masses.reweigh(sh)
	sh.kind, sh.name, sh.colour, sh.user = def.Kind, def.Name, def.Colour, def.User
	sh.filter = def.Filter.withDefaults()
	w.surfaces.surface(sh, def)
	w.surfaces.makeOneWay(sh, def.OneWay)
	w.news.announceShapeAnew(sh)
	moved()
	return nil
}

// reweigh updates the mass of a body after a change of a shape's geometry or density. It does nothing if the body's
// definition gives the mass.
func (k *masses) reweigh(s *shape) {
	r := s.of
	if known := k.weighed[r]; known != nil {
		known.set(s.place(), weigh(s.fix.M_shape, s.fix.M_density))
	}
	if r.mass == nil && r.b.M_type == b2.DynamicBody {
		k.sumMass(r)
	}
}

// checkContactsOfReplaced returns an error if a new geometry or filter of a shape would give the world too many
// contacts. The shape's present contacts end and make room.
func (c *crowd) checkContactsOfReplaced(s *shape, made box2d.B2ShapeInterface, filter Filter) error {
	b := s.of.b
	if !b.IsActive() {
		return nil
	}
	has := 0
	for range c.box.ContactsOfShape(s.fix) {
		has++
	}
	return c.checkContacts(b, b.M_type, b.M_xf, []part{{shape: made, filter: filter, of: s}}, has)
}

// SetSurfaceSpeed sets the speed of a shape's surface, in m/s, and wakes the bodies that touch the shape. See
// ShapeDef.SurfaceSpeed.
func (w *World) SetSurfaceSpeed(s Shape, speed float64) error {
	sh, err := w.editShape(s, checkNumber("surface speed", speed))
	if err != nil || sh.surfaceSpeed == speed {
		return err
	}
	sh.surfaceSpeed = speed
	w.surfaces.surfaceChanged(sh)
	return nil
}

// surfaceSpeed returns the tangent speed of a contact, which is the sum of the speeds of its two shapes. The order of
// the shapes does not change the sign.
func surfaceSpeed(c box.Contact) float64 {
	speed := 0.0
	a, b := c.Shapes()
	for _, f := range [...]*box2d.B2Fixture{a, b} {
		if s := shapeOf(f); s != nil {
			speed += s.surfaceSpeed
		}
	}
	return speed
}
