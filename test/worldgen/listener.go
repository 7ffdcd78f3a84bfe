package worldgen

import (
	"fmt"
	"math"

	"github.com/ByteArena/box2d"
)

// listener logs callbacks. In a meddling player it also makes the changes that
// callbacks may make: at once, or in a queue until after the step.
type listener struct{ p *Player }

// ReadOnlyPostSolve is called by steppers before they solve several islands without a
// callback between them.
func (l *listener) ReadOnlyPostSolve() bool { return l.p.Listening == ReadOnly }

// ReadOnlyCallbacks is called by the fast stepper before continuous collision.
func (l *listener) ReadOnlyCallbacks() bool { return l.p.Listening == ReadOnly }

// ReadOnlyCallbacks is true, because the filter only logs.
func (f *filter) ReadOnlyCallbacks() bool { return true }

func (p *Player) name(c box2d.B2ContactInterface) string {
	return fmt.Sprintf("%d.%d-%d.%d", p.ids[c.GetFixtureA().M_body], c.GetChildIndexA(), p.ids[c.GetFixtureB().M_body], c.GetChildIndexB())
}

// bits returns the bits of a number. All NaNs have the same bits here, because
// steppers may combine NaNs in different orders.
func bits(x float64) uint64 {
	if x != x {
		x = math.NaN()
	}
	return math.Float64bits(x)
}

func manifoldText(m *box2d.B2Manifold) string {
	s := fmt.Sprintf("%d/%d %x %x %x %x", m.PointCount, m.Type, bits(m.LocalNormal.X), bits(m.LocalNormal.Y), bits(m.LocalPoint.X), bits(m.LocalPoint.Y))
	for _, q := range m.Points {
		s += fmt.Sprintf(" %x %x %x %x %d", bits(q.LocalPoint.X), bits(q.LocalPoint.Y), bits(q.NormalImpulse), bits(q.TangentImpulse), q.Id)
	}
	return s
}

func (l *listener) BeginContact(c box2d.B2ContactInterface) {
	p := l.p
	// two steppers may leave different values of the island flag
	p.note("begin %s flags %x manifold %s", p.name(c), c.GetFlags()&^1, manifoldText(c.GetManifold()))
	if p.Listening != Meddling || !p.chance(0.3) {
		return
	}
	a, b := c.GetFixtureA(), c.GetFixtureB()
	body := b.M_body
	switch p.rng.IntN(12) {
	case 0:
		p.queue = append(p.queue, func() { p.drop(body) })
	case 1:
		p.queue = append(p.queue, func() { p.addBody() })
	case 2:
		p.queue = append(p.queue, func() {
			if p.alive(body) {
				p.retype(body)
			}
		})
	case 3:
		p.queue = append(p.queue, func() {
			if p.alive(body) {
				p.dropGears()
				body.SetActive(false)
			}
		})
	case 4:
		c.SetFriction(p.span(0, 1))
	case 5:
		c.SetTangentSpeed(p.span(-2, 2))
	case 6:
		c.SetRestitution(p.span(0, 1))
	case 7:
		body.SetBullet(!body.IsBullet())
	case 8:
		b.SetSensor(p.chance(0.5))
	case 9:
		a.SetFilterData(p.randomFilter())
	case 10:
		body.SetAwake(p.chance(0.5))
	case 11:
		p.queue = append(p.queue, func() { p.addJoint() })
	}
}

func (p *Player) alive(b *box2d.B2Body) bool {
	_, ok := p.ids[b]
	return ok && b != p.ground
}

func (l *listener) EndContact(c box2d.B2ContactInterface) {
	p := l.p
	manifold := manifoldText(c.GetManifold())
	if p.Lazy && !p.World.IsLocked() {
		manifold = fmt.Sprint(c.GetManifold().PointCount > 0)
	}
	p.note("end %s flags %x manifold %s", p.name(c), c.GetFlags()&^1, manifold)
	if p.Listening == Meddling && p.chance(0.1) {
		body := c.GetFixtureA().M_body
		p.queue = append(p.queue, func() { p.drop(body) })
	}
}

func (l *listener) PreSolve(c box2d.B2ContactInterface, old box2d.B2Manifold) {
	p := l.p
	p.note("pre %s was %s is %s", p.name(c), manifoldText(&old), manifoldText(c.GetManifold()))
	if p.Listening != Meddling {
		return
	}
	if p.chance(0.1) {
		c.SetEnabled(false)
	}
	if p.chance(0.02) {
		body := c.GetFixtureB().M_body
		switch p.rng.IntN(4) {
		case 0:
			body.SetLinearVelocity(p.point(3))
		case 1:
			body.SetFixedRotation(!body.IsFixedRotation())
		case 2:
			body.SetBullet(true)
		case 3:
			c.SetFriction(0)
		}
	}
}

func (l *listener) PostSolve(c box2d.B2ContactInterface, impulse *box2d.B2ContactImpulse) {
	p := l.p
	p.note("post %s %d %x %x %x %x", p.name(c), impulse.Count, bits(impulse.NormalImpulses[0]), bits(impulse.NormalImpulses[1]), bits(impulse.TangentImpulses[0]), bits(impulse.TangentImpulses[1]))
	if p.Listening != Meddling || !p.chance(0.05) {
		return
	}
	body := c.GetFixtureB().M_body
	switch p.rng.IntN(7) {
	case 0:
		body.SetLinearVelocity(p.point(3))
	case 1:
		body.SetAwake(p.chance(0.5))
	case 2:
		for n := p.World.M_contactManager.M_contactList; n != nil; n = n.GetNext() {
			if p.chance(0.2) {
				n.SetEnabled(p.chance(0.5))
			}
		}
	case 3:
		if other := p.anyBody(); other != nil {
			other.SetBullet(!other.IsBullet())
			other.ApplyLinearImpulse(p.point(2), other.M_xf.P, true)
		}
	case 4:
		p.World.SetGravity(box2d.MakeB2Vec2(p.span(-1, 1), p.span(-12, -6)))
	case 5:
		body.SetFixedRotation(!body.IsFixedRotation())
	case 6:
		p.queue = append(p.queue, func() { p.drop(body) })
	}
}

// filter logs each pair for which it is called.
type filter struct {
	p *Player
	box2d.B2ContactFilter
}

func (f *filter) ShouldCollide(a, b *box2d.B2Fixture) bool {
	yes := f.B2ContactFilter.ShouldCollide(a, b)
	f.p.note("filter %d %d %v", f.p.ids[a.M_body], f.p.ids[b.M_body], yes)
	return yes
}

// goodbyes removes from the player's list the joints that the world destroys.
type goodbyes struct{ p *Player }

func (g goodbyes) SayGoodbyeToFixture(*box2d.B2Fixture) { g.p.note("goodbye fixture") }

func (g goodbyes) SayGoodbyeToJoint(j box2d.B2JointInterface) {
	g.p.note("goodbye joint %d", j.GetType())
	for i, o := range g.p.joints {
		if o == j {
			g.p.joints = append(g.p.joints[:i], g.p.joints[i+1:]...)
			return
		}
	}
}
