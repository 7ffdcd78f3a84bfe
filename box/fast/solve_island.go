package fast

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
	"halfstep/internal/reslice"
)

// constraintSolver solves the constraints of one island. Its slices are the island's ranges of the
// arrays in islandSolver.
type constraintSolver struct {
	bodies              int // the number of bodies in the island
	positions           []box2d.B2Position
	velocities          []box2d.B2Velocity
	masses              []bodyMass  // nil if islands are solved one by one; then the bodies themselves give their masses
	tmpMass             [2]bodyMass // masses of the two bodies that were read last
	rotations           []rotation
	velocityConstraints []contactVelocityConstraint
	manifolds           []*box2d.B2Manifold
	positionConstraints []contactPositionConstraint
	jointRefs           []jointRef
	revolutes           []simpleRevolute // by joint
	added               []addedJoint     // added are the added joints of all islands.
	rolling             []rolling        // contacts that resist it
	held                []held           // bodies whose x or y is fixed
	bounceSpeed         float64          // the speed below which nothing bounces, m/s
	locksSliders        bool             // see box.World
	mode                stepMode
}

func (is *islandSolver) reserveBodies(n int) {
	is.positions = reslice.ResizeDirty(is.positions, n)
	is.velocities = reslice.ResizeDirty(is.velocities, n)
	is.masses = reslice.ResizeDirty(is.masses, n)
	is.rotations = reslice.ResizeDirty(is.rotations, n)
	is.held = reslice.ResizeDirty(is.held, n)
}

func (is *islandSolver) reserveConstraints() {
	is.velocityConstraints = reslice.ResizeDirty(is.velocityConstraints, len(is.contacts))
	is.manifolds = reslice.ResizeDirty(is.manifolds, len(is.contacts))
	is.positionConstraints = reslice.ResizeDirty(is.positionConstraints, len(is.contacts))
	is.rolling = reslice.ResizeDirty(is.rolling, len(is.contacts))
	is.revolutes = reslice.ResizeDirty(is.revolutes, len(is.joints))
}

// reserveAllBodies makes the arrays as long as the library's. It is for islands that are solved one
// by one, each at the start of the arrays. A callback may enable a contact that has a body of an
// earlier island. The library solves such a contact with the values that an earlier island has left
// in the arrays, so these arrays must have the same old values.
func (is *islandSolver) reserveAllBodies(n int) {
	is.reserveBodies(n)
	clear(is.positions)
	clear(is.velocities)
	for i := range is.rotations {
		is.rotations[i] = rotation{0, 0, 1}
	}
}

// constraintSolver returns the solver of an island. If islands are solved one by one, its slices
// reach to the end of the arrays (see reserveAllBodies). Then a contact may have a body that is not
// in the island. The mass of such a body is read from the body itself.
func (is *islandSolver) constraintSolver(isl *island, mode stepMode) constraintSolver {
	end := isl.bodiesEnd
	if mode.islands.oneByOne() {
		end = int32(len(is.positions))
	}
	cs := constraintSolver{
		bodies:              int(isl.bodiesEnd - isl.bodies),
		positions:           is.positions[isl.bodies:end],
		velocities:          is.velocities[isl.bodies:end],
		rotations:           is.rotations[isl.bodies:end],
		mode:                mode,
		velocityConstraints: is.velocityConstraints[isl.contacts:isl.contactsEnd],
		manifolds:           is.manifolds[isl.contacts:isl.contactsEnd],
		positionConstraints: is.positionConstraints[isl.contacts:isl.contactsEnd],
		revolutes:           is.revolutes[isl.joints:isl.jointsEnd],
		// the slices are empty, and have room for all contacts or bodies of the island
		rolling: is.rolling[isl.contacts:isl.contacts:isl.contactsEnd],
		held:    is.held[isl.bodies:isl.bodies:isl.bodiesEnd],
	}
	if !mode.islands.oneByOne() {
		cs.masses = is.masses[isl.bodies:end]
	}
	return cs
}

