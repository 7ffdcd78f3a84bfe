package world

import (
	"slices"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
)

// lateRecord is a structure record that waits until the tick at which it happened has been
// captured: of a removal, or of a shape or joint that looks different from then on.
type lateRecord struct {
	kind  body2d.StructureKind
	slot  int32  // of a body that is removed, or that loses a shape
	id    uint32 // of the shape or joint that is removed
	joint Joint  // of a JointAdded
	shape Shape  // of a ShapeAdded
}

// dying is a body that was destroyed after a step, in a contact hook. The step's tick is still
// to be captured, and shows the body in this state.
type dying struct {
	slot  int32
	state body2d.State
	freed bool // the slot is free already: a step back has taken the body away
}

// announceAll announces all bodies with their shapes, and then all joints, oldest first.
func (w *World) announceAll() {
	for r := w.first; r != nil; r = r.next {
		w.announceWhole(r)
	}
	var all []*joint
	for j := w.b2.M_jointList; j != nil; j = j.GetNext() {
		if r := jointOf(j); r != nil {
			all = append(all, r)
		}
	}
	for _, r := range slices.Backward(all) {
		w.announceJoint(r)
	}
}

// announceWhole announces a body with its shapes.
func (w *World) announceWhole(r *body) {
	w.announceBody(r, body2d.BodyAdded)
	for _, s := range r.shapes {
		w.announceShape(s)
	}
}

// announceTo announces all bodies, shapes and joints in a log for one reader, and returns the
// records that have no tick yet: those that restamp would set.
func (w *World) announceTo(log *buffer.Log[body2d.Structure]) []*body2d.Structure {
	out, unstamped := w.out, w.unstamped
	w.out, w.unstamped = &buffer.Outbox[Event]{Structure: log}, nil
	w.announceAll()
	for _, bodies := range []bool{true, false} { // bodies first: shapes and joints belong to them
		for i := range w.leaving {
			if r := &w.leaving[i]; (r.Kind == body2d.BodyAdded) == bodies {
				*w.record(r.Kind) = *r
			}
		}
	}
	made := w.unstamped
	w.out, w.unstamped = out, unstamped
	return made
}

// record appends a structure record. Between two steps it is not known yet which state will
// show the change: that of the last step, if the loop publishes it again, or that of the next.
// restamp sets the tick when that is known.
func (w *World) record(kind body2d.StructureKind) *body2d.Structure {
	s := w.out.Structure.Next()
	*s = body2d.Structure{Kind: kind, Tick: w.now + w.shift}
	if w.phase == idle {
		w.unstamped = append(w.unstamped, s)
	}
	return s
}

// restamp settles the tick of the records made since the last step or capture.
func (w *World) restamp(tick uint64) {
	for i, s := range w.unstamped {
		s.Tick = tick
		w.unstamped[i] = nil
	}
	w.unstamped = w.unstamped[:0]
}

// announceBody announces a body that is new, or looks different. Before Start it does nothing.
func (w *World) announceBody(r *body, kind body2d.StructureKind) {
	if w.out == nil {
		return
	}
	s := w.record(kind)
	s.Slot, s.Generation = r.slot, w.slots[r.slot].generation
	s.Handle, s.Name, s.Colour = uint64(r.handle), r.name, r.colour
	s.BodyType = r.b.M_type
	s.Mass = float32(r.b.M_mass)
	s.LocalX = float32(r.b.M_sweep.LocalCenter.X)
	s.LocalY = float32(r.b.M_sweep.LocalCenter.Y)
}

// announceShape announces a shape, with a record for each piece of its drawing.
func (w *World) announceShape(s *shape) {
	if w.out == nil {
		return
	}
	geometries(s, func(g body2d.Geometry) {
		r := w.record(body2d.ShapeAdded)
		r.Slot, r.ID, r.Handle, r.Name, r.Shape = s.of.slot, s.id, uint64(s.handle), s.name, g
		r.Filter = body2d.Filter(s.filter)
		if r.Colour = s.colour; r.Colour == (body2d.Colour{}) {
			r.Colour = s.of.colour
		}
	})
}

// announceShapeAnew announces a shape whose look, filter or material has changed, as removed
// and added again.
func (w *World) announceShapeAnew(s *shape) {
	w.announceRemoved(body2d.ShapeRemoved, s.of.slot, s.id)
	w.announceInTime(lateRecord{kind: body2d.ShapeAdded, shape: s.handle})
}

func (w *World) announceJoint(j *joint) {
	if w.out == nil {
		return
	}
	s := w.record(body2d.JointAdded)
	s.ID, s.Handle, s.Name, s.Joint = j.id, uint64(j.handle), j.name, w.jointGeometry(j)
}

// announceRemoved announces a removal, by announceInTime. Bodies have no id, joints no slot.
func (w *World) announceRemoved(kind body2d.StructureKind, slot int32, id uint32) {
	w.announceInTime(lateRecord{kind: kind, slot: slot, id: id})
}

// announceInTime makes a record at once or, after a step that is not captured yet, puts it off
// until release, because that step's tick still shows the old structure.
func (w *World) announceInTime(l lateRecord) {
	if w.phase == after && w.out != nil {
		w.late = append(w.late, l)
		return
	}
	w.announce(l)
}

// leaves keeps the records that announce makes of a body, shape or joint that is removed after
// a step. The tick at hand still shows it, so a reader that joins now must be told of it, by
// announceTo.
func (w *World) leaves(announce func()) {
	if w.phase == after {
		w.depart(announce)
	}
}

// depart is leaves of a tick that is still to be captured.
func (w *World) depart(announce func()) {
	if w.out == nil {
		return
	}
	if w.departures == nil {
		w.departures = &buffer.Outbox[Event]{Structure: buffer.NewLog[body2d.Structure]()}
	}
	out, unstamped, log := w.out, w.unstamped, w.departures.Structure
	w.out, w.unstamped = w.departures, nil
	announce()
	w.out, w.unstamped = out, unstamped
	for r := log.Peek(log.Count()); r != nil; r = log.Peek(log.Count()) {
		w.leaving = append(w.leaving, *r)
		log.Take()
	}
	log.Trim()
}

// announce makes the record of l at once, unless its shape or joint no longer exists.
func (w *World) announce(l lateRecord) {
	if w.out == nil {
		return
	}
	switch l.kind {
	case body2d.JointAdded:
		if j := w.joints[l.joint]; j != nil {
			w.announceJoint(j)
		}
	case body2d.ShapeAdded:
		if s := w.shapes[l.shape]; s != nil {
			w.announceShape(s)
		}
	default:
		r := w.record(l.kind)
		r.Slot, r.ID = l.slot, l.id
	}
}

// release is called before a command, a step or a restore, when the last step's tick has been
// captured. It makes the records that announceInTime has put off, and frees the slots of dying
// bodies.
func (w *World) release() {
	for _, l := range w.late {
		w.announce(l)
	}
	w.late, w.leaving = w.late[:0], w.leaving[:0]
	for _, d := range w.dying {
		if d.freed {
			w.changed.Mark(d.slot)
		} else {
			w.freeSlot(d.slot)
		}
	}
	w.dying = w.dying[:0]
}
