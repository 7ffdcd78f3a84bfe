package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/statehash"
)

// These methods add the contents of a State to the hashes of a world and of its objects. They can
// be called between two steps.

// HashWorld adds the values that do not belong to an object.
func (s *Stepper) HashWorld(h *statehash.Hash) {
	h.Pair(s.stride.lastH, float32(s.stride.subSteps))
}

// HashBody adds the stepper's values of a body.
func (s *Stepper) HashBody(h *statehash.Hash, b *box2d.B2Body) { s.keeper.hashBody(h, b) }

// HashShape adds the fat box of a shape.
func (s *Stepper) HashShape(h *statehash.Hash, id int32) { s.keeper.hashShape(h, id) }

// HashContact adds the stepper's values of a contact. It adds nothing if no step has seen the
// contact.
func (s *Stepper) HashContact(h *statehash.Hash, c box.Contact) { s.keeper.hashContact(h, c) }

// HashJoint adds the impulses of a joint.
func (s *Stepper) HashJoint(h *statehash.Hash, base *box2d.B2Joint) { s.keeper.hashJoint(h, base) }

// hashBody adds the stepper's values of a body. If other code has placed the body, the next step
// computes the centre of mass from the body's origin and angle.
func (s *keeper) hashBody(h *statehash.Hash, b *box2d.B2Body) {
	k := s.bodies.numberOf(b)
	if k < 0 || !s.bodies.all[k].seen {
		h.Word(0) // no step has seen the body yet
		return
	}
	e, p := &s.bodies.all[k], &s.bodies.poses[k]
	h.Word(1 | uint64(p.flags&poseFast)<<1)
	h.Floats(e.mass, e.inertia, e.localCenter.X, e.localCenter.Y)
	if s.loader.changeOf(k)&box.Placed == 0 {
		h.Floats(b.M_sweep.C.X, b.M_sweep.C.Y, b.M_sweep.C0.X, b.M_sweep.C0.Y, b.M_sweep.A0)
		h.Pair(p.q.s, p.q.c)
	}
}

// hashShape adds the fat box of a shape. It does not add a box that the next step will compute
// again, because other code has moved or touched the shape since the last step. Such boxes may
// have other bits on other machines.
func (s *keeper) hashShape(h *statehash.Hash, id int32) {
	if s.set.Shapes.Moves.Has(id) {
		return
	}
	s.shapes.grow() // the shape may be new to the stepper
	h.Word(uint64(s.shapes.moved[id]))
	fat := &s.shapes.fatBoxes[id]
	h.Floats(fat.lx, fat.ly, fat.ux, fat.uy)
	tree := boxOf(s.set.Shapes.Tree.Box(id)) // not s.swept, because other code may have moved the box since then
	if w := tree.beyond(fat); w != (way{}) {
		h.Floats(w.x, w.y)
	}
}

// hashContact adds the stepper's values of a contact. It adds nothing if no step has seen the
// contact.
func (s *keeper) hashContact(h *statehash.Hash, c box.Contact) {
	n := c.Number()
	if s.set.Contacts.All[n].Known {
		s.contacts.all[n].hash(h)
	}
}

func (c *contact) hash(h *statehash.Hash) {
	h.Word(uint64(c.flags) | uint64(c.count)<<16 | 1<<32)
	h.Pair(c.friction, c.restitution)
	h.Pair(c.tangentSpeed, 0)
	h.Pair(c.normal.x, c.normal.y)
	k := &c.kept
	h.Pair(k.turn.s, k.turn.c)
	h.Pair(k.offset.x, k.offset.y)
	h.Pair(k.normal.x, k.normal.y)
	for i := range c.points[:c.count] {
		h.Pair(k.at[i].x, k.at[i].y)
		p := &c.points[i]
		h.Pair(p.rA.x, p.rA.y)
		h.Pair(p.rB.x, p.rB.y)
		h.Pair(p.separation, p.base)
		h.Pair(p.normal, p.tangent)
		h.Pair(p.total, p.totalTangent)
		h.Word(uint64(p.id))
	}
}

func (s *keeper) hashJoint(h *statehash.Hash, base *box2d.B2Joint) {
	p := s.joints.pushedOf(base)
	for i := range ofSpring {
		h.Pair(p.last[i], p.told[i])
	}
	if p.last[ofSpring] != 0 || p.told[ofSpring] != 0 {
		h.Pair(p.last[ofSpring], p.told[ofSpring])
	}
}
