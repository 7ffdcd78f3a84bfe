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
	static  []bool // by body: is it static
	inert   []bool // by body: does the solver leave it as it is
	impacts []bool // by body: may its contacts have a time of impact
	marked  []bool // by body: is it in an island
	local   []int32
	ends    []ends // by contact
	used    []bool // by contact: is it in an island, or can never be
	bound   []bool // by joint: is it in an island

	contactsOf                 adjacency
	jointsOf                   adjacency
	stack                      []int32
	statics                    []int32 // static bodies of the island being built
	contactChains, jointChains chains

	starts []box2d.B2Transform // by body that is not static: its transform before the step
	left   []bool              // by body: has it left its box

	open          bool // islands are solved one by one
	strict        bool // and their constraints in the library's order
	unseen        bool // contacts' island and impact flags are cleared before anyone can look
	islands       []island
	bodies        []*box2d.B2Body
	places        []int32 // positions of bodies in mirror.bodies
	pieces        []int32 // where groups of islands start
	contacts      []islandContact
	sequence      []int32 // by turn in the library's order: place of the contact
	joints        []islandJoint
	foundContacts []islandContact // of the island being built, in the library's order
	foundJoints   []int32
	jointPlaces   []int32

	positions  []box2d.B2Position
	velocities []box2d.B2Velocity
	masses     []mass
	turns      []turn
	velocity   []velocityConstraint
	manifolds  []*box2d.B2Manifold
	position   []positionConstraint
	revolutes  []revolute
}

// island is a set of bodies that touch or are joined, without going through
// static ones.
type island struct {
	bodies, bodiesEnd     int32
	contacts, contactsEnd int32
	joints, jointsEnd     int32
	statics               bool // has static bodies
	shared                bool // library joints read island indices of static bodies
	asleep                bool // fell asleep in this step
	settled               bool // position errors got small
}

// islandContact is a contact with its bodies' places in the island.
type islandContact struct {
	ref  int32 // index into mirror.contacts
	a, b int32
}

// ends are the positions of a contact's bodies in mirror.bodies.
type ends struct{ a, b int32 }

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

	s.islands.strict = s.prepareBodies()
	oneByOne := s.islands.strict || s.mirror.gears || s.mayWrite
	s.linkContacts(oneByOne)
	s.linkJoints()

	is := &s.islands
	is.reset()
	bodies := s.mirror.bodies
	is.open = oneByOne
	if oneByOne {
		is.openBodies(len(bodies))
	}
	for i := len(bodies) - 1; i >= 0; i-- {
		b := bodies[i]
		if is.marked[i] || b.M_flags&bodyAwake == 0 || b.M_flags&bodyActive == 0 || is.static[i] {
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
			s.finishStatic(isl)
			s.report(isl)
			s.sleepIsland(isl)
			s.sleepStatic(isl)
		}
	}
	if !oneByOne {
		is.reserve()
		s.solveAll()
	}

	for i, j := range s.mirror.joints {
		if j.base.M_islandFlag != is.bound[i] {
			j.base.M_islandFlag = is.bound[i]
		}
	}

	mark := time.Now()
	s.synchronizeAll()
	s.findNewContacts()
	lap(mark, &w.M_profile.Broadphase)
}

func (is *islandSolver) reset() {
	is.islands, is.contacts, is.joints = is.islands[:0], is.contacts[:0], is.joints[:0]
	is.sequence = is.sequence[:0]
	is.bodies, is.places = is.bodies[:0], is.places[:0]
}

// outlandish is a sum of coordinates, speeds and forces from which a step may
// reach infinity.
const outlandish = 1e12

// outlandishMass is the same for a sum of masses and their inverses.
const outlandishMass = 1e100

