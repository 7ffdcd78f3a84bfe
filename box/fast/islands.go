package fast

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/timing"

	"halfstep/internal/monotime"
	"halfstep/internal/reslice"
)

// islandSolver holds the islands of a step and the arrays for solving them. Each island has its own
// range of every array, so workers can solve islands at the same time. The arrays are used again in
// the next step.
type islandSolver struct {
	// by body, in the order of mirror.bodies
	isStatic        []bool
	isInert         []bool // the solver cannot change the body: see isInert
	toiCandidate    []bool // the contacts of the body may have a time of impact
	bodyInIsland    []bool
	islandIndex     []int32
	startTransforms []box2d.B2Transform // transforms before the step, for swept AABBs; not set for static bodies
	leftFatAABB     []bool              // a fixture of the body has left its fat AABB

	// By contact and by joint, in the order of the mirror.
	contactBodies  []bodyPair
	contactSkipped []bool // the contact is in an island already, or cannot be in any island
	jointInIsland  []bool

	contactsByBody             adjacency
	jointsByBody               adjacency
	contactLevels, jointLevels levelSchedule

	// data of the island that is being built; its contacts and joints are in the library's order
	stack         []int32
	staticBodies  []int32
	foundContacts []islandContact
	foundJoints   []int32
	jointOrder    []int32

	// data of all islands that were found so far
	islands      []island
	bodies       []*box2d.B2Body
	worldIndex   []int32 // by body of the islands: its index in mirror.bodies
	groups       []int32 // the start of each group of islands; a worker solves one group at a time
	contacts     []islandContact
	contactOrder []int32 // by contact in the library's order: its index in the order of solving
	joints       []islandJoint

	// the arrays for solving the islands
	positions           []box2d.B2Position
	velocities          []box2d.B2Velocity
	masses              []bodyMass
	rotations           []rotation
	velocityConstraints []contactVelocityConstraint
	manifolds           []*box2d.B2Manifold
	positionConstraints []contactPositionConstraint
	rolling             []rolling
	held                []held
	revolutes           []simpleRevolute
	added               []addedJoint
}

// island is a set of bodies connected by contacts and joints. A static body does not connect the
// bodies that touch it. The numbers are bounds of ranges in the arrays of islandSolver.
type island struct {
	bodies, bodiesEnd     int32
	contacts, contactsEnd int32
	joints, jointsEnd     int32
	hasStatic             bool // hasStatic says that the island has static bodies.
	readsStaticIndices    bool // a joint that the library solves reads M_islandIndex of static bodies of the island
	asleep                bool // the island fell asleep in this step
	positionSolved        bool // the position errors have become small enough
}

// islandContact is a contact with the indices of its bodies. Until orderContacts changes them,
// they are indices in mirror.bodies. After that they are indices in the island.
type islandContact struct {
	contact        int32 // index in mirror.contacts
	indexA, indexB int32
}

// bodyPair holds the indices of a contact's bodies in mirror.bodies.
type bodyPair struct{ a, b int32 }

// solve is B2World.Solve. It finds the islands of awake bodies, solves them and updates the broad
// phase.
func (s *Stepper) solve() {
	w := s.world
	w.M_profile.SolveInit, w.M_profile.SolveVelocity, w.M_profile.SolvePosition = 0, 0, 0
	s.listen()

	s.phases.EnterStage(timing.Islands)
	s.mode.islands = s.chooseIslandMode(s.prepareBodies())
	oneByOne := s.mode.islands.oneByOne()
	s.buildContactLists(oneByOne)
	s.buildJointLists()

	is := &s.islands
	is.reset()
	bodies := s.mirror.bodies
	if oneByOne {
		is.reserveAllBodies(len(bodies))
		s.phases.EnterStage(timing.Solve) // the stage Solve includes the search for islands
	}
	for i := s.mirror.activeCount - 1; i >= 0; i-- { // the newest body first, as in the library
		b := bodies[i]
		if is.bodyInIsland[i] || b.M_flags&b2.BodyAwake == 0 || b.M_flags&b2.BodyActive == 0 || is.isStatic[i] {
			continue
		}
		if oneByOne {
			is.reset()
		}
		s.buildIsland(int32(i))
		if oneByOne {
			is.reserveConstraints()
			s.solveOneIsland(&is.islands[0])
			s.finishIsland(&is.islands[0])
		}
	}
	if !oneByOne {
		is.reserveBodies(len(is.bodies))
		is.reserveConstraints()
		s.phases.EnterStage(timing.Solve)
		s.solveIslands()
	}

	for _, base := range s.mirror.retiredJoints { // the joints in retiredJoints are no longer active
		base.M_islandFlag = false
	}
	clear(s.mirror.retiredJoints)
	s.mirror.retiredJoints = s.mirror.retiredJoints[:0]
	for i, j := range s.mirror.joints {
		if j.base.M_islandFlag != is.jointInIsland[i] {
			j.base.M_islandFlag = is.jointInIsland[i]
		}
	}

	// Between steps M_islandIndex is the body's number in the owner, and the field Island of the
	// owner's entry has the island index.
	for i, b := range bodies {
		n := s.mirror.numbers[i]
		s.mirror.owner.Bodies.All[n].Island, b.M_islandIndex = b.M_islandIndex, int(n)
	}

	mark := monotime.Now()
	s.phases.EnterStage(timing.Pairs)
	s.synchronizeBodies()
	s.findNewContacts()
	lap(mark, &w.M_profile.Broadphase)
}

