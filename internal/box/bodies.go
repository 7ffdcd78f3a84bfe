package box

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// Between two steps, the methods of World are the only code that changes the library's objects,
// apart from raw access and restores. Each method does all that belongs to its change: it calls
// the library, wakes bodies, asks for a search for pairs, and records the change.

// Edit is called after other code has created a body or changed it in any way.
func (s *World) Edit(b *box2d.B2Body) { s.edit(b, Unknown) }

// Touch is called after a change of a value that belongs to a body but is stored outside of
// Box2D's body.
func (s *World) Touch(b *box2d.B2Body) { s.edit(b, 0) }

// edit records that a body has changed, and how. what is 0 for a change for which there is no
// Change, such as waking.
func (s *World) edit(b *box2d.B2Body, what Change) {
	if s.Edited != nil {
		s.Edited(b)
	}
	s.Bodies.edit(b, what, s.sight.isBlind())
}

// ChangeOf returns the changes of a body since the last step.
func (s *World) ChangeOf(n int32) Change {
	if s.sight.isBlind() {
		return s.Bodies.All[n].Change | Unknown
	}
	return s.Bodies.All[n].Change
}

// BodyGoes is called before a body is destroyed.
func (s *World) BodyGoes(b *box2d.B2Body) {
	if s.sight.isBlind() {
		return
	}
	s.Leaves().moves(b)
	s.Bodies.markAround(b)
	s.edit(b, Reshaped) // the next step learns that the body is gone
	s.Bodies.All[s.Bodies.Number(b)].B = nil
	s.Bodies.anew, s.sweep = true, true
	s.Bodies.Order++
}

// findPairs makes the next step look for new pairs at its beginning, not only at its end.
func (s *World) findPairs() { s.world.M_flags |= box2d.B2World_Flags.E_newFixture }

// SetGravity sets the gravity, m/s², and wakes the bodies that it acts on.
func (s *World) SetGravity(gravity box2d.B2Vec2) {
	s.world.M_gravity = gravity
	for b := s.world.M_bodyList; b != nil; b = b.M_next {
		if b.M_gravityScale != 0 {
			s.WakeBody(b)
		}
	}
}

// CreateBody makes a body without shapes. With dozes the body is made asleep, and a new contact
// wakes it only if the other body is awake.
func (s *World) CreateBody(def *box2d.B2BodyDef, dozes bool) *box2d.B2Body {
	b := s.world.CreateBody(def)
	if dozes && def.Type != b2.StaticBody {
		b.M_flags |= b2.BodyDozes
	}
	if s.Soft() {
		b2.Place(b)
	}
	s.edit(b, Reshaped)
	return b
}

// DestroyBody destroys a body that has no joints. Bodies that touched it may wake.
func (s *World) DestroyBody(b *box2d.B2Body) {
	s.editNeighbours(b)
	s.endContacts(b)
	s.BodyGoes(b)
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		s.Leaves().remove(f, s.sight.lent)
		b2.MakeDestroyable(f) // the library can not destroy a round polygon
	}
	s.world.DestroyBody(b)
	b.M_userData = nil
}

// WakeBody wakes a body. It does nothing to a static body.
func (s *World) WakeBody(b *box2d.B2Body) {
	s.edit(b, 0)
	if b.M_type != b2.StaticBody {
		b.SetAwake(true)
	}
}

// WakeNeighbours wakes all bodies that touch a body, may touch it soon, or are joined to it. The
// library alone would leave bodies asleep when the body below them is moved. Bodies that only
// touch a sensor stay asleep, because nothing rests on a sensor.
func (s *World) WakeNeighbours(b *box2d.B2Body) {
	for c := range s.ContactsOf(b) {
		if !c.IsSensor() {
			s.WakeBody(c.Other(b).M_body)
		}
	}
	for e := b.M_jointList; e != nil; e = e.Next {
		s.WakeBody(e.Other)
	}
}

// editNeighbours records a change of the bodies that touch a body or are joined to it, because
// the library may wake them.
func (s *World) editNeighbours(b *box2d.B2Body) {
	for c := range s.ContactsOf(b) {
		s.edit(c.Other(b).M_body, 0)
	}
	for e := b.M_jointList; e != nil; e = e.Next {
		s.edit(e.Other, 0)
	}
}

// SetTransform moves a body to a place. It wakes the body and its neighbours at the old place.
func (s *World) SetTransform(b *box2d.B2Body, origin box2d.B2Vec2, angle float64) {
	s.WakeNeighbours(b)
	s.place(b, origin, angle)
	s.WakeBody(b)
	s.findPairs()
}

