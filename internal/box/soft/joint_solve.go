package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// jointInStep is a constraint, and of.constraint().
type jointInStep struct {
	of kindOfJoint
	c  *jointConstraint
}

// jointKinds has functions that make constraints, by the library's type of joint. Revolute
// joints have none: see joint_pins.go and joint_hinges.go.
type jointKinds [16]func(n int) kindOfJoint

func newJointKinds() (k jointKinds) {
	t := &box2d.B2JointType
	k[t.E_prismaticJoint] = spares[prismatic]()
	k[t.E_distanceJoint] = spares[distance]()
	k[t.E_pulleyJoint] = spares[pulley]()
	k[t.E_mouseJoint] = spares[mouse]()
	k[t.E_gearJoint] = spares[gear]()
	k[t.E_wheelJoint] = spares[wheel]()
	k[t.E_weldJoint] = spares[weld]()
	k[t.E_frictionJoint] = spares[friction]()
	k[t.E_ropeJoint] = spares[rope]()
	k[t.E_motorJoint] = spares[motor]()
	return k
}

// spares returns a function that returns constraint n of one kind, emptied. Every step uses
// the same constraints again.
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

// sharedJoints has the joints of a block that are to be solved: the revolute ones by region, and
// the others.
type sharedJoints struct {
	pins, hinges [mostRegions + 1][]entry
	others       []int32
}

// jointSolver has the joints of a step.
type jointSolver struct {
	held   []heldByJoints // by region
	kinds  jointKinds
	used   [len(jointKinds{})]int // constraints of each kind in this step
	shares []sharedJoints         // by block of joints

	sharing work // shareJoints

	set     *box.World
	crew    *crew
	stride  *stride
	bodies  *bodies
	joints  *joints
	regions *regions
	graph   *graph
}

// heldByJoints has the joints of a region.
type heldByJoints struct {
	joints []jointInStep // all but revolute ones
	pins   coloured[pinBatch]
	hinges coloured[hingeBatch]
}

// prepare makes the constraints of joints with a dynamic body that is awake.
func (s *jointSolver) prepare() {
	clear(s.used[:])
	for len(s.held) < s.regions.count+1 {
		s.held = append(s.held, heldByJoints{hinges: coloured[hingeBatch]{extras: true}})
	}
	for i := range s.held {
		r := &s.held[i]
		r.joints, r.pins.entries, r.hinges.entries = r.joints[:0], r.pins.entries[:0], r.hinges.entries[:0]
	}
	n := len(s.joints.active)
	blocks := s.crew.blocksOf(n, jointBlock, 1)
	s.shares = growTo(s.shares, blocks)
	s.crew.run(s.sharing, n, blocks)
	for i := range s.shares[:blocks] {
		sh := &s.shares[i]
		for k := range s.held[:s.regions.count+1] {
			r := &s.held[k]
			r.pins.entries = s.withStates(r.pins.entries, sh.pins[k])
			r.hinges.entries = s.withStates(r.hinges.entries, sh.hinges[k])
		}
		for _, k := range sh.others {
			s.prepareOther(k)
		}
	}
}

// shareJoints gives the joints of a block their regions.
func (s *jointSolver) shareJoints(block, from, to int) {
	sh, joints := &s.shares[block], s.joints.active[from:to]
	for k := range sh.pins {
		sh.pins[k], sh.hinges[k] = sh.pins[k][:0], sh.hinges[k][:0]
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
			continue // one of them is switched off
		}
		t, ok := e.J.(*box2d.B2RevoluteJoint)
		if !ok {
			sh.others = append(sh.others, i)
			continue
		}
		of, in := &sh.hinges, entry{i, ^a, ^b}
		if isPin(t, e.Extra) {
			of = &sh.pins
		}
		if !fixedA {
			in.a = s.regions.stateOf[a]
		}
		if !fixedB {
			in.b = s.regions.stateOf[b]
		}
		k := s.regions.together(a, b, fixedA, fixedB)
		of[k] = append(of[k], in)
	}
}

// withStates appends entries to others, and gives those of bodies that joints do not change a copy
// of a state.
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

// prepareOther makes the constraint of a joint that is not revolute.
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

// solverBody returns the state that a joint works on, a copy if joints do not
// change the body, and its mass.
func (s *jointSolver) solverBody(i int32) (int32, mass) {
	if s.bodies.poses[i].flags&poseDynamic == 0 {
		return s.regions.copyOf(i), mass{}
	}
	return s.regions.stateOf[i], s.bodies.masses[i]
}

// colour gives the revolute joints of a region colours, and prepares them.
func (s *jointSolver) colour(region int) {
	r := &s.held[region]
	r.pins.colour(s.graph, s.joints, region, (*pinBatch).empty, s.preparePin)
	r.hinges.colour(s.graph, s.joints, region, (*hingeBatch).empty, s.prepareHinge)
}

// pass goes once over the pins of a region, its hinges, and its other joints.
func (s *jointSolver) pass(st stage, region int) {
	r, states := &s.held[region], s.regions.states
	if len(r.pins.batches) > 0 {
		switch st {
		case stageWarmStart:
			warmStartPins(r.pins.batches, states)
		case stageSolve, stageRelax:
			solvePins(r.pins.batches, states, s.stride.jointSoft, st == stageSolve)
		}
	}
	if len(r.hinges.batches) > 0 {
		switch st {
		case stageWarmStart:
			warmStartHinges(r.hinges.batches, states)
		case stageSolve, stageRelax:
			solveHinges(r.hinges.batches, states, s.stride.invH, st == stageSolve)
		}
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

// storeRevolute writes the impulses of the whole step to the library's revolute joints of a region.
func (s *jointSolver) storeRevolute(region int) {
	r := &s.held[region]
	r.pins.each(s.joints, s.storePin)
	r.hinges.each(s.joints, s.storeHinge)
}

// storeOthers does so for the others.
func (s *jointSolver) storeOthers(region int) {
	for _, in := range s.held[region].joints {
		c := in.c
		a, b := &s.regions.states[c.a], &s.regions.states[c.b]
		in.of.store(a, b, c.grip(a, b), s.set.Joints.All[c.joint].J, s.keepPushed(c.joint, &c.impulses, &c.total))
	}
}

// keepPushed keeps the impulses of joint n: last of the last sub-step, and t of all. It returns
// the latter for store.
func (s *jointSolver) keepPushed(n int32, last, t *[6]float32) impulses {
	for k := range t {
		t[k], last[k] = saturated(t[k]), saturated(last[k])
	}
	up := t[ofLower] - t[ofUpper]
	s.joints.all[n].pushed.keep(last, &[6]float32{t[0], t[1], t[2], greater(up, 0), greater(-up, 0), t[ofSpring]})
	if x := s.set.Joints.All[n].Extra; x != nil {
		x.SpringImpulse, x.LimitImpulse = float64(t[ofSpring]), 0
		if x.EnableLimit {
			x.LimitImpulse = float64(up)
		}
	}
	return impulses{float64(t[0]), float64(t[1]), float64(t[2]), float64(up)}
}
