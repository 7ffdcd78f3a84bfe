package box

import "github.com/ByteArena/box2d"

// CreateFixture adds a shape to a body, without a copy of the shape. It does not compute the body's
// mass. The caller does that once for all shapes.
func (s *World) CreateFixture(b *box2d.B2Body, def *box2d.B2FixtureDef) *box2d.B2Fixture {
	f := newFixture(def.Shape.GetChildCount(), s.Soft())
	f.M_userData, f.M_density, f.M_body = def.UserData, def.Density, b
	s.makeShape(f, def)
	f.M_next, b.M_fixtureList = b.M_fixtureList, f
	b.M_fixtureCount++
	s.edit(b, Reshaped)
	return f
}

// newFixture returns a fixture with memory for the library's proxies of its children.
func newFixture(children int, soft bool) *box2d.B2Fixture {
	if children != 1 || soft {
		return new(box2d.B2Fixture)
	}
	both := new(struct {
		f       box2d.B2Fixture
		proxies [1]box2d.B2FixtureProxy
	})
	both.f.M_proxies = both.proxies[:]
	return &both.f
}

// makeShape sets the geometry and the surface of a fixture, as B2Fixture.Create does.
func (s *World) makeShape(f *box2d.B2Fixture, def *box2d.B2FixtureDef) {
	f.M_shape, f.M_friction, f.M_restitution = def.Shape, def.Friction, def.Restitution
	f.M_isSensor, f.M_filter = def.IsSensor, def.Filter
	if !s.Soft() || s.Shapes.library.is {
		makeProxies(f)
	}
	if f.M_body.IsActive() {
		s.Leaves().insert(f)
	}
	s.findPairs()
}

// makeProxies gives a fixture proxies without leaves.
func makeProxies(f *box2d.B2Fixture) {
	if n := f.M_shape.GetChildCount(); len(f.M_proxies) != n {
		f.M_proxies = make([]box2d.B2FixtureProxy, n)
	}
	for i := range f.M_proxies {
		f.M_proxies[i].ProxyId = box2d.E_nullProxy
	}
}

// DestroyFixture removes the shape f from its body, and wakes the body. The parameter newer is the
// next newer shape of the body, or nil if the caller does not know that shape. After that the caller
// computes the body's mass.
func (s *World) DestroyFixture(f, newer *box2d.B2Fixture) {
	b := f.M_body
	s.editNeighbours(b)
	s.edit(b, Reshaped)
	before := &b.M_fixtureList // the list begins with the newest shape
	if newer != nil {
		before = &newer.M_next
	}
	for *before != f {
		before = &(*before).M_next
	}
	*before = f.M_next
	for c := range s.ContactsOfShape(f) {
		s.destroyContact(c)
	}
	s.Leaves().remove(f, s.sight.lent)
	f.M_body, f.M_next = nil, nil
	f.M_proxies, f.M_shape = nil, nil
	b.M_fixtureCount--
	s.WakeBody(b)
}

// ReplaceShape gives a fixture another geometry and surface, as B2Fixture.Create does, and ends the
// fixture's contacts. After that the caller computes the body's mass.
func (s *World) ReplaceShape(f *box2d.B2Fixture, def *box2d.B2FixtureDef) {
	b := f.M_body
	s.EndContacts(f)
	s.Leaves().remove(f, s.sight.lent)
	s.makeShape(f, def)
	s.edit(b, Reshaped|Reboxed)
	s.WakeBody(b)
}

// SetDensity sets a shape's density, in kg/m². After that the caller computes the body's mass.
func (s *World) SetDensity(f *box2d.B2Fixture, density float64) {
	f.M_density = density
	s.edit(f.M_body, Resurfaced)
}

// SetFriction sets a shape's friction. After that the caller updates the shape's contacts.
func (s *World) SetFriction(f *box2d.B2Fixture, friction float64) {
	f.M_friction = friction
	s.ResurfaceShape(f)
}

// SetRestitution sets a shape's restitution. After that the caller updates the shape's
// contacts.
func (s *World) SetRestitution(f *box2d.B2Fixture, restitution float64) {
	f.M_restitution = restitution
	s.ResurfaceShape(f)
}

// ResurfaceShape records a change of a shape's surface. After that the caller updates the
// shape's contacts.
func (s *World) ResurfaceShape(f *box2d.B2Fixture) { s.edit(f.M_body, Resurfaced) }

// Filter has the fields of a B2Filter. They decide which shapes collide.
type Filter struct {
	Category, Mask uint64
	Group          int16
}

// FilterOf returns the filter of a fixture.
func FilterOf(f *box2d.B2Fixture) Filter {
	return Filter{uint64(f.M_filter.CategoryBits), uint64(f.M_filter.MaskBits), f.M_filter.GroupIndex}
}

// Collides reports whether two filters let their shapes collide.
func (f *Filter) Collides(g *Filter) bool {
	if f.Group == g.Group && f.Group != 0 {
		return f.Group > 0
	}
	return f.Mask&g.Category != 0 && f.Category&g.Mask != 0
}

// RefilterShape makes the next step ask the filters about all pairs of a shape again.
func (s *World) RefilterShape(f *box2d.B2Fixture) {
	s.edit(f.M_body, Resurfaced)
	for c := range s.ContactsOfShape(f) {
		s.flag(c)
	}
	s.Leaves().touchAll(f)
	s.findPairs()
}

// SetSensor sets whether a shape is a sensor. The shape's contacts end.
func (s *World) SetSensor(f *box2d.B2Fixture, on bool) {
	s.edit(f.M_body, Reshaped)
	s.EndContacts(f)
	f.M_isSensor = on
	s.Leaves().touchAll(f)
	s.findPairs()
	s.WakeBody(f.M_body)
}

// Refilter makes the next step ask the filters about all pairs of a body again. It does the work of
// B2Fixture.Refilter for all shapes in one pass over the contacts.
func (s *World) Refilter(b *box2d.B2Body) {
	s.edit(b, 0)
	for c := range s.ContactsOf(b) {
		s.flag(c)
	}
	s.touchLeaves(b)
	s.findPairs()
}

// touchLeaves makes the next search look for all pairs of a body's shapes that have no contact yet.
func (s *World) touchLeaves(b *box2d.B2Body) {
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		s.Leaves().touchAll(f)
	}
}
