package stepper

import (
	"math"
	"slices"
	"time"

	"github.com/ByteArena/box2d"
)

// islandSolver holds the islands of a step and the arrays they are solved in.
// Each island owns a stretch of every array, so that islands can be solved on
// different goroutines.
type islandSolver struct {
	static         []bool // by body: is it static
	inert          []bool // by body: does the solver leave it as it is
	toiCandidate   []bool // by body: may its contacts have a time of impact
	bodyInIsland   []bool // by body: is it in an island
	islandIndex    []int32
	contactBodies  []bodyPair // by contact
	contactSkipped []bool     // by contact: is it in an island, or can never be
	jointInIsland  []bool     // by joint: is it in an island

	contactsByBody             adjacency
	jointsByBody               adjacency
	stack                      []int32
	staticBodies               []int32 // static bodies of the island being built
	contactLevels, jointLevels levelSchedule

	startTransforms []box2d.B2Transform // by body that is not static: its transform before the step
	leftFatAABB     []bool              // by body: has it left its box

	islands       []island
	bodies        []*box2d.B2Body
	worldIndex    []int32 // positions of bodies in mirror.bodies
	groups        []int32 // where groups of islands start
	contacts      []islandContact
	contactOrder  []int32 // by turn in the library's order: place of the contact
	joints        []islandJoint
	foundContacts []islandContact // of the island being built, in the library's order
	foundJoints   []int32
	jointOrder    []int32

	positions           []box2d.B2Position
	velocities          []box2d.B2Velocity
	masses              []bodyMass
	rotations           []rotation
	velocityConstraints []contactVelocityConstraint
	manifolds           []*box2d.B2Manifold
	positionConstraints []contactPositionConstraint
	revolutes           []simpleRevolute
}

// island is a set of bodies that touch or are joined, without going through
// static ones.
type island struct {
	bodies, bodiesEnd     int32
	contacts, contactsEnd int32
	joints, jointsEnd     int32
	hasStatic             bool // has static bodies
	readsStaticIndices    bool // library joints read island indices of static bodies
	asleep                bool // fell asleep in this step
	positionSolved        bool // position errors got small
}

// islandContact is a contact with its bodies' places in the island.
type islandContact struct {
	contact        int32 // index into mirror.contacts
	indexA, indexB int32
}

// bodyPair are the positions of a contact's bodies in mirror.bodies.
type bodyPair struct{ a, b int32 }

// adjacency lists, for every body, the indices of its contacts or joints,
// newest first as in the library's lists.
type adjacency struct {
	start []int32
	items []int32
}

func (a *adjacency) of(body int32) []int32 {
	return a.items[a.start[body]:a.start[body+1]]
}

// solve finds the islands of awake bodies, solves them, and updates the broad
// phase.
func (s *Stepper) solve() {
	w := s.world
	w.M_profile.SolveInit, w.M_profile.SolveVelocity, w.M_profile.SolvePosition = 0, 0, 0
	s.listen()

	s.mode.islands = s.chooseIslandMode(s.prepareBodies())
	oneByOne := s.mode.islands.oneByOne()
	s.buildContactLists(oneByOne)
	s.buildJointLists()

	is := &s.islands
	is.reset()
	bodies := s.mirror.bodies
	if oneByOne {
		is.reserveAllBodies(len(bodies))
	}
	for i := len(bodies) - 1; i >= 0; i-- {
		b := bodies[i]
		if is.bodyInIsland[i] || b.M_flags&bodyAwake == 0 || b.M_flags&bodyActive == 0 || is.static[i] {
			continue
		}
		if oneByOne {
			is.reset()
		}
		s.buildIsland(int32(i))
		if oneByOne {
			is.reserveConstraints()
			isl := &is.islands[0]
			s.solveIsland(isl)
			s.writeBackStatic(isl)
			s.report(isl)
			s.sleepIsland(isl)
			s.sleepStatic(isl)
		}
	}
	if !oneByOne {
		is.reserve()
		s.solveIslands()
	}

	for i, j := range s.mirror.joints {
		if j.base.M_islandFlag != is.jointInIsland[i] {
			j.base.M_islandFlag = is.jointInIsland[i]
		}
	}

	mark := time.Now()
	s.synchronizeBodies()
	s.findNewContacts()
	lap(mark, &w.M_profile.Broadphase)
}

func (is *islandSolver) reset() {
	is.islands, is.contacts, is.joints = is.islands[:0], is.contacts[:0], is.joints[:0]
	is.contactOrder = is.contactOrder[:0]
	is.bodies, is.worldIndex = is.bodies[:0], is.worldIndex[:0]
}

// overflowLimit is a sum of coordinates, speeds and forces from which a step may
// reach infinity.
const overflowLimit = 1e12

// overflowMassLimit is the same for a sum of masses and their inverses.
const overflowMassLimit = 1e100

