package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// jointInStep is a constraint, together with its jointConstraint.
type jointInStep struct {
	of kindOfJoint
	c  *jointConstraint
}

// jointKinds has functions that make constraints, by the library's type of joint. A type with
// batches has no function (see joint_batch.go).
type jointKinds [16]func(n int) kindOfJoint

func newJointKinds() (k jointKinds) {
	t := &box2d.B2JointType
	k[t.E_pulleyJoint] = spares[pulley]()
	k[t.E_mouseJoint] = spares[mouse]()
	k[t.E_gearJoint] = spares[gear]()
	k[t.E_frictionJoint] = spares[friction]()
	k[t.E_ropeJoint] = spares[rope]()
	k[t.E_motorJoint] = spares[motor]()
	return k
}

// spares returns a function that returns constraint n of one kind, with zero values. Later steps
// use the same constraints again.
func spares[T any, P interface {
	*T
	kindOfJoint
}]() func(n int) kindOfJoint {
	var all []*[64]T
	return func(n int) kindOfJoint {
		if n == len(all)*64 {
			all = append(all, new([64]T))
		}
		t := &all[n/64][n%64]
		*t = *new(T)
		return P(t)
	}
}

// jointBlock is the least number of joints in a block of shareJoints.
const jointBlock = 256

// sharedJoints has the joints of a block that will be solved. Joints with batches are by kind and
// region. The other joints are in a list of their own.
type sharedJoints struct {
	batched [batchedKinds][mostRegions + 1][]entry
	others  []int32
}

// jointSolver has the joints of a step.
type jointSolver struct {
	held   []heldByJoints // by region
	kinds  jointKinds
	used   [len(jointKinds{})]int // used is the number of constraints of each kind in this step.
	shares []sharedJoints         // by block of joints
	common jointPass

	sharing work // shareJoints

	set     *box.World
	crew    *crew
	stride  *stride
	bodies  *bodies
	joints  *joints
	regions *regions
	graph   *graph
	copier  *jointCopier
}

// heldByJoints has the joints of a region.
type heldByJoints struct {
	joints  []jointInStep // joints without batches
	batched [batchedKinds]batchedJoints
	some    []batchedJoints // some are the elements of batched that have at least one joint.
}

// prepare makes the constraints of the active joints that have an awake dynamic body. Joints with
// batches are only put into lists for the method colour.
func (s *jointSolver) prepare() {
	clear(s.used[:])
	s.common = jointPass{s.stride.invH, s.stride.jointSoft}
	for len(s.held) < s.regions.count+1 {
		s.held = append(s.held, heldByJoints{batched: newBatched()})
	}
	for i := range s.held {
		r := &s.held[i]
		for _, of := range r.some {
			list := of.list()
			*list = (*list)[:0]
		}
		r.joints, r.some = r.joints[:0], r.some[:0]
	}
	n := len(s.joints.active)
	if n == 0 {
		return
	}
	blocks := s.crew.blocksOf(n, jointBlock, 1)
	s.shares = growTo(s.shares, blocks)
	s.crew.run(s.sharing, n, blocks)
	for i := range s.shares[:blocks] {
		sh := &s.shares[i]
		for k := range s.held[:s.regions.count+1] {
			for kind, of := range s.held[k].batched {
				list := of.list()
				*list = s.withStates(*list, sh.batched[kind][k])
			}
		}
		for _, k := range sh.others {
			s.prepareOther(k)
		}
	}
}

// shareJoints assigns the joints of a block to regions.
func (s *jointSolver) shareJoints(block, from, to int) {
	sh, joints := &s.shares[block], s.joints.active[from:to]
	for kind := range sh.batched {
		for k := range sh.batched[kind] {
			sh.batched[kind][k] = sh.batched[kind][k][:0]
		}
	}
	sh.others = sh.others[:0]
	for n, i := range joints {
		if n%Fetched == 0 {
			fetchJoints(s.joints, joints[n:])
		}
		j, e := &s.joints.all[i], &s.set.Joints.All[i]
		a, b := j.bodyA, j.bodyB
		fixedA, fixedB := s.bodies.poses[a].flags&poseDynamic == 0, s.bodies.poses[b].flags&poseDynamic == 0
		if fixedA && fixedB {
			continue
		}
		if (fixedA || fixedB) && e.Base.M_bodyA.M_flags&e.Base.M_bodyB.M_flags&b2.BodyActive == 0 {
			continue // a body is disabled
		}
		kind := batchedKind(e)
		if kind < 0 {
			sh.others = append(sh.others, i)
			continue
		}
		in := entry{i, ^a, ^b}
		if !fixedA {
			in.a = s.regions.stateOf[a]
		}
		if !fixedB {
			in.b = s.regions.stateOf[b]
		}
		k := s.regions.together(a, b, fixedA, fixedB)
		sh.batched[kind][k] = append(sh.batched[kind][k], in)
	}
}

