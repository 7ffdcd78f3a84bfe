package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/physicsloop/stepper"
)

// joint is one of the library's joints.
type joint struct {
	j            box2d.B2JointInterface
	base         *box2d.B2Joint
	bodyA, bodyB int32
	gear         [2]int32 // of a gear joint: the bodies C and D
	pushed       pushed
}

// pushed is what a joint has pushed with in the last step. The library's joint has
// the sums; the solver starts from the last sub-step, unless somebody has written to
// the library's joint since.
type pushed struct {
	last [5]float32 // N·s, in the last sub-step
	told [5]float32 // N·s, in all: what start reads from the library's joint
}

func (p *pushed) isFinite() bool {
	sum := 0.0
	for i := range p.last {
		sum += float64(p.last[i]) + float64(p.told[i])
	}
	return isFinite(sum)
}

func (s *Stepper) jointsChanged() bool {
	return s.jointHead != s.world.M_jointList || len(s.joints) != s.world.M_jointCount
}

// eachJoint calls f with the world's joints, oldest first, and with what they have
// pushed with. It can be called between two steps: since the last one joints may have
// been destroyed, and others made.
func (s *Stepper) eachJoint(f func(j box2d.B2JointInterface, base *box2d.B2Joint, p pushed)) {
	var j box2d.B2JointInterface
	for next := s.world.M_jointList; next != nil; next = j.GetNext() {
		j = next
	}
	old := s.joints
	for j != nil {
		base := stepper.BaseJoint(j)
		for len(old) > 0 && old[0].base != base {
			old = old[1:]
		}
		var p pushed
		if len(old) > 0 {
			p = old[0].pushed
		}
		f(j, base, p)
		j = base.M_prev
	}
}

// listJoints makes the table of joints from the world's list: oldest first.
func (s *Stepper) listJoints() {
	next := s.spareJoints[:0]
	s.eachJoint(func(j box2d.B2JointInterface, base *box2d.B2Joint, p pushed) {
		next = append(next, joint{j: j, base: base, pushed: p})
	})
	clear(s.joints)
	s.joints, s.spareJoints = next, s.joints
	s.jointHead = s.world.M_jointList
}

// syncJoints brings the table of joints in line with the world's list.
func (s *Stepper) syncJoints() {
	if s.jointsChanged() {
		s.listJoints()
		s.reread = true // a joint may prevent contacts
	}
	for i := range s.joints {
		j := &s.joints[i]
		j.bodyA, j.bodyB = int32(j.base.M_bodyA.M_islandIndex), int32(j.base.M_bodyB.M_islandIndex)
		if g, ok := j.j.(*box2d.B2GearJoint); ok {
			j.gear = [2]int32{int32(g.M_bodyC.M_islandIndex), int32(g.M_bodyD.M_islandIndex)}
		}
	}
}

// prepareJoints makes the constraints of joints that hold a body that is awake.
func (s *Stepper) prepareJoints() {
	s.joined = s.joined[:0]
	for i := range s.joints {
		j := &s.joints[i]
		a, b := j.bodyA, j.bodyB
		if (s.poses[a].flags|s.poses[b].flags)&poseDynamic == 0 ||
			j.base.M_bodyA.M_flags&j.base.M_bodyB.M_flags&bodyActive == 0 {
			continue
		}
		k := s.together(a, b)
		s.joined = append(s.joined, jointConstraint{})
		c := &s.joined[len(s.joined)-1]
		c.joint = int32(i)
		c.a, c.mA = s.solverBody(a)
		c.b, c.mB = s.solverBody(b)
		if j.j.GetType() == box2d.B2JointType.E_gearJoint {
			k = s.border()
			c.c, c.mC = s.solverBody(j.gear[0])
			c.d, c.mD = s.solverBody(j.gear[1])
		}
		r := &s.regions[k]
		r.joints = append(r.joints, int32(len(s.joined)-1))
		s.prepareJoint(c, j)
	}
}

// solverBody returns the state that a joint works on, a copy if joints do not
// change the body, and its mass.
func (s *Stepper) solverBody(i int32) (int32, mass) {
	if s.poses[i].flags&poseDynamic == 0 {
		return s.copyState(i), mass{}
	}
	return s.stateOf[i], s.masses[i]
}

// solveJoints works on some joints.
func (s *Stepper) solveJoints(st stage, joints []int32) {
	for _, i := range joints {
		c := &s.joined[i]
		switch st {
		case stageWarmStart:
			c.warmStart(s.states)
		case stageSolve:
			c.solve(s.states, s, true)
		case stageRelax:
			c.solve(s.states, s, false)
			c.sumUp()
		}
	}
}
