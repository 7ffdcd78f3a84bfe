package soft

import (
	"cmp"
	"slices"

	"halfstep/internal/box"
	"halfstep/internal/partition"
	"halfstep/internal/reslice"
)

// The awake bodies are divided into regions with about the same number of constraints each, by
// lines across the longer side of the area. The constraints of a region are one piece of work. No
// other goroutine touches the bodies of the region during that work, so there is no need to wait
// after every colour. Constraints that cross a border are solved afterwards, on one goroutine.
//
// The number and the borders of the regions depend on the world alone, so the number of workers
// changes no result.
const (
	mostRegions = 16

	// noRegions is the value of regions.count from a Restore until the next step. No region has colours
	// then.
	noRegions = -1

	// cutSamples is the number of constraints per region that are sampled to place the cuts.
	cutSamples = 64

	// leastSamples is the least number of samples in a block of work.
	leastSamples = 64
)

// cut is a line between two parts of the world. Points on the line are in the lower part.
type cut struct {
	axis int // axis is 0 if at is an x coordinate, and 1 if at is a y coordinate.
	at   float64
}

// cuts are the lines between a number of regions. They are a heap: the first cut is at index 1, and
// the cuts of the two parts of cut i are at 2i and 2i+1.
type cuts [mostRegions]cut

// region is a part of the world. The last region is the border. It has the constraints that cross
// borders, and no bodies. Tables by region therefore have one entry more than there are regions.
type region struct {
	bodies []int32
	held   []int32 // held are the bodies that keep their x or y.
	was    []int32 // was are the bodies of the region in the last step.
	first  int32   // first is the state of the first body. The states of the other bodies follow.
}

// regions has the awake bodies by region, and their states.
type regions struct {
	all        []region
	count      int // number of regions without the border
	lines      cuts
	samples    []sample // positions of some constraints
	stateOf    []int32  // by body: the index of its state in this step, if the body is awake
	regionOf   []uint8  // by body: its region, if the body is awake
	states     []state  // states are those of the bodies by region, followed by idle states and by copies.
	idleState  int      // idleState is the index of the first idle state. Unused lanes work on idle states.
	copies     int      // copies is the index of the first copy (see shareOut).
	sameStates bool     // sameStates says that every body has the same state as in the last step.
	bullets    []int32  // awake bullets
	movers     []int32  // movers are the kinematic bodies that are awake.
	moversWas  []int32  // moversWas are the movers of the last step.
	moving     bool     // moving says that one of the movers moves.

	// These are the constraints that sampleBlock samples.
	found       []narrowed
	constraints int

	sampling, cuts work // sampleBlock, cutBodies

	set      *box.World
	crew     *crew
	stride   *stride
	bodies   *bodies
	contacts *contacts
	joints   *joints
}

// border returns the index of the border region.
func (s *regions) border() int { return s.count }

// regionWork is the number of constraints from which on there are two regions. From 8 times this
// number on there are four regions, from 32 times this number on there are eight, and so on. Only
// few constraints may cross borders, and batches must be full. Tests change regionWork.
var regionWork = 512

// cut assigns every awake body to a region. The parameter work is the number of constraints that
// have an awake body, and found is the result of the narrow phase.
func (s *regions) cut(work int, found []narrowed) {
	n := 1
	for least := regionWork; n < mostRegions && work >= least; least = 2 * regionWork * n * n {
		n *= 2
	}
	same := s.count == n
	s.count = n
	for len(s.all) < n+1 {
		s.all = append(s.all, region{})
	}
	for i := range s.all {
		r := &s.all[i]
		r.bodies, r.was = slices.Grow(r.was[:0], len(s.set.Bodies.Active)/n), r.bodies
		r.held = r.held[:0]
	}
	s.lines = cuts{}
	if n > 1 {
		s.sampleConstraints(n*cutSamples, found)
		s.lines.set(s.samples, 1, n)
	}
	of := s.set.Bodies.Active
	s.stateOf, s.regionOf = growTo(s.stateOf, len(s.bodies.all)), growTo(s.regionOf, len(s.bodies.all))
	s.crew.run(s.cuts, len(of), s.crew.blocksOf(len(of), manyBodies, 1))
	s.moving, s.movers, s.moversWas, s.bullets = false, s.moversWas[:0], s.movers, s.bullets[:0]
	for _, i := range of {
		k := s.regionOf[i]
		if k == asleep {
			continue
		}
		if k >= fixed {
			k -= fixed
			s.regionOf[i] = k
			s.movers = append(s.movers, i)
			s.moving = s.moving || s.bodies.poses[i].flags&poseMoving != 0
		}
		if k >= held {
			k -= held
			s.regionOf[i] = k
			s.all[k].held = append(s.all[k].held, i)
		}
		if p := &s.bodies.poses[i]; p.flags&(poseBullet|poseDynamic) == poseBullet|poseDynamic {
			s.bullets = append(s.bullets, i)
		}
		r := &s.all[k]
		r.bodies = append(r.bodies, i)
	}
	same = same && slices.Equal(s.movers, s.moversWas)
	for k := range n {
		same = same && slices.Equal(s.all[k].bodies, s.all[k].was)
	}
	s.sameStates = same
	s.placeStates()
}