// solveIsland is B2Island.Solve. It moves the bodies of an island over one step, and solves the
// island's constraints. It writes only to the island's contacts, joints and non-static bodies.
func (s *Stepper) solveIsland(isl *island) {
	is := &s.islands
	cs := is.constraintSolver(isl, s.mode)
	cs.jointRefs, cs.added, cs.bounceSpeed = s.mirror.joints, is.added, s.mirror.owner.Rules.BounceSpeed
	cs.locksSliders = s.mirror.owner.Rules.LocksSliders
	bodies := is.bodies[isl.bodies:isl.bodiesEnd]
	joints := is.joints[isl.joints:isl.jointsEnd]
	worldIndex := is.worldIndex[isl.bodies:isl.bodiesEnd]
	refs, contacts := s.mirror.contacts, is.contacts[isl.contacts:isl.contactsEnd]

	s.integrateVelocities(bodies, worldIndex, &cs)

	for i := range contacts {
		if i%prefetchBatch == 0 {
			prefetch(refs, contacts[i:min(i+prefetchBatch, len(contacts))])
		}
		c := &contacts[i]
		r := &refs[c.contact]
		cs.initializeConstraint(i, r, c.indexA, c.indexB)
		cs.manifolds[i] = r.manifold
		cs.velocityConstraints[i].loadImpulses(r.manifold, s.step.WarmStarting, s.step.DtRatio)
		cs.initializeVelocityConstraint(i, r.c.M_restitution)
		if s.mirror.owner.Rules.Rolling != nil {
			cs.addRolling(i, s.mirror.owner.Rules.Rolling(box.ContactOf(r.iface)))
		}
	}
	if s.step.WarmStarting {
		cs.warmStart()
	}
	cs.holdVelocities()

	data := box2d.B2SolverData{Step: s.step, Positions: cs.positions, Velocities: cs.velocities}
	allSimple := cs.initJointVelocityConstraints(joints, bodies, &data)
	for n := s.step.VelocityIterations; n > 0; n-- {
		if allSimple {
			cs.solveRevoluteVelocityConstraints(0, len(joints))
		} else {
			cs.solveJointVelocityConstraints(joints, &data)
		}
		cs.solveRolling()
		cs.solveVelocityConstraints()
		cs.holdVelocities()
	}
	cs.storeJointImpulses(joints)
	for i := range contacts {
		if i%prefetchBatch == 0 {
			prefetchManifolds(cs.manifolds[i:min(i+prefetchBatch, len(contacts))])
		}
		cs.velocityConstraints[i].storeImpulses(cs.manifolds[i])
	}

	integratePositions(&cs, s.step.Dt)

	isl.positionSolved = false
	for n := s.step.PositionIterations; n > 0; n-- {
		positionSolved := cs.solvePositionConstraints(false) // false: this is no event of continuous collision
		for i := range joints {
			if !joints[i].solvePositionConstraint(&cs, &cs.revolutes[i], &data) {
				positionSolved = false
			}
		}
		cs.holdPositions()
		if positionSolved {
			isl.positionSolved = true
			break
		}
	}

	for i, b := range bodies {
		if b.M_type != b2.StaticBody {
			cs.writeBack(b, i)
		}
	}
}

