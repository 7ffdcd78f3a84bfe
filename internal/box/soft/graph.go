package soft

import (
	"math/bits"
	"slices"

	"halfstep/internal/box"
	"halfstep/internal/reslice"
)

const (
	lanes = 8

	// overflow is the colour of contacts and joints for which no colour was free. They may have bodies in
	// common.
	overflow    = 31
	colourCount = overflow + 1

	// shuffledTogether is the number of neighbouring contacts that stay together when contacts are
	// shuffled (see parts).
	shuffledTogether = 32
)

// entry is a contact or a joint, with the two states that it works on. The entries in shared and in
// region.coloured have the numbers of the bodies instead of the states. A body n that constraints
// do not change has the number ^n there.
type entry struct{ slot, a, b int32 }

// entryOf returns the entry of a contact whose bodies have the poses a and b.
func entryOf(slot int32, c *contact, a, b *pose) entry {
	e := entry{slot, c.bodyA, c.bodyB}
	if a.flags&poseDynamic == 0 {
		e.a = ^e.a
	}
	if b.flags&poseDynamic == 0 {
		e.b = ^e.b
	}
	return e
}

// bodies returns the numbers of the bodies of an entry that has bodies instead of states.
func (e entry) bodies() (a, b int32) { return max(e.a, ^e.a), max(e.b, ^e.b) }

// shared has the contacts of a block that will be solved, by region.
type shared struct {
	entries [mostRegions + 1][]entry
	copies  [mostRegions + 1]int32 // copies is the number of entries that need a copy of a state.
	bounces bool                   // an entry has restitution
}

// graph gives the contacts of a step their regions, colours and batches.
type graph struct {
	painted       []painted // painted is by region. The last element is for contacts that cross a border between regions.
	found         []narrowed
	shares        []shared // by block of contacts
	bounces       bool     // a contact has restitution
	colours       []uint32 // by state: the colours of its contacts and joints, one bit each
	borderColours []uint32 // by state: the colours of its contacts and joints that cross a border, one bit each

	sharing work // shareBlock

	set      *box.World
	crew     *crew
	bodies   *bodies
	contacts *contacts
	regions  *regions
}

// painted has the contacts of a region.
type painted struct {
	colours colours
	copies  int32 // copies is the number of the first state that is a copy for these contacts.
	batches []batch

	// These are the values from which the colours were computed. The colours stay valid until one of
	// the values changes. Restore drops the values.
	coloured  []entry // coloured are the contacts, with the numbers of their bodies.
	copied    []int32 // copied are the bodies of the copies, in the order of the copies.
	copiesWas int32   // copies then
}

// colours are the contacts of a region by colour. Two contacts of one colour never change the same
// body, except in the colour overflow.
type colours [colourCount][]entry

// shareOut assigns every contact that is solved in this step to a region. The parameter found is the
// result of the narrow phase.
//
// Constraints do not change a static or kinematic body, so such a body has no state in a region. Every
// contact of such a body has a copy of its state. No other contact reads or writes this copy.
func (s *graph) shareOut(found []narrowed) {
	s.found = found
	for len(s.painted) < s.regions.count+1 {
		s.painted = append(s.painted, painted{})
	}
	n := s.regions.idleState
	s.colours, s.borderColours = growTo(s.colours, n), growTo(s.borderColours, n)
	if len(s.bodies.woken) > 0 {
		s.listSolid()
	}
	blocks := len(s.found)
	s.shares = growTo(s.shares, blocks)[:blocks]
	s.crew.run(s.sharing, blocks, blocks)
	s.bounces = false
	copies := int32(s.regions.copies)
	for k := range s.regions.count {
		r := &s.painted[k]
		r.copies = copies
		for b := range blocks {
			copies += s.shares[b].copies[k]
		}
	}
	for b := range s.shares {
		s.bounces = s.bounces || s.shares[b].bounces
	}
	s.regions.states = growTo(s.regions.states, int(copies))[:copies]
}

// listSolid makes shareBlock check every contact, because bodies have woken since the narrow phase.
func (s *graph) listSolid() {
	for i := range s.found {
		s.found[i].solid = s.found[i].solid[:0]
	}
	r := &s.found[0]
	for _, slot := range s.set.Contacts.Active {
		c := &s.contacts.all[slot]
		if e := entryOf(^slot, c, &s.bodies.poses[c.bodyA], &s.bodies.poses[c.bodyB]); e.a >= 0 || e.b >= 0 {
			r.solid = append(r.solid, e)
		}
	}
}

