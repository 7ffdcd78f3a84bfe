package world

import (
	"errors"
	"fmt"
	"maps"

	"halfstep/internal/box/b2state"
)

// Snapshot takes the state of the world into s. It can be called wherever a World
// can be used, except in the PreSolve and ShouldCollide hooks, where it returns
// [ErrStepping]. In a controller or contact hook the snapshot is of that moment, in the middle of the
// calls: those to follow are made again only where it is restored at the same
// place. What waits for the end of the step by [World.Later] is no part of it.
//
// Another error means that s is empty: the world holds a contact or joint that is not
// Box2D's own, or a [Stateful] failed.
func (w *World) Snapshot(s *Snapshot) error {
	err := w.snapshot(s)
	if err == nil {
		s.takeScheduled(w)
	}
	return err
}

// snapshot is Snapshot without the commands that wait.
func (w *World) snapshot(s *Snapshot) error {
	w.checkGoroutine()
	if w.phase == stepping {
		return ErrStepping
	}
	if s == nil {
		return errNil
	}
	if s.of != nil && s.of != w {
		s.empty()
	}
	unedited := w.unedited(s)
	w.recount()
	if err := w.keeping.past.Save(&s.b2); err != nil {
		s.empty()
		if errors.Is(err, b2state.ErrLocked) {
			return ErrStepping // a step panicked
		}
		return fmt.Errorf("world: no snapshot: %w", err)
	}
	if s.slots = w.keeping.slots; w.soft != nil {
		w.soft.Save(&s.soft)
	}
	s.control.take(&w.callbacks)
	if err := s.takeStates(); err != nil {
		s.empty()
		return err
	}
	s.of, s.loading, s.edits = w, nil, w.edits
	s.saved, s.counters = w.saved, w.counters
	if !unedited {
		w.dropRecords(s.recordSet)
		s.recordSet = w.shareRecords()
	}
	if !unedited || s.jointed != w.jointEdits {
		s.takeJoints(w)
	}
	s.takeLoads(w)
	s.takeFree(w)
	s.events, s.drawings = refill(s.events, w.contacts), refill(s.drawings, w.drawings)
	s.scheduled = refill(s.scheduled, nil)
	s.numbered = maps.Clone(w.numbered)
	return nil
}

// unedited reports whether the bodies and shapes of a snapshot are those of the
// world as it is, but for what a step changes of them.
func (w *World) unedited(s *Snapshot) bool {
	if w.box.Exposed() {
		w.edited()
	}
	return s.of == w && s.edits == w.edits
}

func (s *Snapshot) takeJoints(w *World) {
	joints := s.joints[:0]
	for j := w.b2.M_jointList; j != nil; j = j.GetNext() {
		if r := jointOf(j); r != nil {
			joints = append(joints, kept[joint]{r, *r})
		}
	}
	s.joints, s.jointed = cleared(s.joints, joints), w.jointEdits
}

func (s *Snapshot) takeLoads(w *World) {
	list := s.loaded[:0]
	for _, r := range w.loaded {
		if r.b != nil {
			l := loaded{of: r, frame: r.frame, once: r.once, aim: r.aim}
			if l.frame != (load{}) {
				l.ago = w.frame - r.given
			}
			list = append(list, l)
		}
	}
	s.loaded = cleared(s.loaded, list)
}
