package fast

import (
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/reslice"
)

// toiLinks lists the candidates of each body. If an event moves or wakes a body, the body's
// candidates are found in its list. Bodies are numbered by their index in mirror.bodies.
type toiLinks struct {
	asleep []bool  // by body: whether the body slept when its candidates were last checked
	heads  []int32 // by body: the newest entry of the body's list, or -1
	next   []int32 // by entry: the next older entry of the same body, or -1; the entries 2k and 2k+1 belong to the two bodies of candidate k
}

// linkTOIs lists the candidates of each body.
func (s *Stepper) linkTOIs() {
	l := &s.toi.links
	n := len(s.mirror.bodies)
	l.asleep, l.heads = reslice.ResizeDirty(l.asleep, n), reslice.ResizeDirty(l.heads, n)
	for i, b := range s.mirror.bodies {
		l.asleep[i], l.heads[i] = !awake(b), -1
	}
	l.next = l.next[:0]
	for _, i := range s.toi.candidates {
		s.linkTOI(&s.mirror.contacts[i])
	}
}

// linkTOI adds the next candidate to the lists of its bodies. Static bodies have no list, because
// they neither move nor wake. Here M_islandIndex is the number of a body in the owner.
func (s *Stepper) linkTOI(r *contactRef) {
	l := &s.toi.links
	for _, b := range [...]*box2d.B2Body{r.bA, r.bB} {
		next := int32(-1)
		if b.M_type != b2.StaticBody {
			head := &l.heads[s.mirror.index[b.M_islandIndex]]
			next, *head = *head, int32(len(l.next))
		}
		l.next = append(l.next, next)
	}
}

// movedTOI marks the candidates of a body, so that they are checked again.
func (s *Stepper) movedTOI(b *box2d.B2Body) {
	t := &s.toi
	if n := int32(b.M_islandIndex); s.mirror.has(n) {
		for e := t.links.heads[s.mirror.index[n]]; e >= 0; e = t.links.next[e] {
			t.queue.dirty = append(t.queue.dirty, e/2)
		}
	}
}

// wokenTOI calls movedTOI if the body has woken since its candidates were last checked.
func (s *Stepper) wokenTOI(b *box2d.B2Body) {
	if n := int32(b.M_islandIndex); s.mirror.has(n) {
		if asleep := &s.toi.links.asleep[s.mirror.index[n]]; *asleep && awake(b) {
			*asleep = false
			s.movedTOI(b)
		}
	}
}

// addTOICandidates adds the candidates that an event has created, and the candidates of bodies that
// the event has woken.
func (s *Stepper) addTOICandidates() {
	t, m := &s.toi, &s.mirror
	m.extend(callbacksMayWrite) // callbacksMayWrite does not change flags
	from := t.scanned
	if from == len(m.contacts) {
		return
	}
	bodies, old := len(m.bodies), len(t.candidates)
	m.indexFrom(from)
	if inOrder := s.scanTOICandidates(); !inOrder || len(m.bodies) > bodies {
		s.computeAllTOIs()
		s.linkTOIs()
		return
	}
	for i := from; i < len(m.contacts); i++ {
		s.wokenTOI(m.contacts[i].bA)
		s.wokenTOI(m.contacts[i].bB)
	}
	for k := old; k < len(t.candidates); k++ {
		s.linkTOI(&m.contacts[t.candidates[k]])
		t.queue.add()
		t.queue.dirty = append(t.queue.dirty, int32(k))
	}
}

// computeAllTOIs computes all unknown times of impact. It uses the library's order, because each
// computation may advance sweeps that the next computation reads.
func (s *Stepper) computeAllTOIs() {
	t := &s.toi
	t.queue.dirty = t.queue.dirty[:0]
	t.queue.alphas = reslice.ResizeDirty(t.queue.alphas, len(t.candidates))
	for k := len(t.candidates) - 1; k >= 0; k-- {
		t.queue.alphas[k] = s.candidateTOI(int32(k))
	}
	t.queue.build()
}

// computeDirtyTOIs computes the times of impact of the candidates that may have changed.
func (s *Stepper) computeDirtyTOIs() {
	t := &s.toi
	slices.SortFunc(t.queue.dirty, func(a, b int32) int { return int(b - a) }) // the newest first
	for _, k := range slices.Compact(t.queue.dirty) {
		t.queue.set(k, s.candidateTOI(k))
	}
	t.queue.dirty = t.queue.dirty[:0]
}

// candidateTOI returns the time of impact of a candidate, or 1 if the candidate has no event.
func (s *Stepper) candidateTOI(k int32) float64 {
	t := &s.toi
	t.queue.checks++
	r := &s.mirror.contacts[t.candidates[k]]
	c := r.c
	if c.M_flags&b2.ContactEnabled == 0 || c.M_toiCount > box2d.B2_maxSubSteps ||
		c.M_flags&b2.ContactTOI == 0 && !t.computeTOI(r) || !(c.M_toi < 1) { // this is also true if M_toi is not a number
		return 1
	}
	return c.M_toi
}