// shareBlock does the work of shareOut for a block of contacts. The method colourRegion looks up the
// states.
func (s *graph) shareBlock(block, _, _ int) {
	sh, r := &s.shares[block], &s.found[block]
	for k := range sh.entries {
		sh.entries[k] = sh.entries[k][:0]
	}
	sh.copies, sh.bounces = [mostRegions + 1]int32{}, r.bounces
	regions, contacts := s.regions, s.contacts.all
	for _, e := range r.solid {
		if e.slot < 0 {
			e.slot = ^e.slot
			c := &contacts[e.slot]
			if s.set.Contacts.All[e.slot].ID == 0 || !c.isSolid() {
				continue
			}
			sh.bounces = sh.bounces || c.restitution > 0
		}
		a, b := e.bodies()
		k := regions.together(a, b, e.a < 0, e.b < 0)
		if e.a < 0 || e.b < 0 {
			sh.copies[k]++
		}
		sh.entries[k] = append(sh.entries[k], e)
	}
}

// withCopy converts an entry from bodies to states. Constraints do not change one of its bodies,
// and withCopy makes a copy for this body.
func (s *graph) withCopy(r *painted, e entry) entry {
	next := r.copies + int32(len(r.copied))
	if e.a < 0 {
		s.regions.setCopy(next, ^e.a)
		r.copied = append(r.copied, ^e.a)
		return entry{e.slot, next, s.regions.stateOf[e.b]}
	}
	s.regions.setCopy(next, ^e.b)
	r.copied = append(r.copied, ^e.b)
	return entry{e.slot, s.regions.stateOf[e.a], next}
}

// keepsColours reports whether a region has the same contacts with the same states as in the last
// step, so that the colours and batches can be used again.
func (s *graph) keepsColours(k int) bool {
	r := &s.painted[k]
	if !s.regions.sameStates || r.copies != r.copiesWas {
		return false
	}
	rest := r.coloured
	for b := range s.shares {
		entries := s.shares[b].entries[k]
		if len(entries) > len(rest) || !slices.Equal(entries, rest[:len(entries)]) {
			return false
		}
		rest = rest[len(entries):]
	}
	return len(rest) == 0
}

// colourRegion gives every contact of a region a colour. This is the first colour that no other
// contact of its two bodies has yet. Contacts of static and kinematic bodies never get the first
// colour. Contacts between moving bodies are therefore solved before contacts with bodies that do
// not move.
func (s *graph) colourRegion(k int) {
	r := &s.painted[k]
	if s.keepsColours(k) {
		for i, n := range r.copied {
			s.regions.setCopy(r.copies+int32(i), n)
		}
		return
	}
	r.coloured, r.copied, r.copiesWas = r.coloured[:0], r.copied[:0], r.copies
	for i := range r.colours {
		r.colours[i] = r.colours[i][:0]
	}
	masks := s.masksOf(k, nil)
	if k == s.regions.border() {
		for b := range s.shares {
			for _, e := range s.shares[b].entries[k] {
				masks[s.regions.stateOf[e.a]], masks[s.regions.stateOf[e.b]] = 0, 0
			}
		}
	}
	for b := range s.shares {
		r.coloured = append(r.coloured, s.shares[b].entries[k]...)
	}
	for part := range parts(r.coloured, s.regions.count > 1) {
		s.colourPart(r, masks, part)
	}
	r.batches = layOut(r.batches, &r.colours, int32(s.regions.idleState+k*colourCount))
}

// colourPart gives some contacts of a region their states and colours.
func (s *graph) colourPart(r *painted, masks []uint32, entries []entry) {
	for _, e := range entries {
		c := 0
		if e.a < 0 || e.b < 0 {
			e = s.withCopy(r, e)
			c = s.colourOf(masks, e)
		} else {
			e.a, e.b = s.regions.stateOf[e.a], s.regions.stateOf[e.b]
			a, b := &masks[e.a], &masks[e.b]
			c = firstFree(*a | *b)
			*a |= 1 << c
			*b |= 1 << c
		}
		r.colours[c] = append(r.colours[c], e)
	}
}