// prepareBodies clears the island flags. It reports whether the order of
// islands matters because they may change a static body that they share: one
// with a velocity is moved once for every island it is part of, and one that
// an infinity meets becomes NaN and carries it to the islands after.
func (s *Stepper) prepareBodies() (ordered bool) {
	is := &s.islands
	n := len(s.mirror.bodies)
	is.static = grow(is.static, n)
	is.bodyInIsland = grow(is.bodyInIsland, n)
	is.islandIndex = grow(is.islandIndex, n)
	is.inert = grow(is.inert, n)
	is.toiCandidate = grow(is.toiCandidate, n)
	is.startTransforms = grow(is.startTransforms, n)
	is.leftFatAABB = grow(is.leftFatAABB, n)
	clear(is.leftFatAABB)
	clear(is.bodyInIsland)
	is.contactLevels.reset(n)
	is.jointLevels.reset(n)
	for i, b := range s.mirror.bodies {
		b.M_flags &^= bodyIsland
		is.static[i] = b.M_type == staticBody
		is.inert[i] = isInert(b)
		is.toiCandidate[i] = b.M_type != dynamicBody || b.M_flags&bodyBullet != 0
		v, w, f := b.M_linearVelocity, b.M_angularVelocity, b.M_force
		if is.static[i] && (v.X != 0 || v.Y != 0 || w != 0) {
			ordered = true
		}
		c := b.M_sweep.C
		if !(math.Abs(c.X)+math.Abs(c.Y)+math.Abs(b.M_sweep.A)+math.Abs(v.X)+math.Abs(v.Y)+math.Abs(w)+
			math.Abs(f.X)+math.Abs(f.Y)+math.Abs(b.M_torque) < overflowLimit) ||
			!(b.M_mass+b.M_invMass+b.M_I+b.M_invI < overflowMassLimit) {
			ordered = true
		}
	}
	is.jointInIsland = grow(is.jointInIsland, len(s.mirror.joints))
	clear(is.jointInIsland)
	s.mirror.resolve()
	return ordered
}

// buildContactLists sorts the contacts that can hold an island together by body.
// If callbacks may still change their flags, all contacts are kept.
func (s *Stepper) buildContactLists(all bool) {
	is := &s.islands
	refs := s.mirror.contacts
	n := len(s.mirror.bodies)
	is.contactSkipped = grow(is.contactSkipped, len(refs))
	is.contactBodies = grow(is.contactBodies, len(refs))
	is.contactsByBody.start = grow(is.contactsByBody.start, n+1)
	start := is.contactsByBody.start
	clear(start)
	for i := range refs {
		r := &refs[i]
		if s.mode.callbacks != callbacksNone { // or else collide has done it
			r.c.M_flags &^= contactIsland
			r.solid = isSolid(r)
		}
		is.contactBodies[i] = bodyPair{r.iA, r.iB}
		skip := !all && !r.solid
		is.contactSkipped[i] = skip
		if !skip {
			start[r.iA]++
			start[r.iB]++
		}
	}
	items := is.contactsByBody.allocate()
	for i, e := range is.contactBodies {
		if is.contactSkipped[i] {
			continue
		}
		start[e.a]--
		items[start[e.a]] = int32(i)
		start[e.b]--
		items[start[e.b]] = int32(i)
	}
}

func (s *Stepper) buildJointLists() {
	adj := &s.islands.jointsByBody
	adj.start = grow(adj.start, len(s.mirror.bodies)+1)
	clear(adj.start)
	joints := s.mirror.joints
	if len(joints) == 0 {
		return
	}
	for i := range joints {
		adj.start[joints[i].iA]++
		adj.start[joints[i].iB]++
	}
	items := adj.allocate()
	for i := range joints {
		j := &joints[i]
		adj.start[j.iA]--
		items[adj.start[j.iA]] = int32(i)
		adj.start[j.iB]--
		items[adj.start[j.iB]] = int32(i)
	}
}

// allocate turns counts in start into the ends of each body's stretch. Filled
// from the back, oldest first, the items end up newest first and start where
// they begin.
func (a *adjacency) allocate() []int32 {
	sum := int32(0)
	for i, c := range a.start {
		sum += c
		a.start[i] = sum
	}
	a.items = grow(a.items, int(sum))
	return a.items
}

// isSolid reports whether a contact holds its bodies together.
func isSolid(r *contactRef) bool {
	const both = contactEnabled | contactTouching
	return r.c.M_flags&both == both && !r.fA.M_isSensor && !r.fB.M_isSensor
}

