package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// joint is what the stepper keeps of one of the library's joints.
type joint struct {
	bodyA, bodyB int32
	gear         [2]int32 // the bodies C and D of a gear joint
	pushed       pushed
}

// jointTable has an entry for each joint.
type jointTable struct {
	joints []joint
	kinds  jointKinds
	used   [len(jointKinds{})]int // constraints of each kind in this step

	sharedJoints []sharedJoints // by block of joints
}

// pushed has the impulses of a joint in the last step, N·s. The library's joint is given the
// sums, told. The next step starts from last, unless others have written to the library's
// joint since, so that it no longer has told. Nothing else of a joint is kept: its anchors, axes and
// limits are read in each step.
type pushed struct {
	last [6]float32 // of the last sub-step
	told [6]float32 // of all sub-steps
}

// keep sets p to saturated impulses, or to zero if one is not a number.
func (p *pushed) keep(last, told *[6]float32) {
	p.last, p.told = *last, *told
	for i := range last {
		if last[i] != last[i] || told[i] != told[i] {
			*p = pushed{}
			return
		}
	}
}

// pushedOf returns the impulses of a joint, zero if no step has seen it yet.
func (s *Stepper) pushedOf(base *box2d.B2Joint) (p pushed) {
	if n := s.set.Joints.Number(base); n >= 0 && s.set.Joints.All[n].Known {
		p = s.joints[n].pushed
	}
	return p
}

// followJoints brings the table in line with the joints that others have made.
func (s *Stepper) followJoints() {
	s.joints = growTo(s.joints, len(s.set.Joints.All))
	s.listActiveJoints()
}

// listActiveJoints lists the joints of bodies that are awake, and looks for sleepers beside them.
func (s *Stepper) listActiveJoints() {
	s.activeJoints = s.activeJoints[:0]
	for _, n := range s.set.Joints.Active {
		j := s.jointOf(n)
		f := s.bodies.poses[j.bodyA].flags | s.bodies.poses[j.bodyB].flags
		if f&poseAwake == 0 {
			continue
		}
		s.activeJoints = append(s.activeJoints, n)
		s.bodies.sleepers = s.bodies.sleepers || f&poseSleeping != 0 && s.bodies.sleeperOf(j.bodyA, j.bodyB) >= 0
	}
}

// jointOf returns the entry of joint n, and sets it when it is asked for first.
func (s *Stepper) jointOf(n int32) *joint {
	j, e := &s.joints[n], &s.set.Joints.All[n]
	if !e.Known {
		e.Known = true
		*j = joint{}
		s.setJoint(n)
	}
	return j
}

// setJoint sets the bodies of entry n.
func (s *Stepper) setJoint(n int32) {
	j, e := &s.joints[n], &s.set.Joints.All[n]
	j.bodyA, j.bodyB = int32(e.Base.M_bodyA.M_islandIndex), int32(e.Base.M_bodyB.M_islandIndex)
	if g, ok := e.J.(*box2d.B2GearJoint); ok {
		j.gear = [2]int32{int32(g.M_bodyC.M_islandIndex), int32(g.M_bodyD.M_islandIndex)}
	}
}

// kindOfJoint is the constraint of a joint in a step, of one of the library's kinds. Its passes
// are given the states of the two bodies, and the grip on them.
type kindOfJoint interface {
	constraint() *jointConstraint // the part that all kinds have
	// prepare copies what the step needs of the library's joint, and the impulses that
	// it starts with.
	prepare(s *Stepper, j *joint, of box2d.B2JointInterface)
	// warmStart applies the impulses of the last sub-step.
	warmStart(s *Stepper, a, b *state, g grip)
	// solve is one pass over the joint: with bias it also takes out errors of position.
	solve(s *Stepper, a, b *state, g grip, bias bool)
	// store writes the impulses of the step to the library's joint.
	store(a, b *state, g grip, of box2d.B2JointInterface, p impulses)
}

// jointInStep is a constraint, and of.constraint().
type jointInStep struct {
	of kindOfJoint
	c  *jointConstraint
}

// impulses are those of a whole step: the third is that of the motor or the angle, and the
// fourth that of the limits, positive from the lower one and negative from the upper one.
type impulses [4]float64

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

// prepareJoints makes the constraints of joints with a dynamic body that is awake.
func (s *Stepper) prepareJoints() {
	clear(s.used[:])
	n := len(s.activeJoints)
	blocks := s.crew.blocksOf(n, jointBlock, 1)
	s.sharedJoints = growTo(s.sharedJoints, blocks)
	s.crew.run(s.tasks.joints, n, blocks)
	for i := range s.sharedJoints[:blocks] {
		sh := &s.sharedJoints[i]
		for k := range s.regions[:s.regionCount+1] {
			r := &s.regions[k]
			r.pins.entries = s.withStates(r.pins.entries, sh.pins[k])
			r.hinges.entries = s.withStates(r.hinges.entries, sh.hinges[k])
		}
		for _, k := range sh.others {
			s.prepareOther(k)
		}
	}
}

