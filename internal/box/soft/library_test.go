package soft_test

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
	"halfstep/internal/box/soft"
)

// library passes the contacts of a stepper to the listener of the library's world.
type library struct{ w *box2d.B2World }

func ofLibrary(w *box2d.B2World) soft.Listener { return library{w} }

// l returns the listener, or nil.
func (l library) l() box2d.B2ContactListenerInterface {
	if l.w == nil {
		return nil
	}
	return l.w.M_contactManager.M_contactListener
}

// show calls f with an equal contact of the library. It then copies the settings that f
// has made.
func (l library) show(c box.Contact, f func(i box2d.B2ContactInterface)) {
	if l.l() == nil {
		return
	}
	a, b := c.Shapes()
	child, _ := c.Children()
	shown := new(box2d.B2PolygonContact) // of whatever kind
	is := &shown.B2Contact
	is.M_fixtureA, is.M_fixtureB, is.M_indexA, is.M_manifold, is.M_flags = a, b, child, new(box2d.B2Manifold), *c.Flags()
	s, m := c.Surface(), is.M_manifold
	is.M_friction, is.M_restitution, is.M_tangentSpeed = s.Friction, s.Restitution, s.TangentSpeed
	var at box2d.B2WorldManifold
	if a.M_shape != nil && b.M_shape != nil {
		c.Place(&at)
		m.PointCount, m.LocalNormal = c.Points(), at.Normal
	}
	for k := range m.PointCount {
		m.Points[k].LocalPoint = at.Points[k]
		m.Points[k].NormalImpulse, m.Points[k].TangentImpulse = c.Impulse(k)
	}
	f(shown)
	if is.M_flags&b2.ContactEnabled == 0 {
		c.Disable()
	}
	c.SetSurface(box.Surface{Friction: is.M_friction, Restitution: is.M_restitution, TangentSpeed: is.M_tangentSpeed})
}

func (l library) BeginContact(c box.Contact, _ float64) {
	l.show(c, func(i box2d.B2ContactInterface) { l.l().BeginContact(i) })
}
func (l library) EndContact(c box.Contact) {
	l.show(c, func(i box2d.B2ContactInterface) { l.l().EndContact(i) })
}
func (l library) Approach(box.Contact) {}
func (l library) PreSolve(c box.Contact) {
	l.show(c, func(i box2d.B2ContactInterface) { l.l().PreSolve(i, box2d.B2Manifold{}) })
}
func (l library) PostSolve(c box.Contact, impulse *box2d.B2ContactImpulse) {
	l.show(c, func(i box2d.B2ContactInterface) { l.l().PostSolve(i, impulse) })
}

// wanter is a listener that chooses the events that it receives.
type wanter interface {
	WantsPreSolve() bool
	WantsPostSolve() bool
}

func (l library) WantsPreSolve() bool {
	w, ok := l.l().(wanter)
	return l.l() != nil && (!ok || w.WantsPreSolve())
}

func (l library) WantsPostSolve() bool {
	w, ok := l.l().(wanter)
	return l.l() != nil && (!ok || w.WantsPostSolve())
}

func (library) Stops(_, _ *box2d.B2Fixture, _ box2d.B2Vec2) bool { return true }