// buildIsland collects the island of a body, depth first.
func (s *Stepper) buildIsland(seed int32) {
	is := &s.islands
	refs, all, joints := s.mirror.contacts, s.mirror.bodies, s.mirror.joints
	oneByOne := s.mode.islands.oneByOne()
	isl := island{bodies: int32(len(is.bodies))}
	is.staticBodies, is.foundContacts, is.foundJoints = is.staticBodies[:0], is.foundContacts[:0], is.foundJoints[:0]
	stack := append(is.stack[:0], seed)
	is.bodyInIsland[seed] = true
	all[seed].M_flags |= bodyIsland
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		b := all[i]
		box2d.B2Assert(b.M_flags&bodyActive != 0)
		at := int32(len(is.bodies)) - isl.bodies
		is.bodies = append(is.bodies, b)
		is.worldIndex = append(is.worldIndex, i)
		is.islandIndex[i] = at
		b.M_islandIndex = int(at)
		b.M_flags |= bodyAwake
		if is.static[i] {
			is.staticBodies = append(is.staticBodies, i)
			continue
		}
		for _, k := range is.contactsByBody.of(i) {
			if is.contactSkipped[k] || oneByOne && !isSolid(&refs[k]) {
				continue
			}
			is.contactSkipped[k] = true
			e := is.contactBodies[k]
			is.foundContacts = append(is.foundContacts, islandContact{k, e.a, e.b})
			if o := e.a ^ e.b ^ i; !is.bodyInIsland[o] {
				is.bodyInIsland[o] = true
				all[o].M_flags |= bodyIsland
				stack = append(stack, o)
			}
		}
		for _, k := range is.jointsByBody.of(i) {
			j := &joints[k]
			o := j.iA ^ j.iB ^ i
			if is.jointInIsland[k] || all[o].M_flags&bodyActive == 0 {
				continue
			}
			is.jointInIsland[k] = true
			is.foundJoints = append(is.foundJoints, k)
			if !is.bodyInIsland[o] {
				is.bodyInIsland[o] = true
				all[o].M_flags |= bodyIsland
				stack = append(stack, o)
			}
		}
	}
	is.stack = stack
	isl.bodiesEnd = int32(len(is.bodies))
	is.orderContacts(&isl, s.mode.islands)
	is.orderJoints(&isl, joints, s.mode.islands)

	// A static body may be part of more islands.
	for _, i := range is.staticBodies {
		is.bodyInIsland[i] = false
		all[i].M_flags &^= bodyIsland
	}
	isl.hasStatic = len(is.staticBodies) > 0
	is.islands = append(is.islands, isl)
}

// orderContacts orders the contacts of an island and turns positions of bodies
// in the mirror into places in the island.
func (is *islandSolver) orderContacts(isl *island, mode islandMode) {
	found := is.foundContacts
	isl.contacts = int32(len(is.contacts))
	isl.contactsEnd = isl.contacts + int32(len(found))
	inOrder := mode == solveInLibraryOrder || mode == solveOneByOne && is.hasStaleBody(found)
	for k := range found {
		if inOrder {
			is.contactOrder = append(is.contactOrder, int32(k))
		} else {
			is.contactLevels.add(found[k].indexA, found[k].indexB, is.inert)
		}
	}
	is.contactOrder = is.contactLevels.order(is.contactOrder)
	is.contacts = append(is.contacts, found...)
	own := is.contacts[isl.contacts:]
	for k, place := range is.contactOrder[isl.contacts:] {
		c := found[k]
		own[place] = islandContact{c.contact, is.islandIndex[c.indexA], is.islandIndex[c.indexB]}
	}
}

// hasStaleBody reports whether a contact hangs on a body of an earlier island, whose
// place is another body's here: PostSolve may have enabled it since.
func (is *islandSolver) hasStaleBody(contacts []islandContact) bool {
	for i := range contacts {
		for _, body := range [...]int32{contacts[i].indexA, contacts[i].indexB} {
			if place := int(is.islandIndex[body]); place >= len(is.worldIndex) || is.worldIndex[place] != body {
				return true
			}
		}
	}
	return false
}

// orderJoints does the same with joints. Those of an island are left in order
// if the library solves some of them: it may look at other bodies too.
func (is *islandSolver) orderJoints(isl *island, joints []jointRef, mode islandMode) {
	isl.joints = int32(len(is.joints))
	isl.jointsEnd = isl.joints + int32(len(is.foundJoints))
	inOrder := mode == solveInLibraryOrder
	for _, k := range is.foundJoints {
		j := &joints[k]
		is.jointLevels.add(j.iA, j.iB, is.inert)
		if !j.isSimpleRevolute() {
			inOrder = true
			if is.static[j.iA] || is.static[j.iB] {
				isl.readsStaticIndices = true
			}
		}
	}
	is.jointOrder = is.jointLevels.order(is.jointOrder[:0])
	is.joints = slices.Grow(is.joints, len(is.foundJoints))[:isl.jointsEnd]
	own := is.joints[isl.joints:]
	for i, k := range is.foundJoints {
		j, place := &joints[k], int(is.jointOrder[i])
		if inOrder {
			place = i
		}
		own[place] = islandJoint{joint: k, simple: j.isSimpleRevolute(), indexA: is.islandIndex[j.iA], indexB: is.islandIndex[j.iB]}
	}
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
