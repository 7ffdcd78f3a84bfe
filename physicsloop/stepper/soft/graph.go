package soft

import "math/bits"

const (
	lanes = 8

	// overflow is the colour of contacts that found no other.
	overflow    = 31
	colourCount = overflow + 1
)

// entry is a contact with the states that it works on.
type entry struct{ slot, a, b int32 }

// shareOut gives every contact that is solved in this step its region.
//
// A body that constraints do not change, a static or kinematic one, has no place
// of its own in s.states. Every contact of such a body has a copy, which nobody
// else reads or writes.
func (s *Stepper) shareOut() {
	s.bounces = false
	for _, slot := range s.order {
		c := &s.contacts[slot]
		if !c.isSolid() {
			continue
		}
		a, b := c.bodyA, c.bodyB
		fixedA, fixedB := s.poses[a].flags&poseDynamic == 0, s.poses[b].flags&poseDynamic == 0
		if fixedA && fixedB {
			continue // neither moves, or both sleep
		}
		if c.restitution > 0 {
			s.bounces = true
		}
		r := &s.regions[s.together(a, b)]
		e := entry{slot, s.stateOf[a], s.stateOf[b]}
		if fixedA {
			e.a = s.copyState(a)
		} else if fixedB {
			e.b = s.copyState(b)
		}
		r.entries = append(r.entries, e)
	}
}

// colourRegion gives every contact of a region a colour: the first that neither
// of its bodies has yet. Contacts of static and kinematic bodies never have the
// first colour, so that there what moves is solved before what stands.
func (s *Stepper) colourRegion(k int) {
	r := &s.regions[k]
	for i := range r.colours {
		r.colours[i].entries = r.colours[i].entries[:0]
	}
	masks := s.colours
	if k == s.border() {
		masks = s.borderColours
		for _, e := range r.entries {
			masks[e.a], masks[e.b] = 0, 0 // neither is a copy
		}
	} else {
		clear(masks[r.first : int(r.first)+len(r.bodies)])
	}
	copies := int32(s.copies)
	for _, e := range r.entries {
		var used uint32
		if e.a < copies {
			used = masks[e.a]
		} else {
			used = 1
		}
		if e.b < copies {
			used |= masks[e.b]
		} else {
			used |= 1
		}
		c := overflow
		if free := ^used & (1<<overflow - 1); free != 0 {
			c = bits.TrailingZeros32(free)
			if e.a < copies {
				masks[e.a] |= 1 << c
			}
			if e.b < copies {
				masks[e.b] |= 1 << c
			}
		}
		g := &r.colours[c]
		g.entries = append(g.entries, e)
	}
}

// countBatches lays out the batches of all regions.
func (s *Stepper) countBatches() {
	n := 0
	for k := range s.regionCount + 1 {
		r := &s.regions[k]
		for i := range r.colours {
			g := &r.colours[i]
			g.batches = n
			g.count = (len(g.entries) + lanes - 1) / lanes
			if i == overflow {
				g.count = len(g.entries) // one each: they may share bodies
			}
			n += g.count
		}
	}
	s.batches = growTo(s.batches, n)
	if s.bounces {
		s.bounceBatches = growTo(s.bounceBatches, n)
	}
}

// entriesOf returns the contacts of batch i, which is of colour k.
func (g *colour) entriesOf(k, i int) []entry {
	j := i - g.batches
	if k == overflow {
		return g.entries[j : j+1]
	}
	return g.entries[j*lanes : min(len(g.entries), (j+1)*lanes)]
}

// copyState makes a copy of the state of a body that constraints do not change.
func (s *Stepper) copyState(i int32) int32 {
	n := len(s.states)
	s.states = append(s.states, atRest)
	if s.poses[i].flags&poseMoving != 0 {
		s.states[n].v, s.states[n].w = s.motions[i].v, s.motions[i].w
		s.movingCopies = true
	}
	return int32(n)
}
