package world

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/soft"
	"halfstep/internal/stamps"
)

// hashes stores the hash of each object in the StateHash, so that only objects that may have changed are hashed again.
// box.World numbers the objects, and marks those that have changed.
type hashes struct {
	b2       *box2d.B2World
	box      *box.World
	soft     *soft.Stepper // nil unless SoftStep
	cfg      *Config
	surfaces *surfaces
	forces   *forces

	sum  uint64
	made int // the number of computed hashes of objects so far

	bodies, contacts, joints []uint64 // by number; 0 means no object

	also stamps.Stamps // bodies whose hash may change although box.World does not mark them

	// The serials of the last changes of each kind that the sum contains.
	since struct{ bodies, also, contacts, links, joints, leaves uint64 }
}

// follow updates the sum and returns it. Before the call, box.World must have marked all changes.
func (k *hashes) follow() uint64 {
	owner := k.box
	owner.Stamp()
	bodies, contacts, links, joints, leaves := &owner.Bodies.Stamps, &owner.Contacts.Stamps, &owner.Contacts.Links, &owner.Joints.Stamps, owner.Leaves().Changes()
	since := &k.since
	k.markPassing()
	for n := range leaves.Since(since.leaves) {
		k.markBodyOf(n)
	}
	body := func(n int) {
		hash := uint64(0)
		if n < len(owner.Bodies.All) && owner.Bodies.All[n].B != nil {
			hash = k.hashOfBody(owner.Bodies.All[n].B)
		}
		k.put(&k.bodies, n, hash)
	}
	for n := range bodies.Since(since.bodies) {
		body(n)
	}
	for n := range k.also.Since(since.also) {
		if !bodies.Changed(int32(n), since.bodies) {
			body(n)
		}
	}
	contact := func(n int) {
		hash := uint64(0)
		if n < len(owner.Contacts.All) && owner.Contacts.All[n].ID != 0 {
			hash = k.hashOfContact(owner.Contacts.At(int32(n)))
		}
		k.put(&k.contacts, n, hash)
	}
	for n := range contacts.Since(since.contacts) {
		contact(n)
	}
	for n := range links.Since(since.links) {
		if !contacts.Changed(int32(n), since.contacts) {
			contact(n)
		}
	}
	for n := range joints.Since(since.joints) {
		hash := uint64(0)
		if n < len(owner.Joints.All) && owner.Joints.All[n].Base != nil {
			hash = k.hashOfJoint(owner.Joints.All[n].J, owner.Joints.All[n].Base)
		}
		k.put(&k.joints, n, hash)
	}
	since.bodies, since.also, since.contacts, since.links = bodies.Now(), k.also.Now(), contacts.Now(), links.Now()
	since.joints, since.leaves = joints.Now(), leaves.Now()
	k.markPassing() // marks bodies with state that may be over at the next call
	return k.sum
}

// put replaces the hash of an object in the sum. The parameter n is the number of the object. A hash of 0 means that the
// object does not exist.
func (k *hashes) put(hashes *[]uint64, n int, hash uint64) {
	if n >= len(*hashes) {
		*hashes = append(*hashes, make([]uint64, n+1-len(*hashes))...)
	}
	k.made++
	k.sum += hash - (*hashes)[n]
	(*hashes)[n] = hash
}

// markPassing marks the bodies with state that the next step ends. Such state is a force that waits for the step. With
// SoftStep it is also a shape whose box the step computes again.
func (k *hashes) markPassing() {
	for _, l := range k.forces.loaded {
		if b := l.of.b; b != nil {
			k.also.Mark(k.box.Bodies.Number(b))
		}
	}
	for _, shape := range k.box.Shapes.Moves.List {
		k.markBodyOf(int(shape))
	}
}

// markBodyOf marks the body of a leaf of the tree, if the leaf exists.
func (k *hashes) markBodyOf(leaf int) {
	if f := k.box.Leaves().FixtureAt(leaf); f != nil {
		if n := k.box.Bodies.Number(f.M_body); n >= 0 {
			k.also.Mark(n)
		}
	}
}
