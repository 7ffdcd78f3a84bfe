package world

import (
	"cmp"
	"math"
	"slices"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// SetBreakLimits sets the reactions above which a joint breaks: a force in N and a torque in
// N·m. 0 means no limit. See JointDef.BreakForce.
func (w *World) SetBreakLimits(j Joint, force, torque float64) error {
	r, err := w.editJoint(j, checkPositive("break force", force), checkPositive("break torque", torque))
	if err != nil || r.breakForce == force && r.breakTorque == torque {
		return err
	}
	r.breakForce, r.breakTorque, r.strained = force, torque, false
	w.links.listBreakable(r)
	w.box.EditJoint(r.j, true) // true: the bodies wake, because their load at rest may exceed the new limit
	return nil
}

// listBreakable adds a joint with a limit to the list that each step checks. It removes a joint without
// a limit from the list. A destroyed joint stays in the list until the next step.
func (k *links) listBreakable(r *joint) {
	if len(k.breakable) > 2*len(k.registry.joints) {
		k.breakable = slices.DeleteFunc(k.breakable, func(o *joint) bool { return !o.canBreak() })
	}
	i, listed := slices.BinarySearchFunc(k.breakable, r, byAge)
	switch {
	case listed && !r.canBreak():
		k.breakable = slices.Delete(k.breakable, i, i+1)
	case !listed && r.canBreak():
		k.breakable = slices.Insert(k.breakable, i, r)
	}
}

func (r *joint) canBreak() bool { return r.j != nil && (r.breakForce > 0 || r.breakTorque > 0) }

func byAge(a, b *joint) int { return cmp.Compare(a.id, b.id) }

// breakJoints breaks joints after a step. It also destroys the gears of a broken joint, which come later
// in the list.
func (k *links) breakJoints() {
	listed := k.breakable
	k.breakable = k.breakable[:0]
	for _, r := range listed {
		if !r.canBreak() {
			continue
		}
		force, torque, tooMuch := k.strain(r)
		if tooMuch && !r.strained {
			e := k.news.jointEvent(JointBroke, r)
			e.Force, e.Torque = force, torque
		}
		if tooMuch && !r.keepBroken {
			k.destroyJoint(r.j)
			continue
		}
		if r.strained != tooMuch {
			r.strained = tooMuch
			k.box.EditJoint(r.j, false) // false: the bodies need not wake
			k.registry.jointEdited(r.j)
		}
		k.breakable = append(k.breakable, r)
	}
	clear(listed[len(k.breakable):])
}

// jointEvent makes an event of a joint.
func (n *news) jointEvent(kind EventKind, r *joint) *Event {
	e := n.event(kind)
	e.Joint, e.NameJoint, e.User = r.handle, r.name, r.user
	if a := recordOf(r.j.GetBodyA()); a != nil {
		e.A, e.NameA = a.handle, a.name
	}
	if b := recordOf(r.j.GetBodyB()); b != nil {
		e.B, e.NameB = b.handle, b.name
	}
	return e
}

// strain returns the size of a joint's reaction, in N and N·m. It also reports whether the reaction is
// above a limit. The result does not change while the joint's bodies sleep.
func (k *links) strain(r *joint) (force, torque float64, tooMuch bool) {
	if !r.acts() {
		return 0, 0, false
	}
	if !b2.IsAwake(r.j.GetBodyA()) && !b2.IsAwake(r.j.GetBodyB()) {
		return 0, 0, r.strained
	}
	f := box.FieldsOf(r.j)
	force = b2.Length(f.Push) * k.b2.M_inv_dt0
	torque = math.Abs(f.Turn) * k.b2.M_inv_dt0
	tooMuch = r.breakForce > 0 && force > r.breakForce || r.breakTorque > 0 && torque > r.breakTorque
	return force, torque, tooMuch
}
