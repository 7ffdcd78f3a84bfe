package soft

import (
	"cmp"
	"slices"

	"halfstep/internal/halving"
	"halfstep/internal/slab"
)

// The bodies that are awake are cut into regions with about as many constraints each, by lines
// across the longer side of the area. The constraints within a region are one piece of work:
// nobody else touches its bodies meanwhile, so there is no need to wait after every colour.
// Constraints that cross a border are solved afterwards, on one goroutine.
//
// How many regions there are, and where, follows from the world alone, so the
// number of workers changes no result.
const (
	mostRegions = 16

	// noRegions is Stepper.regionCount after Restore, until the next step: no region has colours.
	noRegions = -1

	// cutSamples is how many constraints for each region are looked at to cut them.
	cutSamples = 64
)

// cut is a line between two parts of the world; points on it are in the lower part.
type cut struct {
	axis int // 0: at is an x; 1: a y
	at   float64
}

// cuts are the lines between a number of regions, as a heap: the first is at 1, and those of the
// two parts of cut i are at 2i and 2i+1.
type cuts [mostRegions]cut

// region is a part of the world. The last one holds what crosses a border.
type region struct {
	bodies  []int32
	held    []int32       // those of the bodies that keep their x or y
	was     []int32       // bodies in the last step
	first   int32         // the state of the first body; those of the others follow
	joints  []jointInStep // all but revolute ones
	pins    coloured[pinBatch]
	hinges  coloured[hingeBatch]
	colours colours // of its contacts
	copies  int32   // the first copy of a state that its contacts make
	batches []batch
	bounces []bounceBatch // for the batches in which a contact bounces
	rolling []rollBatch   // for each batch, if any contact may resist rolling

	// What the colours were given for; they stay as long as it is the same, and a Restore drops them.
	coloured  []entry // the contacts, with the numbers of their bodies
	copied    []int32 // the bodies of the copies, in their order
	copiesWas int32   // copies then
}

// colours are the contacts of a region by colour. No two of one colour change the same body,
// except in the colour overflow.
type colours [colourCount][]entry

// border is the index of the region of what crosses a border.
func (s *Stepper) border() int { return s.regionCount }

// regionWork is from how many constraints on there are two regions. From 8 times as many on
// there are four, from 32 times as many on eight, and so on: few constraints may cross borders,
// and batches must be full. Tests change it.
var regionWork = 512

// cutRegions gives every body that is awake a region.
func (s *Stepper) cutRegions() {
	work := s.countActive()
	n := 1
	for least := regionWork; n < mostRegions && work >= least; least = 2 * regionWork * n * n {
		n *= 2
	}
	same := s.regionCount == n
	s.regionCount = n
	for len(s.regions) < n+1 {
		s.regions = append(s.regions, region{hinges: coloured[hingeBatch]{extras: true}})
	}
	for i := range s.regions {
		r := &s.regions[i]
		r.bodies, r.was = slices.Grow(r.was[:0], len(s.set.Bodies.Active)/n), r.bodies
		r.held, r.joints = r.held[:0], r.joints[:0]
		r.pins.entries, r.hinges.entries = r.pins.entries[:0], r.hinges.entries[:0]
	}
	s.lines = cuts{}
	if n > 1 {
		s.sampleConstraints(n * cutSamples)
		s.lines.set(s.samples, 1, n)
	}
	of := s.set.Bodies.Active
	s.stateOf, s.regionOf = growTo(s.stateOf, len(s.bodies.all)), growTo(s.regionOf, len(s.bodies.all))
	s.crew.run(s.tasks.cut, len(of), s.crew.blocksOf(len(of), manyBodies, 1))
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
			s.regions[k].held = append(s.regions[k].held, i)
		}
		if p := &s.bodies.poses[i]; p.flags&(poseBullet|poseDynamic) == poseBullet|poseDynamic {
			s.bullets = append(s.bullets, i)
		}
		r := &s.regions[k]
		r.bodies = append(r.bodies, i)
	}
	same = same && slices.Equal(s.movers, s.moversWas)
	for k := range n {
		same = same && slices.Equal(s.regions[k].bodies, s.regions[k].was)
	}
	s.sameStates = same
	s.placeStates()
}

// Bits that cutBodies adds to the region of a body; cutRegions takes them off again.
const (
	held   = 1 << 5 // it is dynamic, and keeps its x or y
	fixed  = 1 << 6 // it is not dynamic
	asleep = 1 << 7 // it has no region
)

// cutBodies looks in which regions a block of bodies is.
func (s *Stepper) cutBodies(_, from, to int) {
	for _, i := range s.set.Bodies.Active[from:to] {
		p, k := &s.bodies.poses[i], uint8(asleep)
		if p.flags&poseAwake != 0 {
			k = s.lines.regionOf(p.x, p.y, s.regionCount)
			if p.flags&poseDynamic == 0 {
				k += fixed
			} else if p.flags&(poseFixedX|poseFixedY) != 0 {
				k += held
			}
		}
		s.regionOf[i] = k
	}
}

