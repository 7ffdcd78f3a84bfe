package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
)

// joint has the stepper's data of one of the library's joints.
type joint struct {
	bodyA, bodyB int32
	gear         [2]int32 // the bodies C and D of a gear joint
	pushed       pushed
}

// joints have an entry for each joint of the world.
type joints struct {
	all    []joint
	active []int32 // joints of bodies that are awake

	// Of box.Joints when the active joints were last listed.
	order    uint64
	listed   int
	sleepers bool // an active joint may hold a sleeper

	set    *box.World
	bodies *bodies
}

// pushed has the impulses of a joint in the last step, N·s. The library's joint gets the sums, told.
// The next step starts from last, unless the library's joint no longer has told because other code
// has changed it. No other data of a joint are kept: its anchors, axes and limits are read in each
// step.
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

// listActive lists the joints of awake bodies, and checks whether they hold sleepers.
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

// at returns the entry of joint n, and sets the entry on first use.
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
