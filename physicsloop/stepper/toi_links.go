package stepper

import "github.com/ByteArena/box2d"

// toiLinks lists the candidates of each body, so that those of a body that an
// event has moved or woken are found without a look at the others. It holds from
// the first event of a step to the last. Meanwhile each body's M_islandIndex is
// its index in mirror.bodies.
type toiLinks struct {
	islandIndex []int   // by body: M_islandIndex as the library has it
	asleep      []bool  // by body: it slept when its candidates were last looked at
	heads       []int32 // by body: the newest entry of its list, or -1
	next        []int32 // entries 2k and 2k+1 are those of candidate k's bodies
}

// linkTOIs lists the candidates of each body.
func (s *Stepper) linkTOIs() {
	l := &s.toi.links
	n := len(s.mirror.bodies)
	l.islandIndex, l.asleep, l.heads = grow(l.islandIndex, n), grow(l.asleep, n), grow(l.heads, n)
	for i, b := range s.mirror.bodies {
		l.islandIndex[i], b.M_islandIndex = b.M_islandIndex, i
		l.asleep[i], l.heads[i] = !awake(b), -1
	}
	l.next = l.next[:0]
	for _, i := range s.toi.candidates {
		l.add(&s.mirror.contacts[i])
	}
}

// unlinkTOIs gives the bodies their island indices back.
func (s *Stepper) unlinkTOIs() {
	for i, b := range s.mirror.bodies {
		b.M_islandIndex = s.toi.links.islandIndex[i]
	}
}

// add lists the next candidate with its bodies. Static ones neither move nor wake.
func (l *toiLinks) add(r *contactRef) {
	for _, b := range [...]*box2d.B2Body{r.bA, r.bB} {
		next := int32(-1)
		if b.M_type != staticBody {
			head := &l.heads[b.M_islandIndex]
			next, *head = *head, int32(len(l.next))
		}
		l.next = append(l.next, next)
	}
}

// moved has the candidates of a body looked at again.
func (t *toiSolver) moved(b *box2d.B2Body) {
	for e := t.links.heads[b.M_islandIndex]; e >= 0; e = t.links.next[e] {
		t.queue.dirty = append(t.queue.dirty, e/2)
	}
}

// woken does the same if the body has been woken since the last look.
func (t *toiSolver) woken(b *box2d.B2Body) {
	if asleep := &t.links.asleep[b.M_islandIndex]; *asleep && awake(b) {
		*asleep = false
		t.moved(b)
	}
}

// addTOICandidates adds the candidates that an event has created. Their bodies
// have been woken.
func (s *Stepper) addTOICandidates() {
	t := &s.toi
	for i := t.scanned; i < len(s.mirror.contacts); i++ {
		t.woken(s.mirror.contacts[i].bA)
		t.woken(s.mirror.contacts[i].bB)
	}
	old := len(t.candidates)
	s.scanTOICandidates()
	for k := old; k < len(t.candidates); k++ {
		t.links.add(&s.mirror.contacts[t.candidates[k]])
		t.queue.add()
		t.queue.dirty = append(t.queue.dirty, int32(k))
	}
}

// lookAtAllTOIs computes the times of impact that are not known, in the
// library's order: each may advance the sweeps that the next begins with.
func (s *Stepper) lookAtAllTOIs() {
	t := &s.toi
	t.queue.dirty = t.queue.dirty[:0]
	t.queue.alphas = grow(t.queue.alphas, len(t.candidates))
	for k := len(t.candidates) - 1; k >= 0; k-- {
		t.queue.alphas[k] = s.lookAtTOI(int32(k))
	}
	t.queue.build()
}

// lookAtDirtyTOIs does the same for those that may have changed.
func (s *Stepper) lookAtDirtyTOIs() {
	t := &s.toi
	for _, k := range t.queue.sortDirty() {
		t.queue.set(k, s.lookAtTOI(k))
	}
	t.queue.dirty = t.queue.dirty[:0]
}

// lookAtTOI returns a candidate's time of impact, 1 if it has none.
func (s *Stepper) lookAtTOI(k int32) float64 {
	t := &s.toi
	t.queue.looks++
	r := &s.mirror.contacts[t.candidates[k]]
	c := r.c
	if c.M_flags&contactEnabled == 0 || c.M_toiCount > box2d.B2_maxSubSteps {
		return 1
	}
	if c.M_flags&contactTOI == 0 && !t.computeTOI(r) {
		return 1
	}
	if !(c.M_toi < 1) { // or not a number
		return 1
	}
	return c.M_toi
}
