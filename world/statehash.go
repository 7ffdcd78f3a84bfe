package world

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
	"halfstep/internal/box/statehash"
	"halfstep/internal/owner"
)

// StateHash returns a hash of all state that decides the world's later steps: bodies, shapes,
// contacts, joints, forces that wait for a step, and sleep. If two worlds have the same
// StateHash at the same tick, the same commands and callbacks give them the same bits from
// then on. The hash does not cover data of callbacks, names, colours and user values. Of a
// shape's geometry it covers only the boxes.
//
// The hash is the same for every number of workers, and with SoftStep on every architecture.
// It is the sum of the hashes of all bodies, contacts and joints. A call computes only the
// hashes of objects that may have changed since the last call. After access to Box2D's own
// objects, and until the end of the next step, a call computes the hashes of all objects.
func (w *World) StateHash() uint64 {
	w.checkGoroutine()
	if w.when.phase == stepping {
		return w.hashes.walkedHash()
	}
	if !w.box.Current() {
		w.box.FollowRaw()
		return w.hashes.walkedHash()
	}
	hash := w.hashes.hashRest() + w.hashes.follow()
	if owner.Checked && hash != w.hashes.walkedHash() { // in race builds
		panic("world: the StateHash misses a change: the changed object has no mark")
	}
	return hash
}

// walkedHash returns the StateHash, and computes the hashes of all objects again.
func (k *hashes) walkedHash() uint64 {
	sum := k.hashRest()
	for b := k.b2.M_bodyList; b != nil; b = b.M_next {
		sum += k.hashOfBody(b)
	}
	for c := range k.box.EachContact() {
		sum += k.hashOfContact(c)
	}
	for j := k.b2.M_jointList; j != nil; j = j.GetNext() {
		if base := b2.BaseJoint(j); base != nil { // the joint is of one of Box2D's own types
			sum += k.hashOfJoint(j, base)
		}
	}
	return sum
}

// The kinds of hashed objects. The hash of an object begins with its kind.
const (
	hashedWorld = iota
	hashedBody
	hashedContact
	hashedJoint
	hashedMove
)

func hashVec(h *statehash.Hash, v box2d.B2Vec2) { h.Floats(v.X, v.Y) }

// hashRest returns the hash of the state that belongs to no body, contact or joint.
func (k *hashes) hashRest() (sum uint64) {
	b, m := k.b2, &k.b2.M_contactManager
	h := statehash.Of(hashedWorld)
	hashVec(&h, b.M_gravity)
	h.Floats(b.M_inv_dt0)
	h.Int(b.M_flags)
	for _, on := range [...]bool{b.M_allowSleep, b.M_warmStarting, b.M_continuousPhysics, b.M_subStepping, b.M_stepComplete, k.surfaces.hasOneWay} {
		h.Bool(on)
	}
	if s := &k.cfg.Surfaces; s.RestitutionThreshold != 0 || len(s.Mixes) > 0 {
		h.Floats(s.RestitutionThreshold)
		for _, m := range s.Mixes {
			h.Word(uint64(m.A) | uint64(m.B)<<16 | uint64(m.FrictionRule)<<32 | uint64(m.RestitutionRule)<<40)
			h.Floats(m.Friction, m.Restitution)
		}
	}
	if k.soft != nil { // the numbers of new shapes depend on the numbers in use
		k.soft.HashWorld(&h)
		sum = h.Sum()
		for _, n := range k.box.Shapes.Moves.List {
			if n >= 0 {
				h := statehash.Of(hashedMove)
				h.Int(int(n))
				sum += h.Sum()
			}
		}
		return sum
	}
	t := &m.M_broadPhase.M_tree
	h.Int(t.M_freeList) // the number of the next new proxy
	h.Int(t.M_nodeCount)
	sum = h.Sum()
	for _, id := range m.M_broadPhase.M_moveBuffer[:m.M_broadPhase.M_moveCount] {
		h := statehash.Of(hashedMove)
		h.Int(id)
		sum += h.Sum()
	}
	return sum
}

