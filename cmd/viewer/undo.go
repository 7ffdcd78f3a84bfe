package main

import (
	"time"

	"halfstep/world"
)

// Each change by the user is a command, which a recording keeps. It begins with a snapshot,
// which is another command, and to undo restores that. What the world was when it was left is a
// moment, too, so that to redo goes forward to it; what was done since stays.

// moment is a state of the world that can be gone back to.
type moment struct {
	what   string // the change that was made then; "" is where the user left a branch
	tick   uint64
	before int // the moment of the change before, or -1
	next   int // the moment that was left for this one, or -1
	saved  savedControls
	chosen world.Body // in the inspector, of the right half or not
	right  bool
	builds bool // it makes, joins, deletes or changes a body, which the user may want to save
}

// moments are all moments of a world, by their numbers. The oldest are forgotten.
type moments struct {
	all     []moment // the number of the first is first
	first   int
	last    int    // the moment of the last change, or -1
	restore int    // the moment that was restored, if nothing was changed since, or -1
	stored  int    // the last one when the world was saved, or -1
	lost    int    // the newest that is forgotten and builds, or -1
	most    int    // how many there can be
	control string // the control that is held and has begun a change; see editWith
	were    []wereAt
}

// wereAt is what moments.last and restore have been since a tick: who goes on from the past needs
// those of then.
type wereAt struct {
	tick          uint64
	last, restore int
}

// How many moments a world has: the snapshots share this memory, each with so much for a body.
const (
	momentsMemory = 16 << 20 // bytes
	momentBody    = 1500     // bytes
)

func newMoments() moments { return moments{last: -1, restore: -1, stored: -1, lost: -1} }

// of is the moment of a number, or nil if there is none or it is forgotten.
func (m *moments) of(n int) *moment {
	if n < m.first || n >= m.first+len(m.all) {
		return nil
	}
	return &m.all[n-m.first]
}

// snapshot is the number of the snapshot of a moment; they follow viewerSnapshot.
func (m *moments) snapshot(n int) int { return viewerSnapshot + 1 + n%m.most }

// keep takes a snapshot of what is, before a change or to come back.
func (s *session) keep(what string) (n int) {
	m := &s.moments
	if m.most == 0 {
		m.most = min(max(momentsMemory/(momentBody*(16+int(s.view.Counts.Bodies))), 8), world.MaxSnapshots-2)
	}
	if len(m.all) == m.most {
		if m.all[0].builds {
			m.lost = m.first
		}
		m.all, m.first = m.all[1:], m.first+1
	}
	n = m.first + len(m.all)
	m.all = append(m.all, moment{what, s.player.Demanded(), m.last, -1, s.controls(), s.inspect.body, s.inspect.right, false})
	s.engines(func(e *player) {
		if e.engine != nil {
			e.KeepSnapshot(m.snapshot(n))
		}
	})
	return n
}

// mark is called before a change. It says why there cannot be one.
func (s *session) mark(what string) bool {
	if s.refusesChange() {
		return false
	}
	s.moments.turnTo(s.player.Demanded(), s.keep(what), -1)
	s.handled = true
	s.count(what)
	return true
}

// edit makes a change that can be taken back, in both halves.
func (s *session) edit(what string, f func(*player)) bool {
	s.letGo() // or undo would bring back the joint of a drag
	if !s.mark(what) {
		return false
	}
	s.moments.of(s.moments.last).builds = true
	s.engines(f)
	return true
}

// editWith reports whether a control may change something. What one does while it is held is a
// single change.
func (s *session) editWith(control, what string) bool {
	if s.moments.control == control {
		return !s.refusesChange()
	}
	s.letGo()
	ok := s.mark(what)
	if ok {
		s.moments.control = control
	}
	return ok
}

// undo takes the last change back, with all that has happened since.
func (s *session) undo() {
	n := s.moments.last
	if u := s.moments.of(n); u == nil {
		s.say("nothing to undo")
	} else if what := u.what; s.goToMoment(n) {
		s.say("undone: " + what + "; " + s.keys.first("redo") + " brings it back")
	}
}

// redo goes forward to where undo came from.
func (s *session) redo() {
	m := &s.moments
	at := m.of(m.restore)
	if at == nil || m.of(at.next) == nil {
		s.say("nothing to redo")
		return
	}
	if what := at.what; s.goToMoment(at.next) {
		s.say("done again: " + what)
	}
}

// goToMoment restores a moment, and keeps what was until now where that is new.
func (s *session) goToMoment(n int) bool {
	m := &s.moments
	switch {
	case s.refusesChange():
		return false
	case s.player.engine == nil || s.right != nil && s.right.player.engine == nil:
		s.say("only the engine's own loop takes changes back")
		return false
	}
	s.letGo()
	left := m.restore
	if left < 0 {
		left = s.keep("")
	}
	to := m.of(n)
	if to == nil { // it was the oldest, and had to make room
		s.say("too long ago")
		return false
	}
	if was := m.of(left); was.before == n {
		to.next = left
	}
	s.engines(func(e *player) { e.RestoreSnapshot(m.snapshot(n)) })
	m.turnTo(s.player.Demanded(), to.before, n)
	s.restoreControls(&to.saved)
	if s.inspect.body == 0 {
		s.inspect.awaited, s.inspect.right = to.chosen, to.right
	}
	return true
}

// turnTo says which moments are the last and the restored one from now on.
func (m *moments) turnTo(tick uint64, last, restore int) {
	m.last, m.restore = last, restore
	m.were = append(m.were, wereAt{tick, last, restore})
}

// unsaved reports whether something was built that is in no file.
func (m *moments) unsaved() bool {
	for n := m.last; n != m.stored; n = m.of(n).before {
		if m.of(n) == nil {
			return m.lost > m.stored
		}
		if m.of(n).builds {
			return true
		}
	}
	return false
}

// leave does what ends the open scene. What was built and is in no file would be lost: then it
// asks, and does it the second time.
func (v *viewer) leave(by string, do func() error) error {
	if n := &v.notice; !v.moments.unsaved() || n.asks == by && n.shown(time.Now()) {
		n.asks = ""
		return do()
	}
	v.warn("what you built is in no file: " + v.keys.first("save") + " saves it, " + by + " once more gives it up")
	v.notice.asks = by
	return nil
}

// canRedo reports whether there is something to redo.
func (m *moments) canRedo() bool {
	at := m.of(m.restore)
	return at != nil && m.of(at.next) != nil
}

// name says in the list what a moment is.
func (m *moments) name(n int) string {
	at := m.of(n)
	if at.what != "" {
		return "before: " + at.what
	}
	if last := m.of(at.before); last != nil {
		return "after: " + last.what
	}
	return "after all that is forgotten"
}
