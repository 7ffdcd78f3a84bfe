package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/b2"
)

// joint is one of the library's joints.
type joint struct {
	bodyA, bodyB int32
	gear         [2]int32 // of a gear joint: the bodies C and D
	pushed       pushed
}

// jointTable has an entry for each joint.
type jointTable struct {
	joints []joint
	joined []jointConstraint // those of this step
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

// pushedOf returns what a joint has pushed with; nothing, where no step has seen it yet.
func (s *Stepper) pushedOf(base *box2d.B2Joint) (p pushed) {
	if n := s.set.JointNumber(base); n >= 0 && s.set.Joint[n].Known {
		p = s.joints[n].pushed
	}
	return p
}

// followJoints brings the table in line with the joints that others have made.
func (s *Stepper) followJoints() {
	s.joints = growTo(s.joints, len(s.set.Joint))
	for _, n := range s.set.Joints {
		j := s.jointOf(n)
		s.sleepers = s.sleepers || s.sleeperOf(j.bodyA, j.bodyB) >= 0
	}
}

// jointOf returns the entry of a joint.
func (s *Stepper) jointOf(n int32) *joint {
	j, e := &s.joints[n], &s.set.Joint[n]
	if !e.Known {
		e.Known = true
		*j = joint{}
		s.setJoint(n)
	}
	return j
}

// setJoint writes to an entry which bodies the joint has.
func (s *Stepper) setJoint(n int32) {
	j, e := &s.joints[n], &s.set.Joint[n]
	j.bodyA, j.bodyB = int32(e.Base.M_bodyA.M_islandIndex), int32(e.Base.M_bodyB.M_islandIndex)
	if g, ok := e.J.(*box2d.B2GearJoint); ok {
		j.gear = [2]int32{int32(g.M_bodyC.M_islandIndex), int32(g.M_bodyD.M_islandIndex)}
	}
}

// prepareJoints makes the constraints of joints that hold a body that is awake.
func (s *Stepper) prepareJoints() {
	s.joined = s.joined[:0]
	for _, i := range s.set.Joints {
		j, e := s.jointOf(i), &s.set.Joint[i]
		a, b := j.bodyA, j.bodyB
		if (s.poses[a].flags|s.poses[b].flags)&poseDynamic == 0 ||
			e.Base.M_bodyA.M_flags&e.Base.M_bodyB.M_flags&b2.BodyActive == 0 {
			continue
		}
		k := s.together(a, b)
		s.joined = append(s.joined, jointConstraint{})
		c := &s.joined[len(s.joined)-1]
		c.joint = i
		c.a, c.mA = s.solverBody(a)
		c.b, c.mB = s.solverBody(b)
		if e.Gear {
			k = s.border()
			c.c, c.mC = s.solverBody(j.gear[0])
			c.d, c.mD = s.solverBody(j.gear[1])
		}
		r := &s.regions[k]
		r.joints = append(r.joints, int32(len(s.joined)-1))
		s.prepareJoint(c, e.J, j)
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