// hashOfBody returns the hash of a body. The body's slot identifies the body. The hash also has the slot of the next older
// body, because the order of bodies matters. A restore changes neither slot. With SoftStep the hash leaves out derived
// values, which after a command may have other bits on other machines.
func (k *hashes) hashOfBody(b *box2d.B2Body) uint64 {
	h := statehash.Of(hashedBody)
	h.Int(int(slotOf(b)))
	if b.M_next != nil {
		h.Int(int(slotOf(b.M_next)))
	}
	f := &box2d.B2Body_Flags
	of := f.E_awakeFlag | f.E_autoSleepFlag | f.E_bulletFlag | f.E_fixedRotationFlag | f.E_activeFlag | b2.BodyFixedAxes
	h.Word(uint64(b.M_type)<<32 | uint64(b.M_flags&of))
	hashVec(&h, b.M_xf.P)
	h.Floats(b.M_sweep.A)
	if b.M_type != box2d.B2BodyType.B2_staticBody {
		hashVec(&h, b.M_linearVelocity)
		hashVec(&h, b.M_force)
		h.Floats(b.M_angularVelocity, b.M_torque, b.M_sleepTime, b.M_linearDamping, b.M_angularDamping, b.M_gravityScale)
	}
	r := recordOf(b)
	if r != nil && (r.sleepSpeed != 0 || r.sleepSpin != 0) {
		h.Floats(r.sleepSpeed, r.sleepSpin)
	}
	if r != nil && r.loaded > 0 {
		waits := &k.forces.loaded[r.loaded-1]
		for _, l := range [...]*load{&waits.frame, &waits.once} {
			h.Floats(l.force.X, l.force.Y, l.torque)
		}
		if a := waits.aim; a.state != noAim {
			h.Floats(a.position.X, a.position.Y, a.angle, float64(a.state))
		}
	}
	if k.soft != nil {
		k.soft.HashBody(&h, b)
	} else {
		s := &b.M_sweep
		h.Floats(b.M_mass, b.M_I, s.LocalCenter.X, s.LocalCenter.Y, s.C.X, s.C.Y, s.C0.X, s.C0.Y, s.A0, s.Alpha0)
	}
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		k.hashShape(&h, f)
	}
	return h.Sum()
}

// hashShape adds a shape to a hash, with the shape's leaves in the broad phase.
func (k *hashes) hashShape(h *statehash.Hash, f *box2d.B2Fixture) {
	h.Floats(f.M_density, f.M_friction, f.M_restitution, f.M_shape.GetRadius())
	hashFilter(h, filterOf(f), uint64(f.M_shape.GetType()))
	h.Bool(f.M_isSensor)
	if s := shapeOf(f); s != nil {
		h.Floats(s.oneWay.X, s.oneWay.Y, s.surfaceSpeed)
		if s.material != 0 || s.rolling != 0 || s.segments != nil {
			h.Floats(s.rolling)
			h.Word(uint64(s.material))
			for _, m := range s.segments {
				h.Word(uint64(m))
			}
		}
	}
	still := f.M_body.M_type == box2d.B2BodyType.B2_staticBody // the leaves of a chain that does not move follow from one of them
	if k.soft != nil {
		for n := k.box.Shapes.Last(f); n >= 0; n = k.box.Shapes.All[n].Prev {
			h.Int(int(n))
			if k.soft.HashShape(h, n); still {
				break
			}
		}
		return
	}
	h.Int(f.M_proxyCount)
	nodes := k.b2.M_contactManager.M_broadPhase.M_tree.M_nodes
	for i := range f.M_proxyCount {
		id := f.M_proxies[i].ProxyId
		h.Int(id)
		hashVec(h, nodes[id].Aabb.LowerBound)
		hashVec(h, nodes[id].Aabb.UpperBound)
		if still {
			break
		}
	}
}

// hashFilter adds a filter to a hash, and the type of the filter's shape. If the filter uses only 16 categories, a mask of
// all categories has the same hash as a mask of all 16.
func hashFilter(h *statehash.Hash, f box.Filter, kind uint64) {
	high, mask := f.Category|f.Mask, f.Mask
	switch mask {
	case AllCategories:
		high = f.Category
	case math.MaxUint16:
		high = AllCategories
	}
	h.Word(f.Category&math.MaxUint16 | mask&math.MaxUint16<<16 | uint64(uint16(f.Group))<<32 | kind<<48)
	if high > math.MaxUint16 {
		h.Word(f.Category)
		h.Word(f.Mask)
	}
}

func (k *hashes) hashOfContact(c box.Contact) uint64 {
	h := statehash.Of(hashedContact)
	c.Hash(&h)
	if k.soft != nil {
		k.soft.HashContact(&h, c)
	} else {
		c.HashManifold(&h)
	}
	return h.Sum()
}

// hashOfJoint returns the hash of a joint. The joint's kind and bodies identify the joint. The hash also covers the next
// older joint.
func (k *hashes) hashOfJoint(j box2d.B2JointInterface, base *box2d.B2Joint) uint64 {
	h := statehash.Of(hashedJoint)
	older := ^uint64(0)
	if base.M_next != nil {
		if b := b2.BaseJoint(base.M_next); b != nil {
			older = kindAndEnds(b)
		}
	}
	h.Word(kindAndEnds(base))
	h.Word(older)
	h.Bool(base.M_collideConnected)
	if r := jointOf(j); r != nil && r.canBreak() {
		h.Floats(r.breakForce, r.breakTorque)
		h.Bool(r.keepBroken)
		h.Bool(r.strained)
	}
	if g, ok := j.(*box2d.B2GearJoint); ok {
		h.Word(uint64(uint32(slotOf(g.M_bodyC)))<<32 | uint64(uint32(slotOf(g.M_bodyD))))
	}
	box.HashJoint(&h, j)
	if k.soft != nil {
		k.soft.HashJoint(&h, base)
	}
	return h.Sum()
}

func kindAndEnds(base *box2d.B2Joint) uint64 {
	return uint64(base.M_type)<<56 | uint64(uint32(slotOf(base.M_bodyA)))<<24 ^ uint64(uint32(slotOf(base.M_bodyB)))
}