// PutBack moves a body to a place and gives it a velocity, m/s and rad/s. It wakes no body.
func (s *World) PutBack(b *box2d.B2Body, origin box2d.B2Vec2, angle float64, v box2d.B2Vec2, omega float64) {
	b.M_linearVelocity, b.M_angularVelocity = v, omega
	s.place(b, origin, angle)
}

// place moves a body to a place. It wakes no body. In a World that is Soft, the result has the
// same bits on every machine.
func (s *World) place(b *box2d.B2Body, origin box2d.B2Vec2, angle float64) {
	s.Leaves().moves(b)
	s.editPlace(b, func() {
		if !s.Soft() {
			b.SetTransform(origin, angle)
			return
		}
		b.M_xf.P, b.M_sweep.A = origin, angle
		b2.Place(b)
		s.Shapes.follow(b)
	})
	s.Leaves().moves(b)
}

// SetType makes a body static, kinematic or dynamic. Its contacts end. After that the caller
// computes the mass of a body that becomes dynamic.
func (s *World) SetType(b *box2d.B2Body, kind uint8) {
	s.WakeNeighbours(b)
	s.endContacts(b)
	s.Leaves().moves(b)
	// The velocity of a body is that of its centre. A body that is not dynamic has its centre at its
	// origin, which may have had another velocity.
	atOrigin := b2.VelocityAt(b, b.M_xf.P)
	waiting := s.world.M_contactManager.M_broadPhase.M_moveCount
	s.keepCourse(b, func() { b.SetType(kind) })
	if s.Soft() {
		s.Shapes.follow(b)
		s.world.M_contactManager.M_broadPhase.M_moveCount = waiting // raw access has added these shapes to the move buffer before
	}
	if kind == b2.KinematicBody {
		b.M_linearVelocity = atOrigin
	}
	s.Leaves().moves(b)
	// Version 1.0.2 of the library touches the leaves of a copy of the broad phase, so it finds no
	// new pairs: Refilter makes it find them.
	s.Refilter(b)
}

// keepCourse calls act, which makes the library compute the mass of a body, and may change the
// body's sweep and velocity. For a dynamic body the caller computes the mass again, with the same
// bits on every machine, so keepCourse restores the sweep and the velocity.
func (s *World) keepCourse(b *box2d.B2Body, act func()) {
	s.editPlace(b, func() {
		sweep, velocity := b.M_sweep, b.M_linearVelocity
		if act(); b.M_type == b2.DynamicBody {
			b.M_sweep, b.M_linearVelocity = sweep, velocity
		}
	})
	s.edit(b, Reshaped)
}

// SetActive disables a body or enables it again. Its contacts end.
func (s *World) SetActive(b *box2d.B2Body, on bool) {
	s.WakeNeighbours(b)
	s.setActive(b, on)
	s.findPairs()
}

// Disable disables a body. It wakes only the bodies that the library wakes.
func (s *World) Disable(b *box2d.B2Body) {
	s.editNeighbours(b)
	s.setActive(b, false)
}

// setActive is like SetActive, but does not wake the neighbours.
func (s *World) setActive(b *box2d.B2Body, on bool) {
	s.edit(b, Reshaped)
	s.Leaves().moves(b)
	if !on {
		s.endContacts(b)
		for f := b.M_fixtureList; f != nil; f = f.M_next {
			s.Leaves().remove(f, s.sight.lent)
		}
	}
	if s.Soft() && on != b.IsActive() {
		b.M_flags ^= b2.BodyActive
		for f := b.M_fixtureList; on && f != nil; f = f.M_next {
			s.Leaves().insert(f)
		}
	} else {
		b.SetActive(on) // if Soft, the body is active already, and this call does nothing
	}
	s.Leaves().moves(b)
}

// SetAwake wakes a body, or stops it and puts it to sleep.
func (s *World) SetAwake(b *box2d.B2Body, on bool) {
	s.edit(b, 0)
	b.SetAwake(on)
}

// SetBullet turns a body's continuous collision against dynamic bodies on or off.
func (s *World) SetBullet(b *box2d.B2Body, on bool) {
	s.edit(b, 0)
	b.SetBullet(on)
}

// SetDamping sets a body's linear and angular damping, 1/s.
func (s *World) SetDamping(b *box2d.B2Body, linear, angular float64) {
	s.edit(b, 0)
	b.M_linearDamping, b.M_angularDamping = linear, angular
}

// SetGravityScale sets the factor of gravity for a body, and wakes it.
func (s *World) SetGravityScale(b *box2d.B2Body, scale float64) {
	b.M_gravityScale = scale
	s.WakeBody(b)
}

// SetFixedRotation stops a body from turning, or lets it turn. After that the caller computes the
// body's mass.
func (s *World) SetFixedRotation(b *box2d.B2Body, on bool) {
	s.keepCourse(b, func() { b.SetFixedRotation(on) })
	s.WakeBody(b)
}

