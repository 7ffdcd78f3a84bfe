package world

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// SetFriction sets a shape's friction, 0 and up. It acts at once on what the shape
// touches, and wakes it.
func (w *World) SetFriction(s Shape, friction float64) error {
	sh, err := w.editShape(s, checkPositive("friction", friction))
	if err != nil || sh.fix.M_friction == friction {
		return err
	}
	w.box.SetFriction(sh.fix, friction)
	w.surfaces.surfaceChanged(sh)
	return nil
}

// SetRestitution sets a shape's restitution, 0 (no bounce) and up, also for what it
// touches now.
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

// SetDensity sets a shape's density, kg/m². The mass of its body follows, unless
// it was given outright; the masses of all its shapes are added up, some 3 ns each.
func (w *World) SetDensity(s Shape, density float64) error {
	sh, err := w.editShape(s, checkPositive("density", density))
	if err != nil || sh.fix.M_density == density {
		return err
	}
	// As if the shape went and came back with the new density.
	if err := w.masses.checkMass(sh.of, sh.of.b.M_type, sh, sh.fix.M_shape, density); err != nil {
		return err
	}
	moved := w.keepCentre(sh.of) // a function that announces another mass or centre of mass
	w.box.SetDensity(sh.fix, density)
	w.masses.reweigh(sh)
	w.box.WakeBody(sh.of.b)
	moved()
	return nil
}

// SetFilter sets which shapes a shape collides with. The next step heeds it:
// contacts that it forbids end, and those that it allows begin. The error wraps
// [ErrCrowded] if these are too many.
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
	w.crowd.alreadyThere(sh, there) // checkContactsOfReplaced has counted these as contacts to come
	w.news.announceShapeAnew(sh)
	return nil
}

// SetSensor makes a shape a sensor, or solid again. Its contacts end, and the next step
// finds them anew.
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

// ReplaceShape makes a shape what a definition says: geometry, surface, density, filter,
// name, colour and user value. Its handle stays the same, and so does its body. Its
// contacts end, and the next step finds them anew. The error says what Box2D could not
// take, or wraps [ErrCrowded]; then nothing is changed.
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

// reweigh brings the mass of a body up to date after a change of a shape's geometry or density,
// unless that mass was given outright.
func (k *masses) reweigh(s *shape) {
	r := s.of
	if known := k.weighed[r]; known != nil {
		known.set(s.place(), weigh(s.fix.M_shape, s.fix.M_density))
	}
	if r.mass == nil && r.b.M_type == b2.DynamicBody {
		k.sumMass(r)
	}
}

// checkContactsOfReplaced refuses another geometry or filter of a shape if the world would hold
// too many contacts with it. The contacts that the shape has now end and make room.
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

// SetSurfaceSpeed sets the speed of a shape's surface, m/s, and wakes what
// touches it; see ShapeDef.SurfaceSpeed.
func (w *World) SetSurfaceSpeed(s Shape, speed float64) error {
	sh, err := w.editShape(s, checkNumber("surface speed", speed))
	if err != nil || sh.surfaceSpeed == speed {
		return err
	}
	sh.surfaceSpeed = speed
	w.surfaces.surfaceChanged(sh)
	return nil
}

// surfaceSpeed is the tangent speed that the shapes of a contact give it. It is a sum: its sign
// means the same to Box2D whichever shape comes first.
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
