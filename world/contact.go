package world

import (
	"iter"
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
	"halfstep/internal/box/soft"
)

// Contact describes two shapes that touch, with the place and the impulses. In the events of a
// sensor, A and ShapeA are the body and the shape of the sensor. If both shapes are sensors, A
// is the body that is not dynamic.
type Contact struct {
	A, B           Body
	ShapeA, ShapeB Shape
	Point          Vec // of the world, in m; Point and Normal are 0 if a body's position became too large or NaN in this step
	Normal         Vec // unit vector from A to B

	// Impulse is the strongest normal impulse of the step at one point, in N·s. ContactHit has it,
	// and so has the ContactBegin of a contact hook. In the ContactBegin of an engine it is 0,
	// because that event is sent before the step is solved.
	Impulse float64

	// TotalImpulse is the sum of the normal impulses of the step at all points of the contact, in
	// N·s. For a box that lands flat it is twice Impulse. The events with an Impulse have it.
	TotalImpulse float64

	// TangentImpulse is the strongest friction impulse of the step, in N·s. A positive impulse
	// pushed B in the direction of Normal turned clockwise by 90°, and A in the opposite direction.
	// The events with an Impulse have it.
	TangentImpulse float64

	// Speed is the closing speed of the shapes along Normal before they touched, in m/s.
	// ContactBegin and ContactHit have it.
	Speed float64

	// MaterialA and MaterialB are the materials of the two shapes. For a chain, it is the material of
	// the segment that touches.
	MaterialA, MaterialB Material

	childA, childB int32 // the segments that touch, if the shapes are chains
}

// addImpulse adds the impulses at one point. A NaN counts as no impulse.
func (c *Contact) addImpulse(normal, tangent float64) {
	if normal > 0 {
		c.Impulse = max(c.Impulse, normal)
		c.TotalImpulse += normal
	}
	if math.Abs(tangent) > math.Abs(c.TangentImpulse) {
		c.TangentImpulse = tangent
	}
}

// contacts are the present contacts, and the events of contacts since the last call of the hooks.
type contacts struct {
	box      *box.World
	soft     *soft.Stepper // nil unless SoftStep
	cfg      *Config
	code     *callbacks
	when     *moment
	registry *registry
	places   *places
	news     *news
	surfaces *surfaces

	told     []Event             // events of contacts that began or ended since the last call of the hooks
	begun    map[box.Contact]int // index in told
	landed   bool                // a contact that had passed through a one-way shape became solid in this step
	spare    []Event             // memory for told
	burst    int                 // recent maximum of contact events in a step
	touching []Contact           // scratch, like the next field
	manifold box2d.B2WorldManifold
}

// Contacts yields the solid shapes that touch, newest first, with the impulse of the last step.
// It leaves out pairs that the PreSolve hook let through in that step, although such pairs have
// events. The loop must not change the world.
func (w *World) Contacts() iter.Seq[Contact] {
	return func(yield func(Contact) bool) {
		w.checkGoroutine()
		for c := range w.box.EachContact() {
			if c.IsSolid() && !yield(w.contacts.contactNow(c)) {
				return
			}
		}
	}
}

func (k *contacts) contactNow(c box.Contact) Contact {
	found := k.contact(c, true) // true: with Point and Normal
	for k := range c.Points() {
		found.addImpulse(c.Impulse(k))
	}
	return found
}

// AddContactHook adds a function that is called after every step. The events are the contacts
// and sensor overlaps that began or ended since the last call, in order. A ContactBegin has the
// strongest impulse of its first step. The function may change the world in any way, and may
// destroy bodies. The slice is valid only during the call.
func (w *World) AddContactHook(f func(w *World, events []Event)) {
	w.checkGoroutine()
	if f == nil {
		panic("world: AddContactHook was given nil instead of a function")
	}
	w.hooks = append(w.hooks, f)
}

