package stepper

import (
	"math"
	"time"

	"github.com/ByteArena/box2d"
)

// islandSolver holds the islands of a step and the arrays they are solved in.
// Each island owns a stretch of every array, so that islands can be solved on
// different goroutines.
type islandSolver struct {
	static []bool // by body: is it static
	marked []bool // by body: is it in an island
	local  []int32
	used   []bool // by contact: is it in an island, or can never be
	bound  []bool // by joint: is it in an island

	contactsOf adjacency
	jointsOf   adjacency
	stack      []int32
	statics    []int32 // static bodies of the island being built

	open     bool // islands are solved one by one
	islands  []island
	bodies   []*box2d.B2Body
	places   []int32 // positions of bodies in mirror.bodies
	slots    []int32 // by body: 1 + its place in bodies if it has left its box
	pieces   []int32 // where groups of islands start
	contacts []islandContact
	joints   []islandJoint

	positions  []box2d.B2Position
	velocities []box2d.B2Velocity
	turns      []turn
	starts     []box2d.B2Transform // transforms before the step
	velocity   []velocityConstraint
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

// adjacency lists, for every body, the indices of its contacts or joints,
// newest first as in the library's lists.
type adjacency struct {
	start []int32
	items []int32
}

func (a *adjacency) of(body int32) []int32 {
	return a.items[a.start[body]:a.start[body+1]]
}

// turn is an angle with its sine and cosine.
type turn struct{ a, s, c float64 }

// solve finds the islands of awake bodies, solves them, and updates the broad
// phase.
func (s *Stepper) solve() {
	w := s.world
	w.M_profile.SolveInit, w.M_profile.SolveVelocity, w.M_profile.SolvePosition = 0, 0, 0
	s.listener = w.M_contactManager.M_contactListener

	oneByOne := s.postSolveMayWrite()
	if s.prepareBodies() || s.mirror.gears {
		oneByOne = true
	}
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
	s.synchronizeAll(oneByOne)
	s.findNewContacts()
	lap(mark, &w.M_profile.Broadphase)
}

func (is *islandSolver) reset() {
	is.islands, is.contacts, is.joints = is.islands[:0], is.contacts[:0], is.joints[:0]
	is.bodies, is.places = is.bodies[:0], is.places[:0]
}

// outlandish is a sum of coordinates, speeds and forces from which a step may
// reach infinity.
const outlandish = 1e12

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
	is.slots = grow(is.slots, n)
	clear(is.slots)
	clear(is.marked)
	for i, b := range s.mirror.bodies {
		b.M_flags &^= bodyIsland
		is.static[i] = b.M_type == staticBody
		v, w, f := b.M_linearVelocity, b.M_angularVelocity, b.M_force
		if is.static[i] && (v.X != 0 || v.Y != 0 || w != 0) {
			ordered = true
		}
		c := b.M_sweep.C
		if !(math.Abs(c.X)+math.Abs(c.Y)+math.Abs(b.M_sweep.A)+math.Abs(v.X)+math.Abs(v.Y)+math.Abs(w)+
			math.Abs(f.X)+math.Abs(f.Y)+math.Abs(b.M_torque) < outlandish) {
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
	is.contactsOf.start = grow(is.contactsOf.start, n+1)
	start := is.contactsOf.start
	clear(start)
	for i := range refs {
		r := &refs[i]
		r.c.M_flags &^= contactIsland
		skip := !all && !solid(r)
		is.used[i] = skip
		if !skip {
			start[r.iA]++
			start[r.iB]++
		}
	}
	items := is.contactsOf.allot()
	for i := range refs {
		if is.used[i] {
			continue
		}
		r := &refs[i]
		start[r.iA]--
		items[start[r.iA]] = int32(i)
		start[r.iB]--
		items[start[r.iB]] = int32(i)
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

// solid reports whether a contact holds its bodies together.
func solid(r *contactRef) bool {
	const both = contactEnabled | contactTouching
	return r.c.M_flags&both == both && !r.fA.M_isSensor && !r.fB.M_isSensor
}

// buildIsland collects the island of a body, depth first.
func (s *Stepper) buildIsland(seed int32) {
	is := &s.islands
	refs, all, joints := s.mirror.contacts, s.mirror.bodies, s.mirror.joints
	isl := island{
		bodies:   int32(len(is.bodies)),
		contacts: int32(len(is.contacts)),
		joints:   int32(len(is.joints)),
	}
	is.statics = is.statics[:0]
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
			if is.used[k] {
				continue
			}
			r := &refs[k]
			if !solid(r) {
				continue
			}
			is.used[k] = true
			r.c.M_flags |= contactIsland
			is.contacts = append(is.contacts, islandContact{k, r.iA, r.iB})
			if o := r.iA ^ r.iB ^ i; !is.marked[o] {
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
			is.joints = append(is.joints, islandJoint{j: j.j, a: j.iA, b: j.iB})
			if !is.marked[o] {
				is.marked[o] = true
				all[o].M_flags |= bodyIsland
				stack = append(stack, o)
			}
		}
	}
	is.stack = stack
	isl.bodiesEnd = int32(len(is.bodies))
	isl.contactsEnd = int32(len(is.contacts))
	isl.jointsEnd = int32(len(is.joints))

	// From positions in the mirror to positions in the island.
	own := is.contacts[isl.contacts:]
	for k := range own {
		own[k].a, own[k].b = is.local[own[k].a], is.local[own[k].b]
	}
	ownJoints := is.joints[isl.joints:]
	for k := range ownJoints {
		j := &ownJoints[k]
		statics := is.static[j.a] || is.static[j.b]
		j.a, j.b = is.local[j.a], is.local[j.b]
		if !j.classify() && statics {
			isl.shared = true
		}
	}
	// A static body may be part of more islands.
	for _, i := range is.statics {
		is.marked[i] = false
		all[i].M_flags &^= bodyIsland
	}
	isl.statics = len(is.statics) > 0
	is.islands = append(is.islands, isl)
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
