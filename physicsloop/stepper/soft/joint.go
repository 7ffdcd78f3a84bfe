package soft

import (
	"math/bits"

	"github.com/ByteArena/box2d"

	"halfstep/physicsloop/stepper"
)

// joint is one of the library's joints.
type joint struct {
	j            box2d.B2JointInterface
	base         *box2d.B2Joint
	bodyA, bodyB int32
	gear         [2]int32 // of a gear joint: the bodies C and D
}

// syncJoints brings the table of joints in line with the world's list: oldest
// first.
func (s *Stepper) syncJoints() {
	w := s.world
	if s.jointHead != w.M_jointList || len(s.joints) != w.M_jointCount {
		n := w.M_jointCount
		clear(s.joints)
		s.joints = growTo(s.joints[:0], n)[:n]
		for j := w.M_jointList; j != nil; {
			n--
			base := stepper.BaseJoint(j)
			s.joints[n] = joint{j: j, base: base}
			j = base.M_next
		}
		s.jointHead = w.M_jointList
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

// prepareJoints makes the constraints of joints that hold a body that is awake,
// and gives them colours.
func (s *Stepper) prepareJoints() {
	s.joined = s.joined[:0]
	if len(s.joints) == 0 {
		return
	}
	for i := range s.graph {
		s.graph[i].joints = s.graph[i].joints[:0]
	}
	masks := s.jointMasks()
	for i := range s.joints {
		j := &s.joints[i]
		a, b := j.bodyA, j.bodyB
		pa, pb := &s.poses[a], &s.poses[b]
		gear := j.j.GetType() == box2d.B2JointType.E_gearJoint
		if (pa.flags|pb.flags)&poseDynamic == 0 || !s.takesPart(j.base.M_bodyA) || !s.takesPart(j.base.M_bodyB) {
			continue
		}
		free := ^(masks[a] | masks[b]) & (1<<overflow - 1)
		k := overflow
		if free != 0 && !gear {
			k = bits.TrailingZeros32(free)
			masks[a] |= 1 << k
			masks[b] |= 1 << k
		}
		s.joined = append(s.joined, jointConstraint{})
		c := &s.joined[len(s.joined)-1]
		c.joint = int32(i)
		c.a, c.b = a, b
		c.mA, c.mB = s.masses[a], s.masses[b]
		if masks[a]&noColour != 0 {
			c.a, c.mA = s.copyState(a), mass{}
		}
		if masks[b]&noColour != 0 {
			c.b, c.mB = s.copyState(b), mass{}
		}
		s.graph[k].joints = append(s.graph[k].joints, int32(len(s.joined)-1))
		if gear {
			c.c, c.mC = j.gear[0], s.masses[j.gear[0]]
			c.d, c.mD = j.gear[1], s.masses[j.gear[1]]
			if masks[c.c]&noColour != 0 {
				c.c, c.mC = s.copyState(c.c), mass{}
			}
			if masks[c.d]&noColour != 0 {
				c.d, c.mD = s.copyState(c.d), mass{}
			}
		}
	}
	for i := range s.joined {
		c := &s.joined[i]
		s.prepareJoint(c, &s.joints[c.joint])
	}
}

// jointMasks clears the colours that contacts have given to bodies: joints are
// solved apart from them.
func (s *Stepper) jointMasks() []uint32 {
	for i := range s.colours {
		s.colours[i] &= noColour
	}
	return s.colours
}

func (s *Stepper) takesPart(b *box2d.B2Body) bool { return b.M_flags&bodyActive != 0 }

// solveJoints works on some of the joints of the present colour.
func (s *Stepper) solveJoints(st stage, from, to int) {
	for _, i := range s.graph[s.phase.colour].joints[from:to] {
		c := &s.joined[i]
		switch st {
		case stageWarmStartJoints:
			c.warmStart(s.states)
		case stageSolveJoints:
			c.solve(s.states, s, true)
		case stageRelaxJoints:
			c.solve(s.states, s, false)
		}
	}
}
