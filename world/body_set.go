package world

import (
	"fmt"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
	"halfstep/internal/box"
	"halfstep/internal/box/b2"
	"halfstep/internal/shifted"
)

// The methods of this file find a body by edit or by mutable. The method edit marks the body's record
// as changed for the next snapshot. The method mutable does not, and is for velocities and sleep, which
// the record does not contain.

// SetVelocity sets the velocity of a body's centre of mass, in m/s. It has no effect on a
// static body.
func (w *World) SetVelocity(b Body, velocity Vec) error {
	r, err := w.mutable(b, checkVec("velocity", velocity, maxValue))
	if err == nil {
		w.forces.forgetAim(r)
		w.box.SetVelocity(r.b, b2vec(velocity))
		w.places.velocityChanged(r)
	}
	return err
}

// SetAngularVelocity sets a body's angular velocity, in rad/s. It has no effect on a static
// body, or on a body with fixed rotation.
func (w *World) SetAngularVelocity(b Body, omega float64) error {
	r, err := w.mutable(b, checkNumber("angular velocity", omega))
	if err == nil && r.b.M_flags&b2.BodyFixed == 0 {
		w.forces.forgetAim(r)
		w.box.SetAngularVelocity(r.b, omega)
		w.places.velocityChanged(r)
	}
	return err
}

// Teleport moves a body's origin to a position, in m, and turns the body to an angle, in rad. It wakes
// the bodies that touched the body. Contacts with shapes that the body does not touch at the new place
// end at once. A [World.DropThrough] ends, too. The picture shows the body at its new place at once,
// without blending.
func (w *World) Teleport(b Body, position Vec, angle float64) error {
	r, err := w.put(b, position, angle)
	if err == nil {
		w.endLeft(r.b)
	}
	return err
}

// put moves a body to a new place, if the world does not get too many contacts.
func (w *World) put(b Body, position Vec, angle float64) (*body, error) {
	r, err := w.edit(b, checkVec("position", position, maxPosition), checkPosition("angle", angle))
	if err == nil && r.b.IsActive() {
		err = w.crowd.checkContactsOf(r, r.b.M_type, transform(position, angle))
	}
	if err != nil {
		return nil, err
	}
	w.box.SetTransform(r.b, b2vec(position), angle)
	w.places.jumped(r)
	return r, nil
}

// endLeft ends the contacts of a body that put has moved, except those whose shapes still touch at the
// new place. If others are still near, the next step finds them again.
func (w *World) endLeft(b *box2d.B2Body) {
	for c := range w.box.ContactsOf(b) {
		f, _ := c.Own(b) // f is the shape of b in the contact
		// IsTouching means that the shapes touched in the last step, and meets that they touch at their present
		// places.
		if c.IsTouching() && !c.Has(box.Passing) && w.contacts.meets(c) {
			if s := shapeOf(f); s != nil {
				w.crowd.alreadyThere(s, 1) // put has counted this pair as a new contact
			}
			continue
		}
		w.box.EndContact(c, b)
	}
}

// Shift moves a body by a distance, in m. The picture shows no jump: it blends the body as if the body
// had been at the new place before. Contacts with bodies that are shifted by the same distance go on.
// All other contacts end in the next step.
func (w *World) Shift(b Body, by Vec) error {
	r, err := w.edit(b, checkVec("shift", by, maxPosition))
	if err != nil {
		return err
	}
	s, at := &w.places.slots[r.slot], r.b.M_xf.P
	jump := s.jump
	if _, err := w.put(b, Vec{at.X + by.X, at.Y + by.Y}, r.b.M_sweep.A); err != nil {
		return err
	}
	s.jump = jump                               // put has marked a jump, which prevents blending
	s.shifted = w.when.tick + 1                 // read by private.Jumped (exports.go); 0 means never
	w.carried = append(w.carried, shifted.Body{ // the loop moves its stored states by the same distance
		Slot: r.slot, Generation: s.generation, X: r.b.M_xf.P.X - at.X, Y: r.b.M_xf.P.Y - at.Y,
	})
	return nil
}

// SetKind makes a body static, kinematic or dynamic. It returns an error for a body that a mouse joint
// pulls, if the kind is not Dynamic. It returns an error for the second body of a geared joint, if the
// kind is Static.
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
	if err := w.masses.checkMass(r, uint8(kind), nil, nil, 0); err != nil { // nil: no shape changes
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
		if err := w.crowd.checkContactsOf(r, uint8(kind), raw.M_xf); err != nil {
			return err
		}
	}
	old := raw.M_sweep.LocalCenter
	w.links.forgetPushes(raw)
	w.box.SetType(raw, uint8(kind))
	w.masses.sumMass(r)
	if raw.M_sweep.LocalCenter != old {
		w.places.jumped(r)
	}
	w.news.announceBody(r, body2d.BodyChanged)
	w.places.velocityChanged(r)
	return nil
}

// SetName gives a body another name.
func (w *World) SetName(b Body, name string) error {
	r, err := w.edit(b)
	if err == nil && r.name != name {
		r.name = name
		w.news.announceBody(r, body2d.BodyChanged)
	}
	return err
}

