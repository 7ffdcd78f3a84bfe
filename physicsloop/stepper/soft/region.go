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
	bins        = 128 // in which bodies are counted to cut them evenly
	noBin       = 255 // of a body that is not awake
)

// region is a part of the world. The last one holds what crosses a border.
type region struct {
	bodies  []int32
	first   int32   // the state of the first of them; the others follow
	joints  []int32 // indices in Stepper.joined: all but pins
	pins    []entry
	colours [colourCount]colour
	copies  int32 // the first copy of a state that its contacts make
	batches []batch
	bounces []bounceBatch

	pinColours [colourCount]pinColour
	pinBatches []pinBatch
}

// colour holds contacts of a region. No two of them change the same body.
type colour struct {
	entries []entry
	batches []batch       // of its contacts: a part of the region's
	bounces []bounceBatch // for each of them, if any contact bounces
}

// nowhere is the box of nothing.
var nowhere = box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}

// border is the index of the region of what crosses a border.
func (s *Stepper) border() int { return s.regionCount }

// regionWork is how many constraints there are from which on there are two regions.
// Four times as many have four, and so on: what crosses borders must remain little.
var regionWork = 1024

// cutRegions gives every body that is awake a region.
func (s *Stepper) cutRegions() {
	work := s.countActive()
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
		r.bodies, r.joints, r.pins = r.bodies[:0], r.joints[:0], r.pins[:0]
	}
	regionOfBin := s.countBins(n)
	for _, i := range s.set.Bodies {
		if bin := s.regionOf[i]; bin != noBin {
			r := regionOfBin[bin]
			s.regionOf[i] = r
			s.regions[r].bodies = append(s.regions[r].bodies, i)
		}
	}
	s.placeStates()
}

// countActive returns how many contacts and joints hold a body that is awake.
func (s *Stepper) countActive() int {
	awake := func(a, b int32) int {
		if (s.poses[a].flags|s.poses[b].flags)&poseAwake != 0 {
			return 1
		}
		return 0
	}
	if s.recount {
		s.active = 0
		for _, n := range s.set.Contacts {
			c := &s.contacts[n]
			s.active += awake(c.bodyA, c.bodyB)
		}
	}
	work := s.active
	for _, n := range s.set.Joints {
		j := s.jointOf(n)
		work += awake(j.bodyA, j.bodyB)
	}
	return work
}

// countBins writes every body's bin to s.regionOf, and returns the region of each
// bin, so that n regions have about as many bodies each.
func (s *Stepper) countBins(n int) (regionOfBin [bins]uint8) {
	s.moving, s.movers = false, s.movers[:0]
	all := nowhere
	if n > 1 {
		for i := range s.results {
			all = all.union(&s.results[i].around)
		}
	}
	low, side, tall := all.lx, all.ux-all.lx, false
	if all.uy-all.ly > 0.98*side { // worlds are often built in rows
		low, side, tall = all.ly, all.uy-all.ly, true
	}
	scale := 0.0
	if side > 0 && side < math.MaxFloat64 {
		scale = bins / side
	}
	var counts [bins]int
	total := 0
	for _, i := range s.set.Bodies {
		p := &s.poses[i]
		if p.flags&poseAwake == 0 {
			s.regionOf[i] = noBin
			continue
		}
		if p.flags&poseDynamic == 0 {
			s.movers = append(s.movers, i)
			s.moving = s.moving || p.flags&poseMoving != 0
		}
		x := p.x
		if tall {
			x = p.y
		}
		k := uint8(0)
		if x = float64((x - low) * scale); x > 0 { // false for what is not a number
			k = bins - 1
			if x < bins-1 {
				k = uint8(x)
			}
		}
		s.regionOf[i] = k
		counts[k]++
		total++
	}
	sum := 0
	for k, c := range counts {
		regionOfBin[k] = uint8(min((sum+c/2)*n/max(total, 1), n-1))
		sum += c
	}
	return regionOfBin
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