// integrateVelocities applies gravity, forces and damping to velocities, and
// fills the island's arrays.
func (s *Stepper) integrateVelocities(bodies []*box2d.B2Body, worldIndex []int32, cs *constraintSolver) {
	h, g := s.step.Dt, s.world.M_gravity
	for i, b := range bodies {
		c, a := b.M_sweep.C, b.M_sweep.A
		v, w := b.M_linearVelocity, b.M_angularVelocity
		q, lc := b.M_xf.Q, b.M_sweep.LocalCenter
		if b.M_type != b2.StaticBody {
			b.M_sweep.C0, b.M_sweep.A0 = c, a
		}
		if b.M_type == b2.DynamicBody {
			k, m := b.M_gravityScale, b.M_invMass
			v.X += h * (k*g.X + m*b.M_force.X)
			v.Y += h * (k*g.Y + m*b.M_force.Y)
			w += h * b.M_invI * b.M_torque
			if b.M_linearDamping != 0 {
				d := 1 / (1 + h*b.M_linearDamping)
				v.X *= d
				v.Y *= d
			}
			if b.M_angularDamping != 0 {
				w *= 1 / (1 + h*b.M_angularDamping)
			}
			v = cs.hold(b, i, v)
		}
		cs.positions[i] = box2d.B2Position{C: c, A: a}
		cs.velocities[i] = box2d.B2Velocity{V: v, W: w}
		if cs.masses != nil {
			cs.masses[i].load(b)
		}
		// M_xf.Q is always the rotation of M_sweep.A
		cs.rotations[i] = rotation{a, q.S, q.C}
		if b.M_type != b2.StaticBody {
			xf := &s.islands.startTransforms[worldIndex[i]]
			xf.Q = q
			xf.P.X = c.X - (q.C*lc.X - q.S*lc.Y)
			xf.P.Y = c.Y - (q.S*lc.X + q.C*lc.Y)
		}
	}
}

// integratePositions limits the velocities, as the library does, so that no body moves or turns too
// far in one step. Then it moves the bodies.
func integratePositions(cs *constraintSolver, h float64) {
	for i := range cs.bodies {
		p, v := &cs.positions[i], &cs.velocities[i]
		x, y := h*v.V.X, h*v.V.Y
		if d := x*x + y*y; d > box2d.B2_maxTranslationSquared {
			k := box2d.B2_maxTranslation / math.Sqrt(d)
			v.V.X *= k
			v.V.Y *= k
			x, y = h*v.V.X, h*v.V.Y
		}
		if r := h * v.W; r*r > box2d.B2_maxRotationSquared {
			v.W *= box2d.B2_maxRotation / math.Abs(r)
		}
		p.C.X += x
		p.C.Y += y
		p.A += h * v.W
	}
}

// writeBack copies the state of body i of the island to the body itself.
func (cs *constraintSolver) writeBack(b *box2d.B2Body, i int) {
	p, v := &cs.positions[i], &cs.velocities[i]
	sin, cos := cs.rotations[i].sinCos(p.A)
	b.M_sweep.C, b.M_sweep.A = p.C, p.A
	b.M_linearVelocity, b.M_angularVelocity = v.V, v.W
	lc := b.M_sweep.LocalCenter
	b.M_xf.Q = box2d.B2Rot{S: sin, C: cos}
	b.M_xf.P.X = p.C.X - (cos*lc.X - sin*lc.Y)
	b.M_xf.P.Y = p.C.Y - (sin*lc.X + cos*lc.Y)
}

// writeBackStatic copies the state of an island's static bodies to the bodies themselves. It runs on
// the goroutine of Step, because several islands may share a static body.
func (s *Stepper) writeBackStatic(isl *island) {
	if !isl.hasStatic {
		return
	}
	is := &s.islands
	cs := is.constraintSolver(isl, s.mode)
	for i, b := range is.bodies[isl.bodies:isl.bodiesEnd] {
		if b.M_type == b2.StaticBody {
			b.M_sweep.C0, b.M_sweep.A0 = b.M_sweep.C, b.M_sweep.A
			b.M_islandIndex = i
			b.M_flags |= b2.BodyAwake
			cs.writeBack(b, i)
		}
	}
}

// report is B2Island.Report. It calls PostSolve for an island's contacts, in the library's order.
func (s *Stepper) report(isl *island) {
	is := &s.islands
	for _, i := range is.contactOrder[isl.contacts:isl.contactsEnd] {
		k := isl.contacts + i
		s.postSolve(&s.mirror.contacts[is.contacts[k].contact], &is.velocityConstraints[k])
	}
}