// SetFixedAxes fixes the x or the y of a dynamic body's centre of mass, or frees it.
func (s *World) SetFixedAxes(b *box2d.B2Body, x, y bool) {
	s.edit(b, 0)
	b.M_flags &^= b2.BodyFixedAxes
	// When a body hits a sleeping body, the step moves the sleeping one back to its position at the
	// time of the hit, along its path in the last step in which it was awake. The path must have no
	// length along a fixed axis.
	way := &b.M_sweep
	if x {
		b.M_flags |= b2.BodyFixedX
		way.C0.X = way.C.X
	}
	if y {
		b.M_flags |= b2.BodyFixedY
		way.C0.Y = way.C.Y
	}
}

// SetVelocity sets the velocity of a body's centre of mass, m/s. This wakes the body.
func (s *World) SetVelocity(b *box2d.B2Body, v box2d.B2Vec2) {
	s.edit(b, 0)
	b.SetLinearVelocity(v)
}

// StartAt sets the velocity, m/s, of a new body. A body that was made asleep stays asleep.
func (s *World) StartAt(b *box2d.B2Body, v box2d.B2Vec2) { b.M_linearVelocity = v }

// SetAngularVelocity sets a body's angular velocity, rad/s. This wakes the body.
func (s *World) SetAngularVelocity(b *box2d.B2Body, omega float64) {
	s.edit(b, 0)
	b.SetAngularVelocity(omega)
}

// Push changes a dynamic body's velocity by an impulse, N·s, at its centre of mass.
func (s *World) Push(b *box2d.B2Body, impulse box2d.B2Vec2) {
	s.edit(b, 0)
	b2.Push(b, impulse)
}

// PushAt changes a dynamic body's velocities by an impulse, N·s, at a point in world coordinates,
// m.
func (s *World) PushAt(b *box2d.B2Body, impulse, at box2d.B2Vec2) {
	s.edit(b, 0)
	b2.PushAt(b, impulse, at)
}

// Turn changes a dynamic body's angular velocity by an angular impulse, N·m·s.
func (s *World) Turn(b *box2d.B2Body, impulse float64) {
	s.edit(b, 0)
	b2.Turn(b, impulse)
}

// AddForce adds to the force, N, and the torque, N·m, that act on a body in the next step. It
// wakes a body that sleeps. With stir it also keeps a body awake that is about to fall asleep.
func (s *World) AddForce(b *box2d.B2Body, force box2d.B2Vec2, torque float64, stir bool) {
	s.edit(b, 0)
	if stir || !b2.IsAwake(b) {
		b.SetAwake(true)
	}
	b.M_force = box2d.B2Vec2Add(b.M_force, force)
	b.M_torque += torque
}

// KeepMoving keeps a kinematic body awake while it has a velocity. The library counts a slow body
// as at rest, and would stop it (rapier.js issue 356).
func (s *World) KeepMoving(b *box2d.B2Body, sleepTime float64) {
	if b.M_type == b2.KinematicBody && (b.M_linearVelocity != (box2d.B2Vec2{}) || b.M_angularVelocity != 0) {
		b.M_sleepTime = sleepTime
	}
}

// Settle is called after a step for each body that the step has worked on. It clears the body's
// forces.
func (s *World) Settle(b *box2d.B2Body) {
	b.M_flags &^= b2.BodyDozes
	if b.M_type != b2.StaticBody {
		s.KeepMoving(b, 0)
		if b.M_force != (box2d.B2Vec2{}) || b.M_torque != 0 {
			b.M_force, b.M_torque = box2d.B2Vec2{}, 0
		}
	}
}

// SumMass computes the mass of a body from its shapes, or takes it from sum if sum is not nil.
func (s *World) SumMass(b *box2d.B2Body, sum *b2.MassSum) {
	s.edit(b, Reshaped)
	s.editPlace(b, func() {
		if sum == nil || b.M_type != b2.DynamicBody {
			b2.ResetMass(b)
		} else {
			b2.SetSum(b, sum)
		}
	})
}

// SetMass sets the mass of a body, whatever its shapes are.
func (s *World) SetMass(b *box2d.B2Body, m *box2d.B2MassData) {
	s.edit(b, Reshaped)
	s.editPlace(b, func() { b2.SetMass(b, m) })
}

// editPlace calls act, and records a change if act has moved the body.
func (s *World) editPlace(b *box2d.B2Body, act func()) {
	origin, centre, angle := b.M_xf.P, b.M_sweep.C, b.M_sweep.A
	act()
	if b.M_xf.P != origin || b.M_sweep.C != centre || b.M_sweep.A != angle {
		s.edit(b, Placed)
	} else {
		s.edit(b, 0)
	}
}
