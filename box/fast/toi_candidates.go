package fast

import (
	"cmp"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/reslice"
)

// findTOICandidates lists the contacts that may have a time of impact. These are the contacts with a
// bullet or with a body that is not dynamic, and those whose time of impact is already known. If
// callbacks may change which bodies are bullets, it records the present bullets.
func (s *Stepper) findTOICandidates() {
	t := &s.toi
	t.candidates, t.scanned = t.candidates[:0], 0
	if s.listener != nil || s.world.M_contactManager.M_contactListener != nil {
		t.bullets = reslice.ResizeDirty(t.bullets, len(s.mirror.bodies))
		for i, b := range s.mirror.bodies {
			t.bullets[i] = b.M_flags&b2.BodyBullet != 0
		}
	}
	s.scanTOICandidates()
}

// scanTOICandidates searches the contacts that have not been scanned, and adds candidates among
// them. It returns false if a new candidate is older than an earlier one. Then the candidates are
// sorted again.
func (s *Stepper) scanTOICandidates() (inOrder bool) {
	t := &s.toi
	refs := s.mirror.contacts
	if s.mode.callbacks == callbacksNone && t.scanned == 0 { // the array toiCandidate, which solve has set, is still valid
		for i, e := range s.islands.contactBodies[:s.mirror.indexed] {
			if s.islands.toiCandidate[e.a] || s.islands.toiCandidate[e.b] {
				t.candidates = append(t.candidates, int32(i))
			}
		}
		t.scanned = s.mirror.indexed
	}
	inOrder = true
	for i := t.scanned; i < len(refs); i++ {
		r := &refs[i]
		if r.bA.M_type != b2.DynamicBody || r.bB.M_type != b2.DynamicBody ||
			(r.bA.M_flags|r.bB.M_flags)&b2.BodyBullet != 0 || r.c.M_flags&b2.ContactTOI != 0 {
			if n := len(t.candidates); n > 0 && s.mirror.creationOrder(int(t.candidates[n-1])) > s.mirror.creationOrder(i) {
				inOrder = false
			}
			t.candidates = append(t.candidates, int32(i))
		}
	}
	t.scanned = len(refs)
	if !inOrder { // the contacts of a body that an event has woken may be older
		slices.SortFunc(t.candidates, func(a, b int32) int {
			return cmp.Compare(s.mirror.creationOrder(int(a)), s.mirror.creationOrder(int(b)))
		})
	}
	return inOrder
}

// updateTOICandidates adds the candidates among the contacts that an event has created. It scans all
// contacts again if a callback may have changed which bodies are bullets.
func (s *Stepper) updateTOICandidates() {
	t := &s.toi
	bodies := len(s.mirror.bodies)
	if s.mirror.indexFrom(t.scanned); len(s.mirror.bodies) > bodies {
		s.findTOICandidates()
		s.linkTOIs()
		return
	}
	same := func(was bool, b *box2d.B2Body) bool { return was == (b.M_flags&b2.BodyBullet != 0) }
	if (s.listener != nil || s.world.M_contactManager.M_contactListener != nil) && !slices.EqualFunc(t.bullets, s.mirror.bodies, same) {
		s.findTOICandidates()
		return
	}
	s.scanTOICandidates()
}