// These are bits that cutBodies adds to the region of a body. The method cut removes them.
const (
	held   = 1 << 5 // held: the body is dynamic, and keeps its x or y.
	fixed  = 1 << 6 // fixed: the body is not dynamic.
	asleep = 1 << 7 // asleep: the body has no region.
)

// cutBodies finds the regions of a block of bodies.
func (s *regions) cutBodies(_, from, to int) {
	poses := s.bodies.poses
	for _, i := range s.set.Bodies.Active[from:to] {
		p, k := &poses[i], uint8(asleep)
		if p.flags&poseAwake != 0 {
			k = s.lines.regionOf(p.x, p.y, s.count)
			if p.flags&poseDynamic == 0 {
				k += fixed
			} else if p.flags&(poseFixedX|poseFixedY) != 0 {
				k += held
			}
		}
		s.regionOf[i] = k
	}
}

// sample is a body of a constraint, with its position.
type sample = partition.Item[float64]

// sampleConstraints collects the positions of n of the constraints of this step. The constraints
// are joints, and contacts whether or not their shapes touch.
func (s *regions) sampleConstraints(n int, found []narrowed) {
	s.found, s.constraints = found, len(s.joints.active)
	for i := range found {
		s.constraints += len(found[i].active)
	}
	s.samples = reslice.ResizeDirty(s.samples, n)
	s.crew.run(s.sampling, n, s.crew.blocksOf(n, leastSamples, 1))
	s.samples = slices.DeleteFunc(s.samples, func(p sample) bool { return p.Of < 0 })
}

// sampleBlock takes a block of samples. A sample without a position gets the body -1.
func (s *regions) sampleBlock(_, from, to int) {
	for i := from; i < to; i++ {
		s.samples[i].Of = -1
		// The golden ratio spreads the samples evenly, whatever the order of the constraints is.
		k := int(uint64(uint32(i)*0x9e3779b9) * uint64(s.constraints) >> 32)
		a, b := s.constraint(k, s.found)
		if s.bodies.poses[a].flags&poseDynamic == 0 {
			a = b
		}
		if p := &s.bodies.poses[a]; p.flags&poseDynamic != 0 && isFinite(p.x+p.y) {
			s.samples[i] = sample{At: [2]float64{p.x, p.y}, Of: a}
		}
	}
}

// constraint returns the bodies of constraint k. Constraints are counted as in sampleConstraints.
func (s *regions) constraint(k int, found []narrowed) (a, b int32) {
	for i := range found {
		list := found[i].active
		if k < len(list) {
			c := &s.contacts.all[list[k]]
			return c.bodyA, c.bodyB
		}
		k -= len(list)
	}
	j := &s.joints.all[s.joints.active[k]]
	return j.bodyA, j.bodyB
}

// set sets the cut at index place, and the cuts below it in the heap. Together these cuts make n
// regions. A body in line with a cut may be on either side, and results depend on the side. Another
// choice of pivots in partition.Lowest would therefore change results.
func (l *cuts) set(samples []sample, place, n int) {
	if place >= n || len(samples) == 0 {
		return
	}
	axis := one(spread(samples, 1) > 0.98*spread(samples, 0)) // worlds are often built in rows
	k, at := widest(samples, axis)
	l[place] = cut{axis, at}
	l.set(samples[:k], 2*place, n)
	l.set(samples[k:], 2*place+1, n)
}