// prepareBodies clears the island flags. It reports whether the order of
// islands matters because they may change a static body that they share: one
// with a velocity is moved once for every island it is part of, and one that
// an infinity meets becomes NaN and carries it to the islands after.
func (s *Stepper) prepareBodies() (ordered bool) {
	is := &s.islands
	n := len(s.mirror.bodies)
	is.static = grow(is.static, n)
	is.marked = grow(is.marked, n)
	is.local = grow(is.local, n)
	is.inert = grow(is.inert, n)
	is.impacts = grow(is.impacts, n)
	is.starts = grow(is.starts, n)
	is.left = grow(is.left, n)
	clear(is.left)
	clear(is.marked)
	is.contactChains.reset(n)
	is.jointChains.reset(n)
	for i, b := range s.mirror.bodies {
		b.M_flags &^= bodyIsland
		is.static[i] = b.M_type == staticBody
		is.inert[i] = isInert(b)
		is.impacts[i] = b.M_type != dynamicBody || b.M_flags&bodyBullet != 0
		v, w, f := b.M_linearVelocity, b.M_angularVelocity, b.M_force
		if is.static[i] && (v.X != 0 || v.Y != 0 || w != 0) {
			ordered = true
		}
		c := b.M_sweep.C
		if !(math.Abs(c.X)+math.Abs(c.Y)+math.Abs(b.M_sweep.A)+math.Abs(v.X)+math.Abs(v.Y)+math.Abs(w)+
			math.Abs(f.X)+math.Abs(f.Y)+math.Abs(b.M_torque) < outlandish) ||
			!(b.M_mass+b.M_invMass+b.M_I+b.M_invI < outlandishMass) {
			ordered = true
		}
	}
	is.bound = grow(is.bound, len(s.mirror.joints))
	clear(is.bound)
	s.mirror.resolve()
	return ordered
}

// linkContacts sorts the contacts that can hold an island together by body.
// If callbacks may still change their flags, all contacts are kept.
func (s *Stepper) linkContacts(all bool) {
	is := &s.islands
	refs := s.mirror.contacts
	n := len(s.mirror.bodies)
	is.used = grow(is.used, len(refs))
	is.ends = grow(is.ends, len(refs))
	is.contactsOf.start = grow(is.contactsOf.start, n+1)
	start := is.contactsOf.start
	clear(start)
	for i := range refs {
		r := &refs[i]
		if !is.unseen { // or else collide has done it
			r.c.M_flags &^= contactIsland
			r.solid = isSolid(r)
		}
		is.ends[i] = ends{r.iA, r.iB}
		skip := !all && !r.solid
		is.used[i] = skip
		if !skip {
			start[r.iA]++
			start[r.iB]++
		}
	}
	items := is.contactsOf.allot()
	for i, e := range is.ends {
		if is.used[i] {
			continue
		}
		start[e.a]--
		items[start[e.a]] = int32(i)
		start[e.b]--
		items[start[e.b]] = int32(i)
	}
}

func (s *Stepper) linkJoints() {
	adj := &s.islands.jointsOf
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
	items := adj.allot()
	for i := range joints {
		j := &joints[i]
		adj.start[j.iA]--
		items[adj.start[j.iA]] = int32(i)
		adj.start[j.iB]--
		items[adj.start[j.iB]] = int32(i)
	}
}

