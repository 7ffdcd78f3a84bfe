package world

import (
	"github.com/ByteArena/box2d"

	"halfstep/box/b2"
)

// SetFriction sets a shape's friction, 0 and up, and wakes what it touches, where
// it counts at once.
func (w *World) SetFriction(s Shape, friction float64) error {
	sh, err := w.editShape(s, checkPositive("friction", friction))
	if err != nil || sh.fix.M_friction == friction {
		return err
	}
	sh.fix.M_friction = friction
	sh.eachContact(func(i box2d.B2ContactInterface, c *box2d.B2Contact) {
		i.ResetFriction() // a contact keeps what its two shapes had when it came to be
		w.box.EditContact(c)
		w.wakeBoth(c)
	})
	return nil
}

// SetRestitution sets a shape's restitution, 0 (no bounce) and up, also for what it
// touches now.
func (w *World) SetRestitution(s Shape, restitution float64) error {
	sh, err := w.editShape(s, checkPositive("restitution", restitution))
	if err != nil || sh.fix.M_restitution == restitution {
		return err
	}
	sh.fix.M_restitution = restitution
	sh.eachContact(func(i box2d.B2ContactInterface, c *box2d.B2Contact) {
		i.ResetRestitution()
		w.box.EditContact(c)
	})
	return nil
}

// SetDensity sets a shape's density, kg/m². The mass of its body follows, unless
// it was given outright; the masses of all its shapes are added up, some 3 ns each.
func (w *World) SetDensity(s Shape, density float64) error {
	sh, err := w.editShape(s, checkPositive("density", density))
	if err != nil || sh.fix.M_density == density {
		return err
	}
	if err := w.checkMass(sh.of, sh.of.b.M_type, sh, sh.fix.M_shape, density); err != nil {
		return err
	}
	moved := w.keepCentre(sh.of)
	w.reweigh(sh, sh.fix.M_shape, density)
	w.wake(sh.of.b)
	moved()
	return nil
}

// SetFilter sets which shapes a shape collides with. The next step heeds it:
// contacts that it forbids end, and those that it allows begin. The error wraps
// [ErrCrowded] if these are too many.
func (w *World) SetFilter(s Shape, filter Filter) error {
	sh, err := w.editShape(s)
	if err != nil || sh.fix.M_filter == filter.box2D() {
		return err
	}
	if err := w.checkContactsOfReplaced(sh, sh.fix.M_shape, filter); err != nil {
		return err
	}
	sh.fix.SetFilterData(filter.box2D())
	there := 0
	sh.eachContact(func(_ box2d.B2ContactInterface, c *box2d.B2Contact) {
		if (&box2d.B2ContactFilter{}).ShouldCollide(c.M_fixtureA, c.M_fixtureB) {
			there++
		}
	})
	w.alreadyThere(sh, there)
	w.box.Flagged(sh.of.b)
	w.findPairsFirst()
	w.announceShapeAnew(sh)
	return nil
}

// SetSensor makes a shape a sensor, or solid again. What it touches ceases to
// touch it, and is found anew in the next step.
func (w *World) SetSensor(s Shape, on bool) error {
	sh, err := w.editShape(s)
	if err != nil || sh.fix.M_isSensor == on {
		return err
	}
	if err := w.checkContactsOfReplaced(sh, sh.fix.M_shape, filterOf(sh.fix)); err != nil {
		return err
	}
	w.endContacts(sh)
	sh.fix.M_isSensor = on
	sh.fix.Refilter()
	w.findPairsFirst()
	w.wake(sh.of.b)
	w.announceShapeAnew(sh)
	return nil
}

// ReplaceShape gives a shape everything that a definition says: geometry,
// surface, density, filter, name, colour and user value. Its handle stays the
// same, and so does its body. What it touches ceases to touch it, and is found
// anew in the next step. The error says what Box2D could not take, or wraps
// [ErrCrowded]; then nothing is changed.
func (w *World) ReplaceShape(s Shape, def ShapeDef) error {
	return w.replaceShape(s, &def)
}

