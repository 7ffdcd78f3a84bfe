package world

import (
	"iter"

	"github.com/ByteArena/box2d"
)

// Contact says which two shapes touch, where and how hard.
type Contact struct {
	A, B           Body
	ShapeA, ShapeB Shape   // of a sensor: ShapeA
	Point          Vec     // of the world, m
	Normal         Vec     // unit, from A to B
	Impulse        float64 // N·s, the strongest normal impulse of the step
}

// SetPreSolve sets a function that Box2D asks, while it steps, about every pair
// of solid shapes that touch. If it returns false, the two pass through each
// other in this step, as on a one-way platform. began is true in the step in
// which the touch begins. Nil asks nobody.
func (w *World) SetPreSolve(f func(w *World, c Contact, began bool) bool) {
	w.own()
	w.preSolve = f
}

// Contacts yields the solid shapes that touch, newest first, with the impulse of
// the last step. The loop must not change the world.
func (w *World) Contacts() iter.Seq[Contact] {
	return func(yield func(Contact) bool) {
		w.own()
		for i := w.b2.M_contactManager.M_contactList; i != nil; {
			c := contactOf(i)
			i = c.M_next
			if c.M_flags&box2d.B2Contact_Flag.E_touchingFlag == 0 || c.M_fixtureA.M_isSensor || c.M_fixtureB.M_isSensor {
				continue
			}
			found := w.contact(c, false, true)
			for _, p := range c.M_manifold.Points[:c.M_manifold.PointCount] {
				found.Impulse = max(found.Impulse, p.NormalImpulse)
			}
			if !yield(found) {
				return
			}
		}
	}
}

// contactOf returns the fields of a contact: Box2D's getters copy 136 bytes
// each.
func contactOf(i box2d.B2ContactInterface) *box2d.B2Contact {
	switch c := i.(type) {
	case *box2d.B2PolygonContact:
		return &c.B2Contact
	case *box2d.B2CircleContact:
		return &c.B2Contact
	case *box2d.B2PolygonAndCircleContact:
		return &c.B2Contact
	case *box2d.B2EdgeAndPolygonContact:
		return &c.B2Contact
	case *box2d.B2EdgeAndCircleContact:
		return &c.B2Contact
	case *box2d.B2ChainAndPolygonContact:
		return &c.B2Contact
	case *box2d.B2ChainAndCircleContact:
		return &c.B2Contact
	}
	// A stepper's own kind of contact.
	return &box2d.B2Contact{
		M_flags: i.GetFlags(), M_next: i.GetNext(), M_manifold: i.GetManifold(),
		M_fixtureA: i.GetFixtureA(), M_fixtureB: i.GetFixtureB(),
	}
}

// contact describes c. The manifold says where, unless it is empty.
func (w *World) contact(c *box2d.B2Contact, sensor, place bool) Contact {
	found := Contact{}
	found.A, found.ShapeA = handlesOf(c.M_fixtureA)
	found.B, found.ShapeB = handlesOf(c.M_fixtureB)
	if sensor && !c.M_fixtureA.M_isSensor {
		found.A, found.ShapeA, found.B, found.ShapeB = found.B, found.ShapeB, found.A, found.ShapeA
	}
	if n := c.M_manifold.PointCount; n > 0 && place {
		a, b := c.M_fixtureA, c.M_fixtureB
		w.manifold.Initialize(c.M_manifold, a.M_body.M_xf, a.M_shape.GetRadius(), b.M_body.M_xf, b.M_shape.GetRadius())
		p := w.manifold.Points[0]
		if n > 1 {
			p = box2d.B2Vec2MulScalar(.5, box2d.B2Vec2Add(p, w.manifold.Points[1]))
		}
		found.Point, found.Normal = fromB2(p), fromB2(w.manifold.Normal)
	}
	return found
}

func handlesOf(f *box2d.B2Fixture) (Body, Shape) {
	if s := shapeOf(f); s != nil {
		return s.of.handle, s.handle
	}
	return 0, 0
}

// listener is the World as Box2D calls it. Apart from PreSolve it calls nobody.
type listener World

// BeginContact notes a contact.
func (l *listener) BeginContact(i box2d.B2ContactInterface) {
	w := (*World)(l)
	c := contactOf(i)
	if c.M_fixtureA.M_isSensor || c.M_fixtureB.M_isSensor {
		w.tell(SensorBegin, w.contact(c, true, false))
		return
	}
	w.begun[i] = len(w.contacts)
	w.tell(ContactBegin, w.contact(c, false, true))
	for _, f := range [...]*box2d.B2Fixture{c.M_fixtureA, c.M_fixtureB} {
		if s := shapeOf(f); s != nil {
			w.slots[s.of.slot].impact = w.now + 1
		}
	}
}

// EndContact notes a contact that ended. It comes between two steps too, when
// a body is destroyed.
func (l *listener) EndContact(i box2d.B2ContactInterface) {
	w := (*World)(l)
	c := contactOf(i)
	if c.M_fixtureA.M_isSensor || c.M_fixtureB.M_isSensor {
		w.tell(SensorEnd, w.contact(c, true, false))
		return
	}
	w.tell(ContactEnd, w.contact(c, false, false))
}

// PreSolve asks the hook.
func (l *listener) PreSolve(i box2d.B2ContactInterface, _ box2d.B2Manifold) {
	w := (*World)(l)
	if w.preSolve == nil {
		return
	}
	_, began := w.begun[i]
	if !w.preSolve(w, w.contact(contactOf(i), false, true), began) {
		i.SetEnabled(false)
	}
}

// PostSolve notes how hard a contact that began in this step was.
func (l *listener) PostSolve(i box2d.B2ContactInterface, impulse *box2d.B2ContactImpulse) {
	if len(l.begun) == 0 {
		return
	}
	if k, ok := l.begun[i]; ok {
		c := &l.contacts[k]
		for _, j := range impulse.NormalImpulses[:impulse.Count] {
			c.Impulse = max(c.Impulse, j)
		}
	}
}

// ReadOnlyPostSolve lets the stepper solve all islands before it calls
// PostSolve for any.
func (l *listener) ReadOnlyPostSolve() bool { return true }

// tell makes an event of a contact and keeps it for the hooks.
func (w *World) tell(kind EventKind, c Contact) {
	e := w.event(kind)
	e.Contact, e.NameA, e.NameB = c, w.nameOf(c.A), w.nameOf(c.B)
	w.contacts = append(w.contacts, *e)
}

// labelOf is a body's name, or "".
func (w *World) nameOf(b Body) string {
	if r := w.bodies[b]; r != nil {
		return r.name
	}
	return ""
}

// tellHits follows each Begin of a step that pushed with a Hit.
func (w *World) tellHits() {
	if len(w.begun) == 0 {
		return
	}
	for i := range w.contacts {
		if c := &w.contacts[i]; c.Kind == ContactBegin && c.Impulse > 0 {
			e := w.event(ContactHit)
			*e = *c
			e.Kind, e.Tick = ContactHit, w.now
		}
	}
}

// event appends an event, stamped, to be filled in.
func (w *World) event(kind EventKind) *Event {
	e := &w.scrapEvent
	if w.out != nil {
		e = w.out.Events.Next()
	}
	*e = Event{Kind: kind, Tick: w.now}
	return e
}
