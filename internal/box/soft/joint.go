package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
)

// joint has the stepper's data about one of the library's joints.
type joint struct {
	bodyA, bodyB int32
	gear         [2]int32 // gear has the bodies C and D of a gear joint.
	pushed       pushed
}

// joints have an entry for each joint of the world.
type joints struct {
	all    []joint
	active []int32 // active are the joints of awake bodies.

	// These are values of box.Joints from when the active joints were last listed.
	order    uint64
	listed   int
	sleepers bool // sleepers says that an active joint may hold a sleeping body.

	set    *box.World
	bodies *bodies
}

// pushed has the impulses of a joint in the last step in N·s. The library's joint gets the sums over
// the step, which are in the field told. The next step starts with the impulses in last, unless the
// library's joint no longer has the impulses in told, because other code has changed them. The
// stepper keeps no other data of a joint, because it reads the anchors, axes and limits in each
// step.
type pushed struct {
	last [6]float32 // last are the impulses of the last sub-step.
	told [6]float32 // told are the sums of the impulses of all sub-steps.
}

// keep sets p to the impulses, limited to finite numbers. If one of them is not a number, it sets p
// to zero.
func (p *pushed) keep(last, told *[6]float32) {
	p.last, p.told = *last, *told
	for i := range last {
		if last[i] != last[i] || told[i] != told[i] {
			*p = pushed{}
			return
		}
	}
}

// pushedOf returns the impulses of a joint. They are zero if no step has seen the joint yet.
func (s *joints) pushedOf(base *box2d.B2Joint) (p pushed) {
	if n := s.set.Joints.Number(base); n >= 0 && s.set.Joints.All[n].Known {
		p = s.all[n].pushed
	}
	return p
}

// follow updates the tables for joints that other code has made, and for bodies that have woken or
// fallen asleep.
func (s *joints) follow() {
	s.all = growTo(s.all, len(s.set.Joints.All))
	if of := &s.set.Joints; s.bodies.linked || s.order != of.Order || s.listed != len(of.Active) {
		s.listActive()
		s.bodies.linked, s.order, s.listed = false, of.Order, len(of.Active)
	}
	s.bodies.sleepers = s.bodies.sleepers || s.sleepers
}

// listActive lists the joints of awake bodies, and checks whether they hold sleeping bodies.
func (s *joints) listActive() {
	s.active, s.sleepers = s.active[:0], false
	for _, n := range s.set.Joints.Active {
		j := s.at(n)
		f := s.bodies.poses[j.bodyA].flags | s.bodies.poses[j.bodyB].flags
		if f&poseAwake == 0 {
			continue
		}
		s.active = append(s.active, n)
		s.sleepers = s.sleepers || f&poseSleeping != 0 && s.bodies.sleeperOf(j.bodyA, j.bodyB) >= 0
	}
}

// at returns the entry of joint n. When it is first called for a joint, it sets the entry.
func (s *joints) at(n int32) *joint {
	j, e := &s.all[n], &s.set.Joints.All[n]
	if !e.Known {
		e.Known = true
		*j = joint{}
		s.fill(n)
	}
	return j
}

// fill sets the bodies of entry n.
func (s *joints) fill(n int32) {
	j, e := &s.all[n], &s.set.Joints.All[n]
	j.bodyA, j.bodyB = int32(e.Base.M_bodyA.M_islandIndex), int32(e.Base.M_bodyB.M_islandIndex)
	if g, ok := e.J.(*box2d.B2GearJoint); ok {
		j.gear = [2]int32{int32(g.M_bodyC.M_islandIndex), int32(g.M_bodyD.M_islandIndex)}
	}
}