// contact describes the contact c. It computes Point and Normal if place is true and the shapes
// touch now. If one shape is a sensor, the sensor comes first; see [Contact].
func (k *contacts) contact(c box.Contact, place bool) Contact {
	found := Contact{}
	a, b := c.Shapes()
	childA, childB := c.Children()
	found.A, found.ShapeA = handlesOf(a)
	found.B, found.ShapeB = handlesOf(b)
	found.childA, found.childB = int32(childA), int32(childB)
	found.MaterialA, found.MaterialB = materialOf(a, childA), materialOf(b, childB)
	if b.M_isSensor && (!a.M_isSensor || b.M_body.M_type != b2.DynamicBody) {
		found.swap()
	}
	if n := c.Points(); n > 0 && place {
		m := k.placed(c)
		p := m.Points[0]
		if n > 1 {
			p = b2.Times(.5, box2d.B2Vec2Add(p, m.Points[1]))
		}
		if within(p.X, maxValue) && within(p.Y, maxValue) && within(m.Normal.X, 1.1) && within(m.Normal.Y, 1.1) { // false for NaN
			found.Point, found.Normal = fromB2(p), fromB2(m.Normal)
		}
	}
	return found
}

// placed returns the place where the shapes of c touch. The result is valid until the next call.
func (k *contacts) placed(c box.Contact) *box2d.B2WorldManifold {
	c.Place(&k.manifold)
	return &k.manifold
}

// handlesOf returns the handles of a fixture and its body. It returns zeros for a fixture that was
// made through [World.Box2D].
func handlesOf(f *box2d.B2Fixture) (Body, Shape) {
	if s := shapeOf(f); s != nil {
		return s.of.handle, s.handle
	}
	return 0, 0
}

// BodyContacts calls f with each contact of a body's solid shapes with other solid shapes, newest
// first, until f returns false. A is the body, so Normal points away from the body. Impulse is
// the impulse of the last step.
//
// The contacts are those of the last step. A body that was created or teleported after that step
// has none. f may change the world. Contacts of shapes that f destroys are left out. The error
// wraps [ErrStale].
func (w *World) BodyContacts(b Body, f func(Contact) bool) error {
	r, err := w.lookupBody(b)
	if err != nil {
		return err
	}
	w.contacts.tellTouching(r, box.Contact.IsSolid, f)
	return nil
}

// ShapeContacts calls f with each contact of a solid shape with other solid shapes, newest first,
// until f returns false. For a sensor it calls f with each shape in the sensor. ShapeA is the
// shape s, and A its body. Contacts of a sensor have no Point, Normal and Impulse. f may change
// the world. The error wraps [ErrStale].
func (w *World) ShapeContacts(s Shape, f func(Contact) bool) error {
	sh, err := w.lookupShape(s)
	if err != nil {
		return err
	}
	w.contacts.tellTouching(sh.of, func(c box.Contact) bool {
		in := sh.fix.M_isSensor && c.IsTouching()
		a, b := c.Shapes()
		return (a == sh.fix || b == sh.fix) && (in || c.IsSolid())
	}, f)
	return nil
}

// tellTouching calls f with the contacts of a body for which asked returns true, until f returns
// false. It first collects the contacts on a stack that all calls share, so that f may read contacts
// and change the world.
func (k *contacts) tellTouching(of *body, asked func(box.Contact) bool, f func(Contact) bool) {
	begin := len(k.touching)
	for c := range k.box.ContactsOf(of.b) {
		if asked(c) {
			found := k.contactNow(c)
			if found.A != of.handle {
				found = found.reversed()
			}
			k.touching = append(k.touching, found)
		}
	}
	end := len(k.touching)
	defer func() { k.touching = k.touching[:begin] }()
	there := func(s Shape) bool { return s == 0 || k.registry.shapes[s] != nil }
	for i := begin; i < end; i++ {
		if c := k.touching[i]; there(c.ShapeA) && there(c.ShapeB) && !f(c) {
			return
		}
	}
}

// reversed returns the same contact with A and B exchanged.
func (c Contact) reversed() Contact {
	c.swap()
	c.Normal = Vec{-c.Normal.X, -c.Normal.Y}
	return c
}

// swap exchanges A and B, but does not change Normal.
func (c *Contact) swap() {
	c.A, c.ShapeA, c.B, c.ShapeB = c.B, c.ShapeB, c.A, c.ShapeA
	c.MaterialA, c.MaterialB = c.MaterialB, c.MaterialA
	c.childA, c.childB = c.childB, c.childA
}
