package box

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// Between two steps, the library's objects are changed only by the methods of World, by raw access
// and by restores. Each method also does what its change requires: it calls the library, wakes
// bodies, asks for a search for pairs, and records the change.

// Edit is called after other code has created a body or changed it in any way.
func (s *World) Edit(b *box2d.B2Body) { s.edit(b, Unknown) }

// Touch is called after a change of a value that belongs to a body but is stored outside of
// Box2D's body.
func (s *World) Touch(b *box2d.B2Body) { s.edit(b, 0) }

// edit records that a body has changed, and how. The parameter what is 0 if no Change describes the
// change, for example for waking.
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

// findPairs makes the next step look for new pairs at its start. A step always does so at its end.
func (s *World) findPairs() { s.world.M_flags |= box2d.B2World_Flags.E_newFixture }

// SetGravity sets the gravity, in m/s². It wakes the bodies on which gravity acts.
func (s *World) SetGravity(gravity box2d.B2Vec2) {
	s.world.M_gravity = gravity
	for b := s.world.M_bodyList; b != nil; b = b.M_next {
		if b.M_gravityScale != 0 {
			s.WakeBody(b)
		}
	}
}

// CreateBody makes a body without shapes. If dozes is true, the body is made asleep, and a new
// contact wakes it only if the other body is awake.
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
		b2.MakeDestroyable(f) // the library cannot destroy a round polygon
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
// library leaves bodies asleep if the body below them is moved. Contacts with sensors wake no body,
// because nothing rests on a sensor.
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

// SetTransform moves a body. It wakes the body and its neighbours at the old place.
func (s *World) SetTransform(b *box2d.B2Body, origin box2d.B2Vec2, angle float64) {
	s.WakeNeighbours(b)
	s.place(b, origin, angle)
	s.WakeBody(b)
	s.findPairs()
}

// PutBack moves a body and sets its velocities, in m/s and rad/s. It wakes no body.
func (s *World) PutBack(b *box2d.B2Body, origin box2d.B2Vec2, angle float64, v box2d.B2Vec2, omega float64) {
	b.M_linearVelocity, b.M_angularVelocity = v, omega
	s.place(b, origin, angle)
}

// place moves a body. It wakes no body. In a World that is Soft, the result has the same bits on
// every machine.
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

// SetType makes a body static, kinematic or dynamic, and ends its contacts. If the body becomes
// dynamic, the caller then computes its mass.
func (s *World) SetType(b *box2d.B2Body, kind uint8) {
	s.WakeNeighbours(b)
	s.endContacts(b)
	s.Leaves().moves(b)
	// The velocity of a body is that of its centre. If the body is not dynamic, its centre moves to its
	// origin, which may have another velocity.
	atOrigin := b2.VelocityAt(b, b.M_xf.P)
	waiting := s.world.M_contactManager.M_broadPhase.M_moveCount
	s.keepCourse(b, func() { b.SetType(kind) })
	if s.Soft() {
		s.Shapes.follow(b)
		s.world.M_contactManager.M_broadPhase.M_moveCount = waiting // without the shapes that the call above has added to the move buffer
	}
	if kind == b2.KinematicBody {
		b.M_linearVelocity = atOrigin
	}
	s.Leaves().moves(b)
	// Version 1.0.2 of the library touches the leaves of a copy of the broad phase, so it finds no
	// new pairs: Refilter makes it find them.
	s.Refilter(b)
}

// keepCourse calls act, and then restores the body's sweep and velocity. It is for an act that makes
// the library compute the mass of the body. For a dynamic body the caller computes the mass again,
// with the same bits on every machine.
func (s *World) keepCourse(b *box2d.B2Body, act func()) {
	s.editPlace(b, func() {
		sweep, velocity := b.M_sweep, b.M_linearVelocity
		if act(); b.M_type == b2.DynamicBody {
			b.M_sweep, b.M_linearVelocity = sweep, velocity
		}
	})
	s.edit(b, Reshaped)
}

// SetActive disables or enables a body. Its contacts end, and its neighbours wake.
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

// setActive does the same as SetActive, but does not wake the neighbours.
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
		b.SetActive(on) // does nothing if Soft, because then the body is active already
	}
	s.Leaves().moves(b)
}

