package soft

import "math/bits"

const (
	lanes = 8

	// overflow is the colour of constraints that found no other.
	overflow    = 31
	colourCount = overflow + 1

	// noColour marks bodies that constraints of one colour may share, because no
	// constraint changes them: static and kinematic ones.
	noColour = 1 << 31
)

// entry is a contact in a colour, with the states that it works on.
type entry struct{ slot, a, b int32 }

// colour holds the constraints of a colour. No two of them change the same body.
type colour struct {
	entries []entry
	batches int // index of the first in Stepper.batches
	count   int // of batches
	joints  []int32
}

// colourContacts gives every contact that is solved in this step a colour: the
// first that neither of its bodies has yet. Contacts of one static or kinematic
// body never have the first colour, so that there what moves is solved before
// what stands.
//
// A body that constraints do not change has no place of its own in s.states.
// Every contact of such a body has a copy, which nobody else reads or writes.
func (s *Stepper) colourContacts() {
	for i := range s.graph {
		s.graph[i].entries = s.graph[i].entries[:0]
	}
	masks := s.colours
	s.bounces = false
	for _, slot := range s.order {
		c := &s.contacts[slot]
		if c.count == 0 || c.flags&(enabled|touching) != enabled|touching {
			continue
		}
		a, b := c.bodyA, c.bodyB
		ma, mb := masks[a], masks[b]
		if (ma&mb)&noColour != 0 {
			continue // neither moves, or both sleep
		}
		if c.restitution > 0 {
			s.bounces = true
		}
		free := ^(ma | mb) & (1<<overflow - 1)
		e := entry{slot, a, b}
		switch {
		case ma&noColour != 0:
			free &^= 1
			e.a = s.copyState(a)
		case mb&noColour != 0:
			free &^= 1
			e.b = s.copyState(b)
		}
		k := overflow
		if free != 0 {
			k = bits.TrailingZeros32(free)
			masks[a] |= 1 << k
			masks[b] |= 1 << k
		}
		g := &s.graph[k]
		g.entries = append(g.entries, e)
	}
	n := 0
	for i := range s.graph {
		g := &s.graph[i]
		g.batches = n
		g.count = (len(g.entries) + lanes - 1) / lanes
		if i == overflow {
			g.count = len(g.entries) // one each: they may share bodies
		}
		n += g.count
	}
	s.batchCount = n
	if n > len(s.batches) {
		s.batches = growTo(s.batches, n)
	}
	if s.bounces && n > len(s.bounceBatches) {
		s.bounceBatches = growTo(s.bounceBatches, n)
	}
}

// copyState makes a copy of the state of a body that constraints do not change.
func (s *Stepper) copyState(i int32) int32 {
	n := len(s.states)
	s.states = append(s.states, atRest)
	if s.poses[i].flags&poseMoving != 0 {
		s.states[n].v, s.states[n].w = s.states[i].v, s.states[i].w
		s.movingCopies = true
	}
	return int32(n)
}
