package soft

import "math"

// The bodies that are awake are cut into regions along the longer side of the box
// around them. The constraints within a region are one piece of work: nobody
// else touches its bodies meanwhile, so there is no need to wait after every
// colour. What crosses a border comes afterwards, on one goroutine.
//
// How many regions there are, and where, follows from the world alone, so the
// number of workers changes no result.
const (
	mostRegions = 8
	bins        = 256 // in which bodies are counted to cut them evenly
)

// region is a part of the world. The last one holds what crosses a border.
type region struct {
	bodies  []int32
	first   int32   // the state of the first of them; the others follow
	entries []entry // contacts, before they have colours
	joints  []int32 // indices in Stepper.joined
	colours [colourCount]colour
	idle    int32 // the first state for the lanes that are not used
}

// colour holds contacts of a region. No two of them change the same body.
type colour struct {
	entries []entry
	batches int // index of the first in Stepper.batches
	count   int // of batches
}

// border is the index of the region of what crosses a border.
func (s *Stepper) border() int { return s.regionCount }

// regionWork is how many constraints there are from which on there are two regions.
// Four times as many have four, and so on: what crosses borders must remain little.
const regionWork = 768

// cutRegions gives every body that is awake a region.
func (s *Stepper) cutRegions() {
	work := 2 * len(s.joints)
	for _, slot := range s.order {
		if c := &s.contacts[slot]; c.count > 0 {
			work++
		}
	}
	n := 1
	for n < mostRegions && work >= regionWork*n*n {
		n *= 2
	}
	s.regionCount = n
	for len(s.regions) < n+1 {
		s.regions = append(s.regions, region{})
	}
	for i := range s.regions {
		r := &s.regions[i]
		r.bodies, r.entries, r.joints = r.bodies[:0], r.entries[:0], r.joints[:0]
	}
	s.regionOf = growTo(s.regionOf, len(s.bodies))
	if n == 1 {
		for i := range s.poses {
			if s.poses[i].flags&poseAwake != 0 {
				s.regionOf[i] = 0
				s.regions[0].bodies = append(s.regions[0].bodies, int32(i))
			}
		}
		s.placeStates()
		return
	}
	all := box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for i := range s.poses {
		if p := &s.poses[i]; p.flags&poseDynamic != 0 {
			all = all.union(&box{p.x, p.y, p.x, p.y})
		}
	}
	low, side, tall := all.lx, all.ux-all.lx, false
	if all.uy-all.ly > side {
		low, side, tall = all.ly, all.uy-all.ly, true
	}
	scale := 0.0
	if side > 0 && side < math.MaxFloat64 {
		scale = bins / side
	}
	binOf := func(p *pose) int {
		x := p.x
		if tall {
			x = p.y
		}
		if x = float64((x - low) * scale); x > 0 { // false for what is not a number
			return int(min(x, bins-1))
		}
		return 0
	}
	var counts [bins]int
	total := 0
	for i := range s.poses {
		if p := &s.poses[i]; p.flags&poseAwake != 0 {
			k := binOf(p)
			s.regionOf[i] = uint8(k)
			counts[k]++
			total++
		}
	}
	var regionOfBin [bins]uint8
	for k, sum := 0, 0; k < bins; k++ {
		regionOfBin[k] = uint8(min((sum+counts[k]/2)*n/max(total, 1), n-1))
		sum += counts[k]
	}
	for i := range s.poses {
		if s.poses[i].flags&poseAwake != 0 {
			r := regionOfBin[s.regionOf[i]]
			s.regionOf[i] = r
			s.regions[r].bodies = append(s.regions[r].bodies, int32(i))
		}
	}
	s.placeStates()
}

// statesInLines is how many states share a pair of cache lines. Regions do not
// share any.
const statesInLines = 128 / stateSize

// placeStates gives every body that is awake a state, those of a region one after
// the other.
func (s *Stepper) placeStates() {
	n := 0
	for k := range s.regionCount {
		r := &s.regions[k]
		r.first = int32(n)
		for j, i := range r.bodies {
			s.stateOf[i] = int32(n + j)
		}
		n += (len(r.bodies) + statesInLines - 1) / statesInLines * statesInLines
	}
	s.idleState = n
	s.copies = n + colourCount*(s.regionCount+1)
	s.colours, s.borderColours = growTo(s.colours, n), growTo(s.borderColours, n)
	s.states = growTo(s.states[:0], s.copies)[:s.copies]
	for i := n; i < s.copies; i++ {
		s.states[i] = atRest
	}
	s.movingCopies = false
}

// loadRegion sets the states of a region's bodies.
func (s *Stepper) loadRegion(k int) {
	r := &s.regions[k]
	for j, i := range r.bodies {
		st, m := &s.states[int(r.first)+j], &s.motions[i]
		*st = atRest
		st.v, st.w = m.v, m.w
	}
}

// stateAt returns the state of a body that is awake.
func (s *Stepper) stateAt(i int32) *state { return &s.states[s.stateOf[i]] }

// together returns the region of a constraint between two bodies.
func (s *Stepper) together(a, b int32) int {
	fixedA, fixedB := s.poses[a].flags&poseDynamic == 0, s.poses[b].flags&poseDynamic == 0
	switch {
	case fixedA:
		return int(s.regionOf[b])
	case fixedB || s.regionOf[a] == s.regionOf[b]:
		return int(s.regionOf[a])
	}
	return s.border()
}