// SetAwake wakes a body, or stops it and puts it to sleep.
func (s *World) SetAwake(b *box2d.B2Body, on bool) {
	s.edit(b, 0)
	b.SetAwake(on)
}

// SetBullet sets whether continuous collision also checks a body against dynamic bodies.
func (s *World) SetBullet(b *box2d.B2Body, on bool) {
	s.edit(b, 0)
	b.SetBullet(on)
}

// SetDamping sets a body's linear and angular damping, in 1/s.
func (s *World) SetDamping(b *box2d.B2Body, linear, angular float64) {
	s.edit(b, 0)
	b.M_linearDamping, b.M_angularDamping = linear, angular
}

// SetGravityScale sets the factor of gravity for a body, and wakes the body.
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

// SetFixedAxes sets whether the centre of mass of a dynamic body may move along x and along y.
func (s *World) SetFixedAxes(b *box2d.B2Body, x, y bool) {
	s.edit(b, 0)
	b.M_flags &^= b2.BodyFixedAxes
	// The step may move a sleeping body back along the path of its last step, if another body hits it.
	// The path must have no length along a fixed axis.
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

// SetVelocity sets the velocity of a body's centre of mass, in m/s. It wakes the body.
func (s *World) SetVelocity(b *box2d.B2Body, v box2d.B2Vec2) {
	s.edit(b, 0)
	b.SetLinearVelocity(v)
}

// StartAt sets the velocity of a new body, in m/s. A body that was made asleep stays asleep.
func (s *World) StartAt(b *box2d.B2Body, v box2d.B2Vec2) { b.M_linearVelocity = v }

// SetAngularVelocity sets a body's angular velocity, in rad/s. It wakes the body.
func (s *World) SetAngularVelocity(b *box2d.B2Body, omega float64) {
	s.edit(b, 0)
	b.SetAngularVelocity(omega)
}

// Push changes a dynamic body's velocity by an impulse at its centre of mass, in N·s.
func (s *World) Push(b *box2d.B2Body, impulse box2d.B2Vec2) {
	s.edit(b, 0)
	b2.Push(b, impulse)
}

// PushAt changes a dynamic body's velocities by an impulse in N·s. The impulse acts at a point in
// world coordinates, in m.
func (s *World) PushAt(b *box2d.B2Body, impulse, at box2d.B2Vec2) {
	s.edit(b, 0)
	b2.PushAt(b, impulse, at)
}

// Turn changes a dynamic body's angular velocity by an angular impulse, in N·m·s.
func (s *World) Turn(b *box2d.B2Body, impulse float64) {
	s.edit(b, 0)
	b2.Turn(b, impulse)
}

// AddForce adds to the force and the torque that act on a body in the next step, in N and N·m. It
// wakes a sleeping body. If stir is true, it also keeps a body awake that is about to fall asleep.
func (s *World) AddForce(b *box2d.B2Body, force box2d.B2Vec2, torque float64, stir bool) {
	s.edit(b, 0)
	if stir || !b2.IsAwake(b) {
		b.SetAwake(true)
	}
	b.M_force = box2d.B2Vec2Add(b.M_force, force)
	b.M_torque += torque
}

// KeepMoving keeps a kinematic body awake while the body has a velocity. The library treats a slow
// body as one at rest, and would stop it (rapier.js issue 356).
func (s *World) KeepMoving(b *box2d.B2Body, sleepTime float64) {
	if b.M_type == b2.KinematicBody && (b.M_linearVelocity != (box2d.B2Vec2{}) || b.M_angularVelocity != 0) {
		b.M_sleepTime = sleepTime
	}
}

// Settle is called after a step for each body that the step has changed. It clears the forces on the
// body.
func (s *World) Settle(b *box2d.B2Body) {
	b.M_flags &^= b2.BodyDozes
	if b.M_type != b2.StaticBody {
		s.KeepMoving(b, 0)
		if b.M_force != (box2d.B2Vec2{}) || b.M_torque != 0 {
			b.M_force, b.M_torque = box2d.B2Vec2{}, 0
		}
	}
}

// SumMass sets the mass of a body to sum, or to the mass of its shapes if sum is nil.
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

// SetMass sets the mass of a body. The mass need not be that of the shapes.
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