// spread returns the width of most samples along an axis. It ignores a few samples that may be far
// away.
func spread(samples []sample, axis int) float64 {
	n := len(samples)
	partition.Lowest(samples, n/8, axis, 0)
	low := samples[n/8:]
	partition.Lowest(low, n-1-n/8-n/8, axis, 0)
	least := samples[n/8].At[axis]
	for i := range low {
		least = min(least, low[i].At[axis])
	}
	return low[n-1-n/8-n/8].At[axis] - least
}

// widest cuts the samples into two parts of roughly equal size. The cut is in the widest gap
// between samples, and does not go through a column of boxes. The method returns the number of
// samples below the cut, which come first, and the position of the cut.
func widest(samples []sample, axis int) (k int, at float64) {
	n := len(samples)
	from, to := n*15/32, min(n*17/32+2, n)
	partition.Lowest(samples, from, axis, 0)
	partition.Lowest(samples[from:], to-from, axis, 0)
	middle := samples[from:to]
	slices.SortFunc(middle, func(a, b sample) int { return cmp.Compare(a.At[axis], b.At[axis]) })
	k, at = 1, middle[0].At[axis]
	room := 0.0
	for i := 1; i < len(middle); i++ {
		if x, y := middle[i-1].At[axis], middle[i].At[axis]; y-x > room {
			k, at, room = i, x+float64((y-x)/2), y-x
		}
	}
	return from + k, at
}

// regionOf returns the region that contains a point. There are n regions.
func (l *cuts) regionOf(x, y float64, n int) uint8 {
	place := 1
	for place < n {
		c, at := &l[place&(mostRegions-1)], x
		if c.axis == 1 {
			at = y
		}
		place = 2*place + one(at > c.at)
	}
	return uint8(place - n)
}

// statesInLines is the number of states in a pair of cache lines. Two regions have no pair in
// common.
const statesInLines = 128 / stateSize

// placeStates gives every awake body a state. The states of a region are adjacent.
func (s *regions) placeStates() {
	n := 0
	for k := range s.count {
		r := &s.all[k]
		r.first = int32(n)
		if !s.sameStates {
			for j, i := range r.bodies {
				s.stateOf[i] = int32(n + j)
			}
		}
		n += (len(r.bodies) + statesInLines - 1) / statesInLines * statesInLines
	}
	s.idleState = n
	s.copies = n + colourCount*(s.count+1)
	s.states = reslice.ResizeDirty(s.states, s.copies)
	for i := n; i < s.copies; i++ {
		s.states[i] = atRest
	}
}

// loadRegion sets the states of a region's bodies to their values at the start of the step.
func (s *regions) loadRegion(r *region) {
	for j, i := range r.bodies {
		st, m := &s.states[int(r.first)+j], &s.bodies.motions[i]
		*st = atRest
		st.v, st.w = m.v, m.w
	}
}

// hold removes the velocities of a region's bodies along their fixed axes. This is another
// constraint, between a body and the world. It is solved after all other constraints.
func (s *regions) hold(r *region) {
	for _, i := range r.held {
		st := s.stateAt(i)
		st.v = s.bodies.poses[i].alongFree(st.v)
	}
}

func (s *regions) stateAt(i int32) *state { return &s.states[s.stateOf[i]] }

// together returns the region of a constraint between two bodies. It is the region of the body that
// is not fixed. If the bodies are in two regions, it is the border.
func (s *regions) together(a, b int32, fixedA, fixedB bool) int {
	switch {
	case fixedA:
		return int(s.regionOf[b])
	case fixedB || s.regionOf[a] == s.regionOf[b]:
		return int(s.regionOf[a])
	}
	return s.border()
}

// setCopy makes state n a copy of the state of body i.
func (s *regions) setCopy(n, i int32) {
	st := &s.states[n]
	*st = atRest
	st.v, st.w = s.bodies.velocity(i)
}

// copyOf makes a copy of the state of a body that joints do not change.
func (s *regions) copyOf(i int32) int32 {
	n := int32(len(s.states))
	s.states = append(s.states, state{})
	s.setCopy(n, i)
	return n
}

// integrateCopies moves the copies of moving bodies by a sub-step.
func (s *regions) integrateCopies() {
	for i := s.copies; i < len(s.states); i++ {
		if st := &s.states[i]; st.v != (vec{}) || st.w != 0 {
			st.move(s.stride.h)
		}
	}
}

// ownCourse returns the course of a body that the solver has computed. The body has not moved yet.
func (s *regions) ownCourse(i int32) course {
	p, st := &s.bodies.poses[i], s.stateAt(i)
	return course{p.x, p.y, p.q, st.d, st.da}
}