// sample is a body that a constraint holds.
type sample = halving.Placed[float64]

// sampleConstraints looks where n of the constraints of this step are: contacts, whether
// they touch or not, and joints.
func (s *Stepper) sampleConstraints(n int) {
	s.samples = s.samples[:0]
	total := len(s.activeJoints)
	for i := range s.narrow.results {
		total += len(s.narrow.results[i].active)
	}
	for i := range n {
		// The golden ratio spreads them whatever order they have.
		k := int(uint64(uint32(i)*0x9e3779b9) * uint64(total) >> 32)
		a, b := s.constraint(k)
		if s.bodies.poses[a].flags&poseDynamic == 0 {
			a = b
		}
		if p := &s.bodies.poses[a]; p.flags&poseDynamic != 0 && isFinite(p.x+p.y) {
			s.samples = append(s.samples, sample{At: [2]float64{p.x, p.y}, Of: a})
		}
	}
}

// constraint returns the bodies of constraint k of those that are sampled.
func (s *Stepper) constraint(k int) (a, b int32) {
	for i := range s.narrow.results {
		list := s.narrow.results[i].active
		if k < len(list) {
			c := &s.contacts.all[list[k]]
			return c.bodyA, c.bodyB
		}
		k -= len(list)
	}
	j := &s.joints[s.activeJoints[k]]
	return j.bodyA, j.bodyB
}

// set sets the cut at place and those below it in the heap, which all make n regions. Bodies in
// line with a cut may fall on either side, and results depend on that: a change of how
// halving.Lowest chooses its pivots would change them.
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

// spread returns how wide most samples lie along an axis. A few may be far away.
func spread(samples []sample, axis int) float64 {
	n := len(samples)
	halving.Lowest(samples, n/8, axis, 0)
	low := samples[n/8:]
	halving.Lowest(low, n-1-n/8-n/8, axis, 0)
	least := samples[n/8].At[axis]
	for i := range low {
		least = min(least, low[i].At[axis])
	}
	return low[n-1-n/8-n/8].At[axis] - least
}

// widest cuts samples roughly in halves, at the widest gap between them and not through a
// column of boxes. It returns how many are below the cut, which come first, and its place.
func widest(samples []sample, axis int) (k int, at float64) {
	n := len(samples)
	from, to := n*15/32, min(n*17/32+2, n)
	halving.Lowest(samples, from, axis, 0)
	halving.Lowest(samples[from:], to-from, axis, 0)
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

// regionOf returns in which of n regions a place is.
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

// countActive returns how many contacts and joints hold a body that is awake. Both were counted
// earlier in the step, and are again if bodies have woken since.
func (s *Stepper) countActive() int {
	if s.bodies.woken {
		s.contacts.active = 0
		for _, n := range s.set.Contacts.Active {
			c := &s.contacts.all[n]
			s.contacts.active += one((s.bodies.poses[c.bodyA].flags|s.bodies.poses[c.bodyB].flags)&poseAwake != 0)
		}
		s.listActiveJoints()
	}
	return s.contacts.active + len(s.activeJoints)
}

// statesInLines is how many states are in a pair of cache lines. No two regions share one.
const statesInLines = 128 / stateSize

// placeStates gives every body that is awake a state, those of a region one after
// the other.
func (s *Stepper) placeStates() {
	n := 0
	for k := range s.regionCount {
		r := &s.regions[k]
		r.first = int32(n)
		if !s.sameStates {
			for j, i := range r.bodies {
				s.stateOf[i] = int32(n + j)
			}
		}
		n += (len(r.bodies) + statesInLines - 1) / statesInLines * statesInLines
	}
	s.idleState = n
	s.copies = n + colourCount*(s.regionCount+1)
	s.colours, s.borderColours = growTo(s.colours, n), growTo(s.borderColours, n)
	s.states = slab.Any(s.states, s.copies)
	for i := n; i < s.copies; i++ {
		s.states[i] = atRest
	}
}

// loadRegion sets the states of a region's bodies at the start of the step.
func (s *Stepper) loadRegion(r *region) {
	for j, i := range r.bodies {
		st, m := &s.states[int(r.first)+j], &s.bodies.motions[i]
		*st = atRest
		st.v, st.w = m.v, m.w
	}
}

// hold takes out the velocities of a region's bodies along axes that they keep. This is one more
// constraint, between a body and the world, and it is solved after the others.
func (s *Stepper) hold(r *region) {
	for _, i := range r.held {
		st := s.stateAt(i)
		st.v = s.bodies.poses[i].alongFree(st.v)
	}
}

// stateAt returns the state of a body that is awake.
func (s *Stepper) stateAt(i int32) *state { return &s.states[s.stateOf[i]] }

// together returns the region of a constraint between two bodies: that of the body that is not
// fixed, or the border if they are in two regions.
func (s *Stepper) together(a, b int32, fixedA, fixedB bool) int {
	switch {
	case fixedA:
		return int(s.regionOf[b])
	case fixedB || s.regionOf[a] == s.regionOf[b]:
		return int(s.regionOf[a])
	}
	return s.border()
}