// shareJoints gives the joints of a block their regions.
func (s *Stepper) shareJoints(block, from, to int) {
	sh, joints := &s.sharedJoints[block], s.activeJoints[from:to]
	for k := range sh.pins {
		sh.pins[k], sh.hinges[k] = sh.pins[k][:0], sh.hinges[k][:0]
	}
	sh.others = sh.others[:0]
	for n, i := range joints {
		if n%Fetched == 0 {
			fetchJoints(s, joints[n:])
		}
		j, e := &s.joints[i], &s.set.Joints.All[i]
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
			in.a = s.stateOf[a]
		}
		if !fixedB {
			in.b = s.stateOf[b]
		}
		k := s.together(a, b, fixedA, fixedB)
		of[k] = append(of[k], in)
	}
}

// withStates appends entries to others, and gives those of bodies that joints do not change a copy
// of a state.
func (s *Stepper) withStates(to, entries []entry) []entry {
	for _, e := range entries {
		if e.a < 0 {
			e.a = s.copyOf(^e.a)
		}
		if e.b < 0 {
			e.b = s.copyOf(^e.b)
		}
		to = append(to, e)
	}
	return to
}

// prepareOther makes the constraint of a joint that is not revolute.
func (s *Stepper) prepareOther(i int32) {
	j, e := &s.joints[i], &s.set.Joints.All[i]
	a, b := j.bodyA, j.bodyB
	k := s.together(a, b, s.bodies.poses[a].flags&poseDynamic == 0, s.bodies.poses[b].flags&poseDynamic == 0)
	if e.Gear {
		k = s.border()
	}
	t := e.Base.M_type
	of := s.kinds[t](s.used[t])
	s.used[t]++
	c := of.constraint()
	s.regions[k].joints = append(s.regions[k].joints, jointInStep{of, c})
	c.joint, c.extra = i, e.Extra
	c.soft, c.always = s.stride.softnessOf(e.Extra)
	c.a, c.mA = s.solverBody(a)
	c.b, c.mB = s.solverBody(b)
	c.centres = s.bodies.centres(a, b)
	of.prepare(s, j, e.J)
}

// solverBody returns the state that a joint works on, a copy if joints do not
// change the body, and its mass.
func (s *Stepper) solverBody(i int32) (int32, mass) {
	if s.bodies.poses[i].flags&poseDynamic == 0 {
		return s.copyOf(i), mass{}
	}
	return s.stateOf[i], s.bodies.masses[i]
}

// copyOf makes a copy of the state of a body that joints do not change.
func (s *Stepper) copyOf(i int32) int32 {
	n := int32(len(s.states))
	s.states = append(s.states, state{})
	s.setCopy(n, i)
	return n
}

// local turns a point of a body into a vector from its centre of mass, in the
// world's directions.
func (s *bodies) local(body int32, p box2d.B2Vec2) vec {
	lc := s.all[body].localCenter
	return s.poses[body].q.apply(vec{float32(p.X - lc.X), float32(p.Y - lc.Y)})
}

// centres returns the way from one body's centre of mass to another's.
func (s *bodies) centres(a, b int32) vec {
	pa, pb := &s.poses[a], &s.poses[b]
	return vec{float32(pb.x - pa.x), float32(pb.y - pa.y)}
}

func (s *bodies) angleBetween(a, b int32) float64 {
	return s.all[b].a - s.all[a].a
}

// direction returns a direction in a body's frame as one of the world.
func (s *bodies) direction(body int32, d box2d.B2Vec2) vec {
	n, _ := normalize(vec{float32(d.X), float32(d.Y)})
	return s.poses[body].q.apply(n)
}

func (s *Stepper) solveJoints(st stage, joints []jointInStep) {
	for _, j := range joints {
		a, b := &s.states[j.c.a], &s.states[j.c.b]
		g := j.c.grip(a, b)
		switch st {
		case stageWarmStart:
			j.of.warmStart(s, a, b, g)
		case stageSolve:
			j.of.solve(s, a, b, g, true)
		case stageRelax:
			j.of.solve(s, a, b, g, false)
			j.c.sumUp()
		}
	}
}

// storeJoints writes the impulses of the whole step to the library's joints.
func (s *Stepper) storeJoints(joints []jointInStep) {
	for _, in := range joints {
		c := in.c
		a, b := &s.states[c.a], &s.states[c.b]
		in.of.store(a, b, c.grip(a, b), s.set.Joints.All[c.joint].J, s.keepPushed(c.joint, &c.impulses, &c.total))
	}
}

// keepPushed keeps the impulses of joint n: last of the last sub-step, and t of all. It returns
// the latter for store.
func (s *Stepper) keepPushed(n int32, last, t *[6]float32) impulses {
	for k := range t {
		t[k], last[k] = saturated(t[k]), saturated(last[k])
	}
	up := t[ofLower] - t[ofUpper]
	s.joints[n].pushed.keep(last, &[6]float32{t[0], t[1], t[2], greater(up, 0), greater(-up, 0), t[ofSpring]})
	if x := s.set.Joints.All[n].Extra; x != nil {
		x.SpringImpulse, x.LimitImpulse = float64(t[ofSpring]), 0
		if x.EnableLimit {
			x.LimitImpulse = float64(up)
		}
	}
	return impulses{float64(t[0]), float64(t[1]), float64(t[2]), float64(up)}
}
