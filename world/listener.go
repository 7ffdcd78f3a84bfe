package world

import (
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/box/fast"
	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// listener is the World in the form that the steppers call about contacts. Only PreSolve calls code of
// the program.
type listener World

var _ fast.ReadOnlyCallbacks = (*filter)(nil)

// BeginContact handles a contact that begins. The parameter closing is the closing speed of the shapes, in
// m/s. If it is negative, BeginContact computes the speed from the velocities of the bodies.
func (l *listener) BeginContact(c box.Contact, closing float64) {
	w := (*World)(l)
	if c.IsSensor() {
		w.contacts.makeEvents(SensorBegin, c, 0) // 0: events of a sensor have no speed
		return
	}
	if w.soft == nil { // the soft stepper has already called Approach, which calls meet
		w.contacts.meet(c)
	}
	if !c.Has(box.Passing) {
		w.contacts.begin(c, closing)
	}
}

// Approach is called by the soft stepper before two shapes touch.
func (l *listener) Approach(c box.Contact) { l.contacts.meet(c) }

// meet sets the surface values for the contact of two shapes, such as friction. It also decides whether one
// of the shapes lets the other pass.
func (k *contacts) meet(c box.Contact) {
	if len(k.cfg.Surfaces.Mixes) > 0 {
		c.SetSurface(k.surfaces.mixed(c))
	} else if speed := surfaceSpeed(c); speed != 0 {
		surface := c.Surface()
		surface.TangentSpeed = speed
		c.SetSurface(surface)
	}
	c.Clear(box.Passing | box.Dropping)
	if k.surfaces.hasOneWay {
		k.startsToPass(c)
	}
}

// begin reports two shapes that have begun to touch and do not pass each other.
func (k *contacts) begin(c box.Contact, closing float64) {
	k.makeEvents(ContactBegin, c, closing)
	a, b := c.Shapes()
	for _, f := range [...]*box2d.B2Fixture{a, b} {
		if s := shapeOf(f); s != nil {
			k.places.slots[s.of.slot].impact = k.when.now + 1
			k.places.changed.Mark(s.of.slot)
			k.box.Bodies.Mark(s.of.b) // after Touch, the next step would read all contacts of the body again
		}
	}
}

// EndContact handles a contact that ends. If a body is destroyed, EndContact is called between two steps.
func (l *listener) EndContact(c box.Contact) {
	w := (*World)(l)
	if c.IsSensor() {
		w.contacts.makeEvents(SensorEnd, c, 0)
		return
	}
	if c.Has(box.Passing) {
		c.Clear(box.Passing | box.Dropping)
		return
	}
	w.contacts.makeEvents(ContactEnd, c, 0)
}

// PreSolve decides whether one-way shapes let others through, and calls the program's hook. A contact is
// Passing if one of its shapes lets the other through.
func (l *listener) PreSolve(c box.Contact) {
	w := (*World)(l)
	if w.preSolve == nil && !w.surfaces.hasOneWay {
		return
	}
	if c.Has(box.Passing) {
		if w.contacts.goesOnPassing(c) {
			c.Disable()
			return
		}
		if c.IsTouching() { // the body has landed
			w.contacts.begin(c, -1)
			w.contacts.landed = true
		}
	}
	if w.preSolve != nil {
		w.ask(c)
	}
}

// PostSolve adds the impulses of a contact that began in this step.
func (l *listener) PostSolve(c box.Contact, impulse *box2d.B2ContactImpulse) {
	if len(l.contacts.begun) == 0 {
		return
	}
	if k, ok := l.contacts.begun[c]; ok {
		e := &l.contacts.told[k]
		for n := range impulse.Count {
			e.addImpulse(impulse.NormalImpulses[n], impulse.TangentImpulses[n])
		}
	}
}

// makeEvents makes the event of a contact if there is a receiver, and stores the event for the hooks. It
// makes two events if two sensors meet. The parameter closing is the closing speed in m/s, which only a
// ContactBegin uses.
func (k *contacts) makeEvents(kind EventKind, c box.Contact, closing float64) {
	if k.news.out == nil && len(k.code.hooks) == 0 && k.code.preSolve == nil {
		return
	}
	found := k.contact(c, kind == ContactBegin)
	fa, fb := c.Shapes()
	if s := shapeOf(fa); s != nil && s.handle != found.ShapeA {
		fa, fb = fb, fa // the sensor comes first, as in the result of contact
	}
	if kind == ContactBegin {
		k.begun[c] = len(k.told)
		if found.Speed = closing; closing < 0 {
			found.Speed = k.closing(c, &found)
		}
	} else if kind != ContactEnd {
		if fb.M_isSensor && senses(fa) { // each of the two sensors contains the other
			back := found
			back.swap()
			k.makeEvent(kind, back, fb, fa)
		}
		if !senses(fb) {
			return
		}
	}
	k.makeEvent(kind, found, fa, fb)
}

// senses reports whether a shape causes events of sensors.
func senses(f *box2d.B2Fixture) bool {
	s := shapeOf(f)
	return s == nil || !s.unsensed
}

// makeEvent makes an event of two shapes.
func (k *contacts) makeEvent(kind EventKind, found Contact, fa, fb *box2d.B2Fixture) {
	e := k.news.event(kind) // the next element of Outbox.Events
	e.Contact = found
	if s := shapeOf(fa); s != nil {
		e.NameA = s.of.name
	}
	if s := shapeOf(fb); s != nil {
		e.NameB = s.of.name
	}
	dynamic := box2d.B2BodyType.B2_dynamicBody
	e.struck = fa.M_body.M_type != dynamic && fb.M_body.M_type == dynamic
	if n := len(k.told); n == cap(k.told) { // append alone would leave four times as much garbage
		k.told = slices.Grow(k.told, max(n, 16))
	}
	k.told = append(k.told, *e)
}

// closing returns the closing speed of the two bodies of a contact at the contact's point, in m/s.
func (k *contacts) closing(c box.Contact, at *Contact) float64 {
	fA, fB := c.Shapes()
	a, b := velocityAt(fA.M_body, at.Point), velocityAt(fB.M_body, at.Point)
	if speed := -b2.Dot(box2d.B2Vec2Sub(b, a), b2vec(at.Normal)); speed > 0 && speed <= maxValue {
		return speed
	}
	return 0
}

// velocityAt returns the velocity of a point of a body, in m/s.
func velocityAt(b *box2d.B2Body, p Vec) box2d.B2Vec2 {
	return b2.Swing(b.M_linearVelocity, b.M_angularVelocity, box2d.B2Vec2Sub(b2vec(p), b.M_sweep.C))
}

// tellHits makes the ContactHit events of a step. There is one for each ContactBegin that has an impulse and
// a speed of at least HitSpeed.
func (k *contacts) tellHits() {
	if len(k.begun) == 0 {
		return
	}
	for i := range k.told {
		if c := &k.told[i]; c.Kind == ContactBegin && c.Impulse > 0 && c.Speed >= k.cfg.Surfaces.HitSpeed {
			e := k.news.event(ContactHit)
			*e = *c
			e.Kind, e.Tick = ContactHit, k.when.now+k.when.shift
		}
	}
}