// SetAwake wakes a body, or stops the body and puts it to sleep.
func (w *World) SetAwake(b Body, on bool) error {
	r, err := w.mutable(b)
	if err == nil && r.b.M_type != box2d.B2BodyType.B2_staticBody {
		w.box.SetAwake(r.b, on)
		w.places.velocityChanged(r)
	}
	return err
}

// SetEnabled removes a body from the simulation or puts it back. A disabled body neither
// moves nor touches anything. SetEnabled returns an error for the first body of a geared
// joint, if on is false.
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
		if err := w.crowd.checkContactsOf(r, r.b.M_type, r.b.M_xf); err != nil {
			return err
		}
	}
	w.links.forgetPushes(r.b)
	for _, s := range r.shapes {
		if !on {
			w.crowd.uncount(s) // a disabled shape makes no contacts; checkContactsOf counts its pairs again
		}
	}
	w.box.SetActive(r.b, on)
	return nil
}

// SetBullet sets whether continuous collision also checks a body against dynamic bodies.
func (w *World) SetBullet(b Body, on bool) error {
	r, err := w.edit(b)
	if err == nil {
		w.box.SetBullet(r.b, on)
	}
	return err
}

// SetSleepSpeeds sets the greatest speeds of a body at rest, in m/s and rad/s. A body falls asleep
// when it and all bodies that it touches or is joined to have been at rest for half a second. 0 means
// the stepper's limits: 0.01 m/s and 0.035 rad/s with FastStep, and 0.05 m/s of the body's fastest
// point with SoftStep.
func (w *World) SetSleepSpeeds(b Body, speed, spin float64) error {
	r, err := w.edit(b, checkPositive("sleep speed", speed), checkPositive("sleep spin", spin))
	if err == nil && (r.sleepSpeed != speed || r.sleepSpin != spin) {
		w.surfaces.rest(r, speed, spin)
		w.box.WakeBody(r.b)
	}
	return err
}

// rest sets the speeds below which a body may sleep, in m/s and rad/s. The steppers ask for these
// speeds only if applyRules has found a body with its own speeds.
func (u *surfaces) rest(r *body, speed, spin float64) {
	r.sleepSpeed, r.sleepSpin = speed, spin
	if (speed > 0 || spin > 0) && !u.someRest {
		u.someRest = true
		u.applyRules()
	}
}

// restSpeedsOf returns the speeds below which a body may sleep, in m/s and rad/s. 0 means the
// stepper's limits. During a step, any goroutine may call it.
func restSpeedsOf(b *box2d.B2Body) (speed, spin float64) {
	if r := recordOf(b); r != nil {
		return r.sleepSpeed, r.sleepSpin
	}
	return 0, 0
}

// SetGravityScale sets the factor of the world's gravity for a body; 0 means no gravity.
func (w *World) SetGravityScale(b Body, scale float64) error {
	r, err := w.edit(b, checkNumber("gravity scale", scale))
	if err == nil && r.b.M_gravityScale != scale {
		w.box.SetGravityScale(r.b, scale)
	}
	return err
}

// SetDamping sets a body's linear and angular damping, in 1/s.
func (w *World) SetDamping(b Body, linear, angular float64) error {
	r, err := w.edit(b, checkPositive("linear damping", linear), checkPositive("angular damping", angular))
	if err == nil {
		w.box.SetDamping(r.b, linear, angular)
	}
	return err
}

// SetFixedRotation sets whether a body never turns. Only Teleport turns a body whose rotation
// is fixed.
func (w *World) SetFixedRotation(b Body, on bool) error {
	r, err := w.edit(b)
	if err != nil || r.b.IsFixedRotation() == on {
		return err
	}
	if err := w.masses.checkMass(r, r.b.M_type, nil, nil, 0); err != nil { // nil: no shape changes
		return err
	}
	moved := w.keepCentre(r) // announces a new mass or centre after the change
	w.box.SetFixedRotation(r.b, on)
	w.masses.sumMass(r)
	w.places.velocityChanged(r)
	moved()
	return nil
}

// The bits of Command.N that say which axes are fixed.
const (
	fixedX = 1 << iota
	fixedY
)

// SetFixedAxes sets whether the centre of mass of a dynamic body keeps its x, and whether it
// keeps its y. The next step removes velocity along a fixed axis. Teleport and Shift still
// move the body.
func (w *World) SetFixedAxes(b Body, x, y bool) error {
	r, err := w.edit(b)
	if err == nil {
		w.box.SetFixedAxes(r.b, x, y)
		w.box.WakeBody(r.b)
	}
	return err
}

// SetBodySmoothing sets the smoothing mode of a body. With body2d.Inherit the body has the
// engine's mode.
func (w *World) SetBodySmoothing(b Body, mode body2d.Smoothing) error {
	r, err := w.edit(b)
	if err != nil {
		return err
	}
	if mode > body2d.Hermite && mode != body2d.Inherit {
		return fmt.Errorf("world: no smoothing mode %d", mode)
	}
	w.box.Touch(r.b)
	s := &w.places.slots[r.slot]
	s.flags = body2d.Alive.WithSmoothing(mode)
	return nil
}

// jumped prevents blending from a body's present state to its next state.
func (p *places) jumped(r *body) {
	p.box.Touch(r.b)
	p.slots[r.slot].jump = jumpPending
}