func (is *islandSolver) reset() {
	is.islands, is.contacts, is.joints = is.islands[:0], is.contacts[:0], is.joints[:0]
	is.added = is.added[:0]
	is.contactOrder = is.contactOrder[:0]
	is.bodies, is.worldIndex = is.bodies[:0], is.worldIndex[:0]
}

// overflowLimit limits the sum of a body's coordinates, speeds and forces. Below the limit no
// number of a step becomes infinite.
const overflowLimit = 1e12

// overflowMassLimit limits the sum of a body's mass, its inertia and the
// inverses of both.
const overflowMassLimit = 1e100

// prepareBodies clears the island flags of bodies and fills the arrays by body. It reports whether
// islands must be solved in the library's order because a static body may change. A static body
// with a velocity moves once for each of its islands. If an infinite number reaches a static body,
// the body becomes NaN, and so do the bodies of later islands.
func (s *Stepper) prepareBodies() (ordered bool) {
	is := &s.islands
	n := len(s.mirror.bodies)
	is.isStatic = reslice.ResizeDirty(is.isStatic, n)
	is.bodyInIsland = reslice.ResizeDirty(is.bodyInIsland, n)
	is.islandIndex = reslice.ResizeDirty(is.islandIndex, n)
	is.isInert = reslice.ResizeDirty(is.isInert, n)
	is.toiCandidate = reslice.ResizeDirty(is.toiCandidate, n)
	is.startTransforms = reslice.ResizeDirty(is.startTransforms, n)
	is.leftFatAABB = reslice.ResizeDirty(is.leftFatAABB, n)
	clear(is.leftFatAABB)
	clear(is.bodyInIsland)
	is.contactLevels.reset(n)
	is.jointLevels.reset(n)
	for _, b := range s.mirror.retiredBodies {
		b.M_flags &^= b2.BodyIsland
	}
	for i, b := range s.mirror.bodies {
		b.M_flags &^= b2.BodyIsland
		b.M_islandIndex = s.mirror.owner.Bodies.All[s.mirror.numbers[i]].Island
		is.isStatic[i] = b.M_type == b2.StaticBody
		is.isInert[i] = isInert(b)
		is.toiCandidate[i] = b.M_type != b2.DynamicBody || b.M_flags&b2.BodyBullet != 0
		v, w, f := b.M_linearVelocity, b.M_angularVelocity, b.M_force
		if is.isStatic[i] && (v.X != 0 || v.Y != 0 || w != 0) {
			ordered = true
			s.mirror.owner.Bodies.See(s.mirror.numbers[i]) // the body will move, although it is not active
		}
		c := b.M_sweep.C
		if !(math.Abs(c.X)+math.Abs(c.Y)+math.Abs(b.M_sweep.A)+math.Abs(v.X)+math.Abs(v.Y)+math.Abs(w)+
			math.Abs(f.X)+math.Abs(f.Y)+math.Abs(b.M_torque) < overflowLimit) ||
			!(b.M_mass+b.M_invMass+b.M_I+b.M_invI < overflowMassLimit) {
			ordered = true
		}
	}
	is.jointInIsland = reslice.ResizeDirty(is.jointInIsland, len(s.mirror.joints))
	clear(is.jointInIsland)
	return ordered
}
