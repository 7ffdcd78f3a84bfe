package world

import (
	"fmt"

	"github.com/ByteArena/box2d"

	"halfstep/box/b2"
	"halfstep/buffer/body2d"
)

// SetVelocity sets the velocity of a body's centre of mass, m/s. A static body
// keeps none.
func (w *World) SetVelocity(b Body, velocity Vec) error {
	r, err := w.mutable(b, checkVec("velocity", velocity, maxValue))
	if err == nil {
		r.b.SetLinearVelocity(b2vec(velocity))
		w.kicked(r)
	}
	return err
}

// SetAngularVelocity sets a body's angular velocity, rad/s. A static body keeps none,
// nor does one of fixed rotation.
func (w *World) SetAngularVelocity(b Body, omega float64) error {
	r, err := w.mutable(b, checkNumber("angular velocity", omega))
	if err == nil && r.b.M_flags&b2.BodyFixed == 0 {
		r.b.SetAngularVelocity(omega)
		w.kicked(r)
	}
	return err
}

// Teleport puts a body's origin at a position, m, turns it to an angle, rad, and
// wakes what it touched. What it does not touch there ends at once, a
// [World.DropThrough] too. The picture shows it there at once, without blending.
func (w *World) Teleport(b Body, position Vec, angle float64) error {
	r, err := w.put(b, position, angle)
	if err == nil {
		w.endLeft(r.b)
	}
	return err
}

func (w *World) put(b Body, position Vec, angle float64) (*body, error) {
	r, err := w.edit(b, checkVec("position", position, maxPosition), checkPosition("angle", angle))
	if err == nil && r.b.IsActive() {
		err = w.checkContactsOf(r, r.b.M_type, transform(position, angle))
	}
	if err != nil {
		return nil, err
	}
	w.wakeNeighbours(r.b)
	w.box.Moves(r.b)
	w.setTransform(r.b, b2vec(position), angle)
	w.box.Moved(r.b)
	w.wake(r.b)
	w.findPairsFirst()
	w.jumped(r)
	return r, nil
}

// endLeft ends the contacts of a body that has been put elsewhere, but for those whose
// shapes still touch. The next step looks for all others anew.
func (w *World) endLeft(b *box2d.B2Body) {
	for e := b.M_contactList; e != nil; {
		i, c := e.Contact, contactOf(e.Contact)
		e = e.Next
		f, child := c.M_fixtureA, c.M_indexA
		if f.M_body != b {
			f, child = c.M_fixtureB, c.M_indexB
		}
		if c.M_flags&b2.ContactTouching != 0 && c.M_flags&contactPassing == 0 && w.meets(c) {
			if s := shapeOf(f); s != nil {
				w.alreadyThere(s, 1)
			}
			continue
		}
		w.box.ContactGoes(c)
		w.b2.M_contactManager.Destroy(i)
		w.b2.M_contactManager.M_broadPhase.TouchProxy(f.M_proxies[child].ProxyId)
	}
}

// Shift is a Teleport by so many m that keeps the motion: the picture does not stop at the
// new place, but goes on as if the body had come from there. Its contacts end in the next
// step, but for those with bodies that have come along.
func (w *World) Shift(b Body, by Vec) error {
	r, err := w.edit(b, checkVec("shift", by, maxPosition))
	if err != nil {
		return err
	}
	s, at := &w.slots[r.slot], r.b.M_xf.P
	jump := s.jump
	if _, err := w.put(b, Vec{at.X + by.X, at.Y + by.Y}, r.b.M_sweep.A); err != nil {
		return err
	}
	s.jump, s.shifted = jump, w.tick+1
	w.carried = append(w.carried, body2d.Shift{
		Slot: r.slot, Generation: s.generation, X: r.b.M_xf.P.X - at.X, Y: r.b.M_xf.P.Y - at.Y,
	})
	return nil
}

func (w *World) setTransform(b *box2d.B2Body, position box2d.B2Vec2, angle float64) {
	b.SetTransform(position, angle)
	w.placeSoft(b)
}

