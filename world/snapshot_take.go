package world

import (
	"errors"
	"fmt"
	"maps"

	"halfstep/internal/b2state"
)

// Snapshot takes the state of the world into s. It can be called wherever a World
// can be used, except in the PreSolve hook, where it returns [ErrStepping]. In a
// controller or contact hook the snapshot is of that moment, in the middle of the
// calls: those to follow are made again only where it is restored at the same
// place. What waits for the end of the step by [World.Later] is no part of it.
//
// Another error means that s is empty: the world holds a contact or joint that is not
// Box2D's own, or a [Stateful] failed.
func (w *World) Snapshot(s *Snapshot) error {
	w.own()
	if w.phase == stepping {
		return ErrStepping
	}
	if s == nil {
		return errNil
	}
	s.empty()
	if err := s.b2.Save(w.b2, &w.geometry); err != nil {
		if errors.Is(err, b2state.ErrLocked) {
			return ErrStepping // a step panicked
		}
		return fmt.Errorf("world: no snapshot: %w", err)
	}
	if w.soft != nil {
		w.soft.Save(&s.soft)
	}
	c := &s.control
	c.controls, c.hooks = refill(c.controls, w.controls), refill(c.hooks, w.hooks)
	c.preSolve, c.collide, c.states = w.preSolve, w.shouldCollide, refill(c.states, w.states)
	if err := s.takeStates(); err != nil {
		s.empty()
		return err
	}
	s.of, s.vital, s.shift, s.frame, s.made = w, w.vital, w.shift, w.frame, w.made
	s.chosen, s.ids = w.chosen, [...]uint32{w.shapeID, w.jointID}
	s.takeRecords(w)
	s.takeSlots(w)
	s.loaded = refill(s.loaded, w.loaded)
	s.events = refill(s.events, w.contacts)
	s.saved = maps.Clone(w.saved)
	return nil
}

func (s *Snapshot) takeRecords(w *World) {
	for r := w.first; r != nil; r = r.next {
		s.bodies = append(s.bodies, kept[body]{r, *r})
		for _, sh := range r.shapes {
			s.shapes = append(s.shapes, kept[shape]{sh, *sh})
		}
	}
	for j := w.b2.M_jointList; j != nil; j = j.GetNext() {
		if r := jointOf(j); r != nil {
			s.joints = append(s.joints, kept[joint]{r, *r})
		}
	}
}

// takeSlots takes the slots as they are once those of bodies that died after the
// step are free.
func (s *Snapshot) takeSlots(w *World) {
	s.slots, s.free = refill(s.slots, w.slots), refill(s.free, w.free)
	for _, d := range w.dying {
		s.slots[d.slot] = s.slots[d.slot].freed()
		s.free = append(s.free, d.slot)
	}
}