// firstFree returns the first colour that is not used, or overflow.
func firstFree(used uint32) int { return bits.TrailingZeros32(^used | 1<<overflow) }

// parts yields the contacts of a region in the order in which they get colours.
//
// In large worlds the contacts are shuffled. In the order of their creation the solver would
// process the left contact of every box in a row before the right one. This pushes the rows of a
// pyramid to one side, and the pyramid sways for seconds. In small worlds the contacts keep their
// order, so that a change at one end of the world changes no bit at the other end.
func parts(entries []entry, shuffled bool) func(yield func([]entry) bool) {
	return func(yield func([]entry) bool) {
		if !shuffled {
			yield(entries)
			return
		}
		count := (len(entries) + shuffledTogether - 1) / shuffledTogether
		mask, next := 1<<bits.Len(uint(count))-1, 0
		for range mask + 1 {
			if from := next * shuffledTogether; next < count && !yield(entries[from:min(from+shuffledTogether, len(entries))]) {
				return
			}
			next = (next*0x15f77f5 + 1) & mask // the sequence visits every number up to mask once
		}
	}
}

// masksOf returns, for each state of a region, the set of its colours as bits. All sets are empty.
// For the border region it clears only the sets of the bodies of some entries.
func (s *graph) masksOf(k int, entries []entry) []uint32 {
	if k != s.regions.border() {
		r := &s.regions.all[k]
		clear(s.colours[r.first : int(r.first)+len(r.bodies)])
		return s.colours
	}
	for _, e := range entries {
		for _, n := range [...]int32{e.a, e.b} {
			if int(n) < s.regions.copies {
				s.borderColours[n] = 0
			}
		}
	}
	return s.borderColours
}

// colourOf returns the first colour that neither state of an entry has yet, and adds it to both
// states. Copies have no set of colours. An entry with a copy never gets the first colour.
func (s *graph) colourOf(masks []uint32, e entry) int {
	copies := int32(s.regions.copies)
	used := uint32(1)
	switch {
	case e.a >= copies:
		used |= masks[e.b]
	case e.b >= copies:
		used |= masks[e.a]
	default:
		used = masks[e.a] | masks[e.b]
	}
	c := firstFree(used)
	if e.a < copies {
		masks[e.a] |= 1 << c
	}
	if e.b < copies {
		masks[e.b] |= 1 << c
	}
	return c
}

// layOut makes the batches of a region, colour by colour. Unused lanes work on an idle state. There
// is an idle state for each colour, and the parameter idle is the first of them.
func layOut(batches []batch, of *colours, idle int32) []batch {
	n := 0
	for k, entries := range of {
		n += batchCount(len(entries), k)
	}
	batches = reslice.ResizeDirty(batches, n)
	rest := batches
	for k, entries := range of {
		for i := range batchCount(len(entries), k) {
			rest[0].hold(entriesOf(entries, k, i), idle+int32(k))
			rest = rest[1:]
		}
	}
	return batches
}

// hold fills a batch with contacts and their states.
func (b *batch) hold(entries []entry, idle int32) {
	b.used = int64(len(entries))
	for k, e := range entries {
		k &= lanes - 1
		b.contacts[k], b.a[k], b.b[k] = e.slot*contactSize, e.a*stateSize, e.b*stateSize
	}
	for k := len(entries); k < lanes; k++ {
		b.contacts[k], b.a[k], b.b[k] = entries[0].slot*contactSize, idle*stateSize, idle*stateSize
	}
}

// batchCount returns the number of batches for the entries of colour k.
func batchCount(entries, k int) int {
	if k == overflow {
		return entries // one batch for each entry, because entries of this colour may have bodies in common
	}
	return (entries + lanes - 1) / lanes
}

// entriesOf returns the entries of batch i of colour k.
func entriesOf(entries []entry, k, i int) []entry {
	if k == overflow {
		return entries[i : i+1]
	}
	return entries[i*lanes : min(len(entries), (i+1)*lanes)]
}

// each yields the colour of each contact that the last step has solved.
func (s *graph) each(yield func(contact int32, colour int)) {
	for k := range s.painted[:min(len(s.painted), s.regions.count+1)] {
		for i, entries := range &s.painted[k].colours {
			for _, e := range entries {
				if s.set.Contacts.All[e.slot].ID != 0 {
					yield(e.slot, i)
				}
			}
		}
	}
}
