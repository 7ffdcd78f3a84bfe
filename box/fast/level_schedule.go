package fast

import (
	"math"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/reslice"
)

// levelSchedule changes the order of constraints so that a constraint rarely depends on the
// constraint before it. The results stay the same, because the constraints of each single body
// keep the library's order, and a constraint reads and writes only its two bodies.
//
// In the library's order, nearly every constraint needs the result of the constraint before it, so
// the processor works on one constraint at a time. The level of a constraint is the length of the
// longest chain of constraints on which it depends. Constraints are solved level by level. Those of
// one level share no body, so the processor works on several at once.
type levelSchedule struct {
	nextLevel []int32 // by index in mirror.bodies: 1 + the level of the body's last constraint
	levels    []int32 // by constraint of the current list
	starts    []int32 // by level of the current list: at first a count, then a position
	base      int32   // lower levels belong to earlier lists
}

// reset begins a step with the given number of bodies.
func (ls *levelSchedule) reset(bodies int) {
	ls.nextLevel = reslice.ResizeDirty(ls.nextLevel, bodies)
	clear(ls.nextLevel)
	ls.base = 0
}

// add appends a constraint to the current list. Two constraints that share only an inert body do
// not depend on each other.
func (ls *levelSchedule) add(a, b int32, inert []bool) {
	level := max(ls.nextLevel[a], ls.nextLevel[b], ls.base)
	if !inert[a] {
		ls.nextLevel[a] = level + 1
	}
	if !inert[b] {
		ls.nextLevel[b] = level + 1
	}
	level -= ls.base
	if int(level) == len(ls.starts) {
		ls.starts = append(ls.starts, 0)
	}
	ls.starts[level]++
	ls.levels = append(ls.levels, level)
}

// order ends the current list of constraints. It appends to list the new position of each
// constraint.
func (ls *levelSchedule) order(list []int32) []int32 {
	sum := int32(0)
	for level, n := range ls.starts {
		ls.starts[level] = sum
		sum += n
	}
	for _, level := range ls.levels {
		list = append(list, ls.starts[level])
		ls.starts[level]++
	}
	ls.base += int32(len(ls.starts))
	ls.starts, ls.levels = ls.starts[:0], ls.levels[:0]
	return list
}

// isInert reports whether the solver cannot change a body's bits while all numbers are finite. This
// is so if the body's inverse mass and inverse inertia are 0 and none of its numbers is -0. An
// addition could turn -0 into +0.
func isInert(b *box2d.B2Body) bool {
	if b.M_invMass != 0 || b.M_invI != 0 {
		return false
	}
	const minusZero = 1 << 63
	c, v := b.M_sweep.C, b.M_linearVelocity
	for _, x := range [...]float64{c.X, c.Y, b.M_sweep.A, v.X, v.Y, b.M_angularVelocity} {
		if math.Float64bits(x) == minusZero {
			return false
		}
	}
	return true
}

// orderContacts appends the contacts of an island in the order of solving. It replaces indices in
// mirror.bodies by indices in the island. The contacts keep the library's order if static bodies
// may change, or if a body's entry in islandIndex belongs to another island.
func (is *islandSolver) orderContacts(isl *island, mode islandMode) {
	found := is.foundContacts
	isl.contacts = int32(len(is.contacts))
	isl.contactsEnd = isl.contacts + int32(len(found))
	libraryOrder := mode == solveInLibraryOrder || mode == solveOneByOne && is.hasStaleBody(found)
	for k := range found {
		if libraryOrder {
			is.contactOrder = append(is.contactOrder, int32(k))
		} else {
			is.contactLevels.add(found[k].indexA, found[k].indexB, is.isInert)
		}
	}
	is.contactOrder = is.contactLevels.order(is.contactOrder)
	is.contacts = append(is.contacts, found...)
	ordered := is.contacts[isl.contacts:]
	for k, index := range is.contactOrder[isl.contacts:] {
		c := found[k]
		ordered[index] = islandContact{c.contact, is.islandIndex[c.indexA], is.islandIndex[c.indexB]}
	}
}

// hasStaleBody reports whether a body of a contact belongs to an earlier island. The island index of
// such a body is wrong in this island. PostSolve causes this if it enables a contact late.
func (is *islandSolver) hasStaleBody(contacts []islandContact) bool {
	for i := range contacts {
		for _, body := range [...]int32{contacts[i].indexA, contacts[i].indexB} {
			if index := int(is.islandIndex[body]); index >= len(is.worldIndex) || is.worldIndex[index] != body {
				return true
			}
		}
	}
	return false
}

// orderJoints orders the joints of an island by level. The joints keep the library's order if the
// library solves one of them, because that joint may also read other bodies.
func (is *islandSolver) orderJoints(isl *island, joints []jointRef, mode islandMode) {
	isl.joints = int32(len(is.joints))
	isl.jointsEnd = isl.joints + int32(len(is.foundJoints))
	libraryOrder := mode == solveInLibraryOrder
	for _, k := range is.foundJoints {
		j := &joints[k]
		is.jointLevels.add(j.indexA, j.indexB, is.isInert)
		if !j.isSimpleRevolute() {
			libraryOrder = true
			if is.isStatic[j.indexA] || is.isStatic[j.indexB] {
				isl.readsStaticIndices = true
			}
		}
	}
	is.jointOrder = is.jointLevels.order(is.jointOrder[:0])
	is.joints = slices.Grow(is.joints, len(is.foundJoints))[:isl.jointsEnd]
	ordered := is.joints[isl.joints:]
	for i, k := range is.foundJoints {
		j, index := &joints[k], int(is.jointOrder[i])
		if libraryOrder {
			index = i
		}
		ordered[index] = islandJoint{joint: k, indexA: is.islandIndex[j.indexA], indexB: is.islandIndex[j.indexB]}
		if j.isSimpleRevolute() {
			ordered[index].added = simpleRevoluteJoint
		} else if j.added() {
			ordered[index].added = is.addJoint(j)
		}
	}
}
