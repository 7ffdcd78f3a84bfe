package world

import (
	"github.com/ByteArena/box2d"

	"halfstep/box"
	"halfstep/box/paged"
)

// keptHash is what the StateHash was, object by object, so that only those which may
// have changed are hashed anew. Their numbers are the box.World's.
type keptHash struct {
	begun bool
	sum   uint64
	made  int // hashes of objects so far

	bodies, contacts, joints                []uint64
	staleBodies, staleContacts, staleJoints paged.Marks
	staleBoxes                              paged.Marks // by node of the tree: their bodies are stale

	unsaved box.Dirty // what has gone from the Set's Dirty, and no snapshot knows yet
}

// follow brings the sum up to date and returns it. The Set is current.
func (k *keptHash) follow(w *World) uint64 {
	set := w.box
	set.MarkActive()
	if k.markStale(&set.Dirty); !k.begun {
		k.begin(set)
	}
	k.unsaved.Merge(&set.Dirty)
	set.Dirty.Clear()
	k.markPassing(w)
	k.staleBoxes.Each(func(n int) { k.markBodyOf(w, n) })
	k.staleBoxes.Clear()
	w.hashMoves(true)
	k.staleBodies.Each(func(n int) {
		hash := uint64(0)
		if n < len(set.Body) && set.Body[n].B != nil {
			hash = w.hashOfBody(set.Body[n].B)
		}
		k.put(&k.bodies, n, hash)
	})
	w.hashMoves(false)
	k.staleContacts.Each(func(n int) {
		hash := uint64(0)
		if n < len(set.Contact) && set.Contact[n].C != nil {
			hash = w.hashOfContact(set.Contact[n].C)
		}
		k.put(&k.contacts, n, hash)
	})
	k.staleJoints.Each(func(n int) {
		hash := uint64(0)
		if n < len(set.Joint) && set.Joint[n].Base != nil {
			hash = w.hashOfJoint(set.Joint[n].J, set.Joint[n].Base)
		}
		k.put(&k.joints, n, hash)
	})
	k.staleBodies.Clear()
	k.staleContacts.Clear()
	k.staleJoints.Clear()
	k.markPassing(w) // it may have passed the next time
	return k.sum
}

func (k *keptHash) put(hashes *[]uint64, n int, hash uint64) {
	if n >= len(*hashes) {
		*hashes = append(*hashes, make([]uint64, n+1-len(*hashes))...)
	}
	k.made++
	k.sum += hash - (*hashes)[n]
	(*hashes)[n] = hash
}

// begin has all hashed that there is.
func (k *keptHash) begin(set *box.World) {
	k.begun, k.sum = true, 0
	k.bodies, k.contacts, k.joints = k.bodies[:0], k.contacts[:0], k.joints[:0]
	k.staleBodies.AddAll(len(set.Body))
	k.staleContacts.AddAll(len(set.Contact))
	k.staleJoints.AddAll(len(set.Joint))
}

// markStale has hashed anew what may have changed.
func (k *keptHash) markStale(d *box.Dirty) {
	if k.begun = k.begun && !d.All; k.begun {
		k.staleBodies.Merge(&d.Bodies)
		k.staleBoxes.Merge(&d.Leaves)
		k.staleContacts.Merge(&d.Contacts)
		k.staleContacts.Merge(&d.Links)
		k.staleJoints.Merge(&d.Joints)
	}
}

// markPassing marks the bodies with something that the next step ends: a force that
// waits for it, or, with SoftStep, a shape in the move buffer, whose box it computes
// anew.
func (k *keptHash) markPassing(w *World) {
	for _, r := range w.loaded {
		if r.b != nil {
			k.staleBodies.Add(w.box.Number(r.b))
		}
	}
	if w.soft == nil {
		return
	}
	bp := &w.b2.M_contactManager.M_broadPhase
	for _, id := range bp.M_moveBuffer[:bp.M_moveCount] {
		k.markBodyOf(w, id)
	}
}

// markBodyOf marks the body of a proxy, if there is one at the node. A free node keeps its
// UserData, and has no height.
func (k *keptHash) markBodyOf(w *World, node int) {
	nodes := w.b2.M_contactManager.M_broadPhase.M_tree.M_nodes
	if node < 0 || node >= len(nodes) || nodes[node].Height != 0 {
		return
	}
	if p, ok := nodes[node].UserData.(*box2d.B2FixtureProxy); ok {
		if n := w.box.Number(p.Fixture.M_body); n >= 0 {
			k.staleBodies.Add(n)
		}
	}
}

// beforeSnapshot comes before a snapshot is taken or restored: the Set's Dirty then
// holds all that has changed since the last time.
func (k *keptHash) beforeSnapshot(set *box.World) {
	set.MarkActive()
	k.markStale(&set.Dirty)
	set.Dirty.Merge(&k.unsaved)
	k.unsaved.Clear()
}