func (w *World) replaceShape(s Shape, def *ShapeDef) error {
	sh, err := w.editShape(s)
	if err != nil {
		return err
	}
	made, err := def.build()
	if err == nil {
		err = w.checkMass(sh.of, sh.of.b.M_type, sh, made, def.Density)
	}
	if err == nil {
		err = w.checkContactsOfReplaced(sh, made, def.Filter)
	}
	if err != nil {
		return err
	}
	moved := w.keepCentre(sh.of)
	w.endContacts(sh)
	fix, body := sh.fix, sh.of.b
	bp := &w.b2.M_contactManager.M_broadPhase
	old := appendProxies(nil, fix)
	w.box.MovesShape(fix)
	w.withoutMoves(old, func() { fix.DestroyProxies(bp) })
	w.forget(old)

	// As box2d.B2Fixture.Create does.
	fix.M_friction, fix.M_restitution = def.Friction, def.Restitution
	fix.M_isSensor, fix.M_filter = def.Sensor, def.Filter.box2D()
	w.reweigh(sh, made, def.Density)
	fix.M_proxies = make([]box2d.B2FixtureProxy, made.GetChildCount())
	for i := range fix.M_proxies {
		fix.M_proxies[i].ProxyId = box2d.E_nullProxy
	}
	if body.IsActive() {
		fix.CreateProxies(bp, body.M_xf)
		w.box.MovedShape(fix)
	}
	w.findPairsFirst()
	w.wake(body)
	sh.kind, sh.name, sh.colour, sh.user = def.Kind, def.Name, def.Colour, def.User
	sh.surfaceSpeed = def.SurfaceSpeed
	w.makeOneWay(sh, def.OneWay)
	w.announceShapeAnew(sh)
	moved()
	return nil
}

// reweigh gives a shape a geometry and a density. The mass of its body follows,
// unless it was given outright.
func (w *World) reweigh(s *shape, made box2d.B2ShapeInterface, density float64) {
	r := s.of
	known := w.weightsOf(r)
	s.fix.M_shape, s.fix.M_density = made, density
	if known != nil {
		known.set(s.place(), weigh(made, density))
	}
	if r.mass == nil && r.b.M_type == box2d.B2BodyType.B2_dynamicBody {
		w.sumMass(r)
	}
}

// checkContactsOfReplaced is checkContacts for a shape that exists, with another geometry or
// filter.
func (w *World) checkContactsOfReplaced(s *shape, made box2d.B2ShapeInterface, filter Filter) error {
	b := s.of.b
	if !b.IsActive() {
		return nil
	}
	has := 0
	s.eachContact(func(box2d.B2ContactInterface, *box2d.B2Contact) { has++ })
	return w.checkContacts(b, b.M_type, b.M_xf, []part{{shape: made, filter: filter.box2D(), of: s}}, has)
}

func (w *World) endContacts(s *shape) {
	w.box.ContactsGo(s.of.b, s.fix)
	s.eachContact(func(i box2d.B2ContactInterface, c *box2d.B2Contact) {
		w.touchBox2D(c.M_fixtureA.M_body) // the library may wake it
		w.touchBox2D(c.M_fixtureB.M_body)
		if b2.IsSolid(c) {
			w.wakeBoth(c)
		}
		w.b2.M_contactManager.Destroy(i)
	})
}

// findPairsFirst has new pairs looked for before the next step, not after it.
func (w *World) findPairsFirst() {
	w.b2.M_flags |= box2d.B2World_Flags.E_newFixture
}

// eachContact calls f with the contacts of a shape. f may destroy them.
func (s *shape) eachContact(f func(box2d.B2ContactInterface, *box2d.B2Contact)) {
	for e := s.of.b.M_contactList; e != nil; {
		i := e.Contact
		e = e.Next
		if c := contactOf(i); c.M_fixtureA == s.fix || c.M_fixtureB == s.fix {
			f(i, c)
		}
	}
}

func (w *World) wakeBoth(c *box2d.B2Contact) {
	w.wake(c.M_fixtureA.M_body)
	w.wake(c.M_fixtureB.M_body)
}

// SetSurfaceSpeed sets the speed of a shape's surface, m/s, and wakes what
// touches it; see ShapeDef.SurfaceSpeed.
func (w *World) SetSurfaceSpeed(s Shape, speed float64) error {
	sh, err := w.editShape(s, checkNumber("surface speed", speed))
	if err != nil || sh.surfaceSpeed == speed {
		return err
	}
	sh.surfaceSpeed = speed
	sh.eachContact(func(_ box2d.B2ContactInterface, c *box2d.B2Contact) {
		c.M_tangentSpeed = surfaceSpeed(c)
		w.box.EditContact(c)
		if b2.IsSolid(c) {
			w.wakeBoth(c)
		}
	})
	return nil
}

// surfaceSpeed is the tangent speed that the shapes of a contact give it. Box2D
// reads it the same way round for either order of the two.
func surfaceSpeed(c *box2d.B2Contact) float64 {
	speed := 0.0
	for _, f := range [...]*box2d.B2Fixture{c.M_fixtureA, c.M_fixtureB} {
		if s := shapeOf(f); s != nil {
			speed += s.surfaceSpeed
		}
	}
	return speed
}
