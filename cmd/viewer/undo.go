package main

import (
	"halfstep/world"
)

// Each change by the user is a command, which a recording keeps. It begins with a snapshot,
// which is another command, and undo restores that: the world goes back to the moment before
// the change.

// undoable is a change that can be taken back.
type undoable struct {
	what   string
	number int // the snapshot's
	saved  savedControls
	chosen world.Body // in the inspector, of the right half or not
	right  bool
}

// mostUndo is how many changes can be taken back. Their snapshots follow viewerSnapshot.
const mostUndo = 8

// edit makes a change that can be taken back, in both halves. It says why it cannot.
func (s *session) edit(what string, f func(*player)) bool {
	if s.isPast() {
		return false
	}
	s.letGo() // or undo would bring back what pulls
	number := viewerSnapshot + 1 + s.changes%mostUndo
	s.changes++
	s.undos = append(s.undos, undoable{what, number, s.controls(), s.inspect.body, s.inspect.right})
	if len(s.undos) > mostUndo {
		s.undos = s.undos[1:]
	}
	s.engines(func(e *player) {
		if e.engine != nil {
			e.KeepSnapshot(number)
		}
		f(e)
	})
	s.count(what)
	return true
}

// undo takes the last change back, with all that has happened since.
func (s *session) undo() {
	n := len(s.undos) - 1
	switch {
	case s.isPast():
		return
	case n < 0:
		s.say("nothing to undo")
		return
	case s.player.engine == nil || s.right != nil && s.right.player.engine == nil:
		s.say("only the engine's own loop takes changes back")
		return
	}
	u := s.undos[n]
	s.undos = s.undos[:n]
	s.letGo()
	s.engines(func(e *player) {
		if e.engine != nil {
			e.RestoreSnapshot(u.number)
		}
	})
	s.restoreControls(&u.saved)
	if s.inspect.body == 0 {
		s.inspect.awaited, s.inspect.right = u.chosen, u.right
	}
	s.say("undone: " + u.what)
}
