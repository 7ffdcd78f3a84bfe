package worldgen

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// meddle does some random operations on the world, or the next operations of
// the script.
func (p *Player) meddle() {
	if p.script != nil {
		for n := p.scripted() % 4; n > 0; n-- {
			p.act(p.scripted() % operations)
		}
		return
	}
	if p.chance(0.5) {
		return
	}
	for n := 1 + p.rng.IntN(3); n > 0; n-- {
		p.act(p.rng.IntN(operations))
	}
}

// scripted returns the next byte of the script, or 0 at its end.
func (p *Player) scripted() int {
	if len(p.script) == 0 {
		return 0
	}
	b := p.script[0]
	p.script = p.script[1:]
	return int(b)
}

const operations = 27

// act performs an operation on a random body, on a random joint or on the
// world.
func (p *Player) act(operation int) {
	w, b := p.World, p.anyBody()
	if b == nil {
		p.addBody()
		return
	}
	switch operation {
	case 0, 1:
		if len(p.bodies) < 80 {
			p.addBody()
		}
	case 2:
		p.drop(b)
	case 3:
		b.SetTransform(box2d.MakeB2Vec2(p.span(-8, 8), p.span(0.5, 10)), p.span(-3, 3))
	case 4:
		v := p.point(10)
		if p.chance(0.3) {
			v.X = p.zero()
		}
		b.SetLinearVelocity(v)
	case 5:
		w := p.span(-8, 8)
		if p.chance(0.5) {
			w = p.zero()
		}
		b.SetAngularVelocity(w)
	case 6:
		b.ApplyForce(p.point(100), b.M_xf.P, p.chance(0.8))
	case 7:
		b.ApplyTorque(p.span(-20, 20), p.chance(0.8))
	case 8:
		b.ApplyLinearImpulse(p.point(5), b.M_xf.P, p.chance(0.8))
	case 9:
		p.retype(b)
	case 10:
		p.dropGears()
		b.SetActive(!b.IsActive())
	case 11:
		b.SetAwake(p.chance(0.5))
	case 12:
		b.SetBullet(!b.IsBullet())
	case 13:
		b.SetFixedRotation(!b.IsFixedRotation())
	case 14:
		b.SetSleepingAllowed(p.chance(0.7))
	case 15:
		if b.M_fixtureCount < 5 {
			p.addShape(b)
		}
	case 16:
		if b.M_fixtureCount > 1 {
			b2.MakeDestroyable(b.M_fixtureList)
			b.DestroyFixture(b.M_fixtureList)
		}
	case 17:
		if b.M_fixtureList != nil {
			b.M_fixtureList.SetSensor(p.chance(0.3))
		}
	case 18:
		if b.M_fixtureList != nil {
			b.M_fixtureList.SetFilterData(p.randomFilter())
		}
	case 19:
		p.addJoint()
	case 20:
		if len(p.joints) > 0 {
			p.dropGears()
			if len(p.joints) > 0 {
				p.dropJoint(p.joints[p.rng.IntN(len(p.joints))])
			}
		}
	case 21:
		p.adjustJoint()
	case 22:
		b.SetGravityScale(p.span(-0.5, 2))
		b.SetLinearDamping(p.span(0, 1))
	case 23:
		p.adjustWorld()
	case 24:
		if b.M_fixtureList != nil {
			b.M_fixtureList.SetFriction(p.span(0, 1))
			for e := b.M_contactList; e != nil; e = e.Next {
				e.Contact.ResetFriction()
			}
		}
	case 25:
		if p.chance(0.2) {
			w.ShiftOrigin(p.point(0.5))
		}
	case 26:
		if b.M_type == box2d.B2BodyType.B2_dynamicBody {
			m := box2d.MakeMassData()
			b.GetMassData(&m)
			m.Mass *= p.span(0.5, 2)
			m.I *= 3
			b.SetMassData(&m)
		}
	}
}

// retype changes the type of a body. Usually it also touches the body's
// proxies, which the library's SetType does only in a copy of the broad phase.
func (p *Player) retype(b *box2d.B2Body) {
	p.dropGears()
	b.SetType(uint8(p.rng.IntN(3)))
	if p.chance(0.3) {
		return
	}
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		f.Refilter()
	}
	if p.chance(0.5) {
		p.World.M_contactManager.FindNewContacts()
	}
}

func (p *Player) adjustJoint() {
	if len(p.joints) == 0 {
		return
	}
	switch j := p.joints[p.rng.IntN(len(p.joints))].(type) {
	case *box2d.B2RevoluteJoint:
		j.EnableMotor(p.chance(0.5))
		j.SetMotorSpeed(p.span(-5, 5))
		j.SetMaxMotorTorque(p.span(0, 30))
		j.EnableLimit(p.chance(0.5))
		j.SetLimits(p.span(-1, 0), p.span(0, 1))
	case *box2d.B2PrismaticJoint:
		j.EnableMotor(p.chance(0.5))
		j.EnableLimit(p.chance(0.5))
	case *box2d.B2MouseJoint:
		j.SetTarget(p.point(8))
	}
}

func (p *Player) adjustWorld() {
	w := p.World
	switch p.rng.IntN(7) {
	case 0:
		w.SetGravity(box2d.MakeB2Vec2(p.span(-2, 2), p.span(-12, 2)))
	case 1:
		w.M_warmStarting = !w.M_warmStarting
	case 2:
		w.M_continuousPhysics = !w.M_continuousPhysics
	case 3:
		w.M_subStepping = !w.M_subStepping
	case 4:
		w.SetAllowSleeping(!w.M_allowSleep)
	case 5:
		w.SetAutoClearForces(!w.GetAutoClearForces())
	case 6:
		w.ClearForces()
	}
}