// allot turns counts in start into the ends of each body's stretch. Filled
// from the back, oldest first, the items end up newest first and start where
// they begin.
func (a *adjacency) allot() []int32 {
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
	isl := island{bodies: int32(len(is.bodies))}
	is.statics, is.foundContacts, is.foundJoints = is.statics[:0], is.foundContacts[:0], is.foundJoints[:0]
	stack := append(is.stack[:0], seed)
	is.marked[seed] = true
	all[seed].M_flags |= bodyIsland
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		b := all[i]
		box2d.B2Assert(b.M_flags&bodyActive != 0)
		at := int32(len(is.bodies)) - isl.bodies
		is.bodies = append(is.bodies, b)
		is.places = append(is.places, i)
		is.local[i] = at
		b.M_islandIndex = int(at)
		b.M_flags |= bodyAwake
		if is.static[i] {
			is.statics = append(is.statics, i)
			continue
		}
		for _, k := range is.contactsOf.of(i) {
			if is.used[k] || is.open && !isSolid(&refs[k]) {
				continue
			}
			is.used[k] = true
			e := is.ends[k]
			is.foundContacts = append(is.foundContacts, islandContact{k, e.a, e.b})
			if o := e.a ^ e.b ^ i; !is.marked[o] {
				is.marked[o] = true
				all[o].M_flags |= bodyIsland
				stack = append(stack, o)
			}
		}
		for _, k := range is.jointsOf.of(i) {
			j := &joints[k]
			o := j.iA ^ j.iB ^ i
			if is.bound[k] || all[o].M_flags&bodyActive == 0 {
				continue
			}
			is.bound[k] = true
			is.foundJoints = append(is.foundJoints, k)
			if !is.marked[o] {
				is.marked[o] = true
				all[o].M_flags |= bodyIsland
				stack = append(stack, o)
			}
		}
	}
	is.stack = stack
	isl.bodiesEnd = int32(len(is.bodies))
	is.placeContacts(&isl)
	is.placeJoints(&isl, joints)

	// A static body may be part of more islands.
	for _, i := range is.statics {
		is.marked[i] = false
		all[i].M_flags &^= bodyIsland
	}
	isl.statics = len(is.statics) > 0
	is.islands = append(is.islands, isl)
}

// placeContacts orders the contacts of an island and turns positions of bodies
// in the mirror into places in the island.
func (is *islandSolver) placeContacts(isl *island) {
	found := is.foundContacts
	isl.contacts = int32(len(is.contacts))
	isl.contactsEnd = isl.contacts + int32(len(found))
	inOrder := is.strict || is.stale(found)
	for k := range found {
		if inOrder {
			is.sequence = append(is.sequence, int32(k))
		} else {
			is.contactChains.add(found[k].a, found[k].b, is.inert)
		}
	}
	is.sequence = is.contactChains.places(is.sequence)
	is.contacts = append(is.contacts, found...)
	own := is.contacts[isl.contacts:]
	for k, place := range is.sequence[isl.contacts:] {
		c := found[k]
		own[place] = islandContact{c.ref, is.local[c.a], is.local[c.b]}
	}
}

// stale reports whether a contact hangs on a body of an earlier island, whose
// place is another body's here: PostSolve may have enabled it since.
func (is *islandSolver) stale(contacts []islandContact) bool {
	if !is.open {
		return false
	}
	for i := range contacts {
		for _, body := range [...]int32{contacts[i].a, contacts[i].b} {
			if place := int(is.local[body]); place >= len(is.places) || is.places[place] != body {
				return true
			}
		}
	}
	return false
}

// placeJoints does the same with joints. Those of an island are left in order
// if the library solves some of them: it may look at other bodies too.
func (is *islandSolver) placeJoints(isl *island, joints []jointRef) {
	isl.joints = int32(len(is.joints))
	isl.jointsEnd = isl.joints + int32(len(is.foundJoints))
	inOrder := is.strict
	for _, k := range is.foundJoints {
		j := &joints[k]
		is.jointChains.add(j.iA, j.iB, is.inert)
		if !j.flat() {
			inOrder = true
			if is.static[j.iA] || is.static[j.iB] {
				isl.shared = true
			}
		}
	}
	is.jointPlaces = is.jointChains.places(is.jointPlaces[:0])
	is.joints = slices.Grow(is.joints, len(is.foundJoints))[:isl.jointsEnd]
	own := is.joints[isl.joints:]
	for i, k := range is.foundJoints {
		j, place := &joints[k], int(is.jointPlaces[i])
		if inOrder {
			place = i
		}
		own[place] = islandJoint{ref: k, flat: j.flat(), a: is.local[j.iA], b: is.local[j.iB]}
	}
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