// withStates appends the given entries to the list `to`. If joints do not change a body of an
// entry, the entry gets a copy of that body's state.
func (s *jointSolver) withStates(to, entries []entry) []entry {
	for _, e := range entries {
		if e.a < 0 {
			e.a = s.regions.copyOf(^e.a)
		}
		if e.b < 0 {
			e.b = s.regions.copyOf(^e.b)
		}
		to = append(to, e)
	}
	return to
}

// prepareOther makes the constraint of a joint that has no batch.
func (s *jointSolver) prepareOther(i int32) {
	j, e := &s.joints.all[i], &s.set.Joints.All[i]
	a, b := j.bodyA, j.bodyB
	k := s.regions.together(a, b, s.bodies.poses[a].flags&poseDynamic == 0, s.bodies.poses[b].flags&poseDynamic == 0)
	if e.Gear {
		k = s.regions.border()
	}
	t := e.Base.M_type
	of := s.kinds[t](s.used[t])
	s.used[t]++
	c := of.constraint()
	s.held[k].joints = append(s.held[k].joints, jointInStep{of, c})
	c.joint, c.extra = i, e.Extra
	c.soft, c.always = s.stride.softnessOf(e.Extra)
	c.a, c.mA = s.solverBody(a)
	c.b, c.mB = s.solverBody(b)
	c.centres = s.bodies.centres(a, b)
	of.prepare(s.bodies, s.stride, j, e.J)
	if g, ok := of.(*gear); ok {
		g.c, g.one.of.mA = s.solverBody(j.gear[0])
		g.d, g.two.of.mA = s.solverBody(j.gear[1])
	}
}

// solverBody returns the state for a body of a joint, and the body's mass. If joints do not change
// the body, the state is a copy.
func (s *jointSolver) solverBody(i int32) (int32, mass) {
	if s.bodies.poses[i].flags&poseDynamic == 0 {
		return s.regions.copyOf(i), mass{}
	}
	return s.regions.stateOf[i], s.bodies.masses[i]
}

// colour gives the joints of a region their colours, and prepares them.
func (s *jointSolver) colour(region int) {
	r := &s.held[region]
	for _, of := range r.batched {
		if len(*of.list()) > 0 {
			of.colour(s.graph, s.copier, region)
			r.some = append(r.some, of)
		}
	}
}

// pass processes the joints of a region once, kind by kind.
func (s *jointSolver) pass(st stage, region int) {
	if st != stageWarmStart && st != stageSolve && st != stageRelax {
		return
	}
	r, states := &s.held[region], s.regions.states
	for _, of := range r.some {
		of.pass(st, states, &s.common)
	}
	in := pass{states, s.stride.invH}
	for _, j := range r.joints {
		a, b := &states[j.c.a], &states[j.c.b]
		g := j.c.grip(a, b)
		switch st {
		case stageWarmStart:
			j.of.warmStart(in, a, b, g)
		case stageSolve:
			j.of.solve(in, a, b, g, true)
		case stageRelax:
			j.of.solve(in, a, b, g, false)
			j.c.sumUp()
		}
	}
}

// store writes the impulses of the whole step to those of the library's joints in a region that have
// batches.
func (s *jointSolver) store(region int) {
	for _, of := range s.held[region].some {
		of.store(s.copier)
	}
}

// storeOthers does the work of store for the joints without batches.
func (s *jointSolver) storeOthers(region int) {
	for _, in := range s.held[region].joints {
		c := in.c
		a, b := &s.regions.states[c.a], &s.regions.states[c.b]
		in.of.store(a, b, c.grip(a, b), s.set.Joints.All[c.joint].J, s.joints.keepPushed(c.joint, &c.impulses, &c.total))
	}
}

// keepPushed keeps the impulses of joint n. The parameter last has the impulses of the last
// sub-step, and t has those of the whole step. It returns t in the form that store needs.
func (s *joints) keepPushed(n int32, last, t *[6]float32) impulses {
	for k := range t {
		t[k], last[k] = saturated(t[k]), saturated(last[k])
	}
	up := t[ofLower] - t[ofUpper]
	s.all[n].pushed.keep(last, &[6]float32{t[0], t[1], t[2], greater(up, 0), greater(-up, 0), t[ofSpring]})
	if x := s.set.Joints.All[n].Extra; x != nil {
		x.SpringImpulse, x.LimitImpulse = float64(t[ofSpring]), 0
		if x.EnableLimit {
			x.LimitImpulse = float64(up)
		}
	}
	return impulses{float64(t[0]), float64(t[1]), float64(t[2]), float64(up)}
}