// SetKind makes a body static, kinematic or dynamic. A body that a mouse joint
// pulls stays dynamic, and the second body of a geared joint does not become
// static: that is an error.
func (w *World) SetKind(b Body, kind BodyKind) error {
	r, err := w.edit(b)
	if err != nil {
		return err
	}
	if kind > Dynamic {
		return fmt.Errorf("world: no body kind %d", kind)
	}
	raw := r.b
	if BodyKind(raw.M_type) == kind {
		return nil
	}
	if err := w.checkMass(r, uint8(kind), nil, nil, 0); err != nil {
		return err
	}
	for e := raw.M_jointList; e != nil; e = e.Next {
		j := jointOf(e.Joint)
		if j == nil || e.Joint.GetBodyB() != raw {
			continue
		}
		if j.kind == MouseJoint || len(j.gears) > 0 && kind == Static {
			return fmt.Errorf("world: %v keeps its kind while %v holds it", b, j.handle)
		}
	}
	if raw.IsActive() {
		if err := w.checkContactsOf(r, uint8(kind), raw.M_xf); err != nil {
			return err
		}
	}
	old := raw.M_sweep.LocalCenter
	w.forgetPushes(raw)
	w.wakeNeighbours(raw)
	w.box.ContactsGo(raw, nil)
	w.box.Moves(raw)
	// The centre of a body that is not dynamic is its origin, which may go another way.
	atOrigin := b2.VelocityAt(raw, raw.M_xf.P)
	w.redoMass(r, func() { raw.SetType(uint8(kind)) })
	if kind == Kinematic {
		raw.M_linearVelocity = atOrigin
	}
	w.box.Moved(raw)
	// v1.0.2 touches the leaves of a copy of the broad phase here, so that no
	// new pairs would be found.
	r.refilter()
	w.findPairsFirst()
	if raw.M_sweep.LocalCenter != old {
		w.jumped(r)
	}
	w.announceBody(r, body2d.BodyChanged)
	w.kicked(r)
	return nil
}

// SetAwake wakes a body, or puts it to sleep, which stops it.
func (w *World) SetAwake(b Body, on bool) error {
	r, err := w.mutable(b)
	if err == nil && r.b.M_type != box2d.B2BodyType.B2_staticBody {
		r.b.SetAwake(on)
		w.kicked(r)
	}
	return err
}

// SetEnabled takes a body out of the simulation or puts it back. A disabled body
// neither moves nor touches anything. The first body of a geared joint stays
// enabled: that is an error.
func (w *World) SetEnabled(b Body, on bool) error {
	r, err := w.edit(b)
	if err != nil || r.b.IsActive() == on {
		return err
	}
	for e := r.b.M_jointList; e != nil && !on; e = e.Next {
		j := jointOf(e.Joint)
		if j != nil && len(j.gears) > 0 && e.Joint.GetBodyA() == r.b {
			return fmt.Errorf("world: %v stays enabled while %v is geared", b, j.handle)
		}
	}
	if on {
		if err := w.checkContactsOf(r, r.b.M_type, r.b.M_xf); err != nil {
			return err
		}
	}
	w.forgetPushes(r.b)
	w.wakeNeighbours(r.b)
	w.box.Moves(r.b)
	if on {
		r.b.SetActive(true)
	} else {
		w.box.ContactsGo(r.b, nil)
		for _, s := range r.shapes {
			w.uncount(s)
		}
		proxies := r.proxies()
		w.withoutMoves(proxies, func() { r.b.SetActive(false) })
		w.forget(proxies)
	}
	w.box.Moved(r.b)
	w.findPairsFirst()
	return nil
}

// SetBullet turns a body's continuous collision against dynamic bodies on or
// off.
func (w *World) SetBullet(b Body, on bool) error {
	r, err := w.edit(b)
	if err == nil {
		r.b.SetBullet(on)
	}
	return err
}

// SetGravityScale sets how many times the world's gravity acts on a body; 0 is
// not at all.
func (w *World) SetGravityScale(b Body, scale float64) error {
	r, err := w.edit(b, checkNumber("gravity scale", scale))
	if err == nil && r.b.M_gravityScale != scale {
		r.b.M_gravityScale = scale
		w.wake(r.b)
	}
	return err
}

// SetDamping sets a body's linear and angular damping, 1/s.
func (w *World) SetDamping(b Body, linear, angular float64) error {
	r, err := w.edit(b, checkPositive("linear damping", linear), checkPositive("angular damping", angular))
	if err == nil {
		r.b.M_linearDamping, r.b.M_angularDamping = linear, angular
	}
	return err
}

// SetFixedRotation keeps a body from turning, or lets it turn again. Only Teleport
// turns a body whose rotation is fixed.
func (w *World) SetFixedRotation(b Body, on bool) error {
	r, err := w.edit(b)
	if err != nil || r.b.IsFixedRotation() == on {
		return err
	}
	if err := w.checkMass(r, r.b.M_type, nil, nil, 0); err != nil {
		return err
	}
	moved := w.keepCentre(r)
	w.redoMass(r, func() { r.b.SetFixedRotation(on) })
	w.wake(r.b)
	w.kicked(r)
	moved()
	return nil
}

// SetSmoothing gives a body a smoothing mode of its own, a body2d.Smoothing; with
// -1 it follows the global one again.
func (w *World) SetSmoothing(b Body, mode int) error {
	r, err := w.edit(b)
	if err != nil {
		return err
	}
	if mode < -1 || mode > int(body2d.Hermite) {
		return fmt.Errorf("world: no smoothing mode %d", mode)
	}
	s := &w.slots[r.slot]
	s.flags = body2d.Alive
	if mode >= 0 {
		s.flags = s.flags.WithSmoothing(body2d.Smoothing(mode))
	}
	return nil
}

// jumped keeps a body's next state from being blended.
func (w *World) jumped(r *body) {
	w.touch(r)
	w.slots[r.slot].jump = jumpPending
}
