package world

import (
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
)

// lateRecord is a structure record that waits until its tick has been captured. It concerns a removal, or a shape or joint
// with a new look.
type lateRecord struct {
	kind  body2d.StructureKind
	slot  int32  // the slot of a body that is removed or loses a shape
	id    uint32 // the number of the removed shape or joint
	joint Joint  // joint is the joint of a JointAdded.
	shape Shape  // shape is the shape of a ShapeAdded.
}

// dying is a body that a contact hook destroyed after a step. The tick of the step is captured next, and shows the body in
// this state.
type dying struct {
	slot  int32
	state body2d.State
	freed bool // the slot is free already, because a step back has removed the body
}

// news is the world's output: events, and structure records.
type news struct {
	b2       *box2d.B2World
	when     *moment
	registry *registry
	places   *places

	out        *buffer.Outbox[Event] // nil until Start
	scrap      Event
	rejected   uint64                // the number of rejected commands
	unstamped  []*body2d.Structure   // records that have no tick yet
	late       []lateRecord          // records that wait until the last step's tick has been captured
	leaving    []body2d.Structure    // records of removals since the last step, for new readers; see leaves
	departures *buffer.Outbox[Event] // scratch memory of leaves
}

// announceAll announces all bodies with their shapes, and then all joints, the oldest first.
func (n *news) announceAll() {
	for r := n.registry.first; r != nil; r = r.next {
		n.announceWhole(r)
	}
	var all []*joint
	for j := n.b2.M_jointList; j != nil; j = j.GetNext() {
		if r := jointOf(j); r != nil {
			all = append(all, r)
		}
	}
	for _, r := range slices.Backward(all) {
		n.announceJoint(r)
	}
}

// announceWhole announces a body with its shapes.
func (n *news) announceWhole(r *body) {
	n.announceBody(r, body2d.BodyAdded)
	for _, s := range r.shapes {
		n.announceShape(s)
	}
}

// announceTo announces all bodies, shapes and joints in a log for one reader. It returns the records that need a tick.
func (n *news) announceTo(log *buffer.Log[body2d.Structure]) []*body2d.Structure {
	out, unstamped := n.out, n.unstamped
	n.out, n.unstamped = &buffer.Outbox[Event]{Structure: log}, nil
	n.announceAll()
	for _, bodies := range []bool{true, false} { // bodies come first, because shapes and joints belong to them
		for i := range n.leaving {
			if r := &n.leaving[i]; (r.Kind == body2d.BodyAdded) == bodies {
				*n.record(r.Kind) = *r
			}
		}
	}
	made := n.unstamped
	n.out, n.unstamped = out, unstamped
	return made
}

// record appends a structure record. Between two steps the tick of the record is not known yet: if the loop publishes the last
// step's state again, that state shows the change. If not, the next state shows it. The method restamp sets the tick later.
func (n *news) record(kind body2d.StructureKind) *body2d.Structure {
	s := n.out.Structure.Next()
	*s = body2d.Structure{Kind: kind, Tick: n.when.event()}
	if n.when.phase == idle {
		n.unstamped = append(n.unstamped, s)
	}
	return s
}

// restamp sets the tick of all records since the last step or capture.
func (n *news) restamp(tick uint64) {
	for i, s := range n.unstamped {
		s.Tick = tick
		n.unstamped[i] = nil
	}
	n.unstamped = n.unstamped[:0]
}

// announceBody announces a body that is new or has a new look. Before Start it does nothing.
func (n *news) announceBody(r *body, kind body2d.StructureKind) {
	if n.out == nil {
		return
	}
	s := n.record(kind)
	s.Slot, s.Generation = r.slot, n.places.slots[r.slot].generation
	s.Handle, s.Name, s.Colour = uint64(r.handle), r.name, r.colour
	s.BodyType = r.b.M_type
	s.Mass = float32(r.b.M_mass)
	s.LocalX = float32(r.b.M_sweep.LocalCenter.X)
	s.LocalY = float32(r.b.M_sweep.LocalCenter.Y)
}

// announceShape announces a shape, with a record for each part of the shape's drawing.
func (n *news) announceShape(s *shape) {
	if n.out == nil {
		return
	}
	geometries(s, func(g body2d.Geometry) {
		r := n.record(body2d.ShapeAdded)
		r.Slot, r.ID, r.Handle, r.Name, r.Shape = s.of.slot, s.id, uint64(s.handle), s.name, g
		r.Filter = body2d.Filter(s.filter)
		if r.Colour = s.colour; r.Colour == (body2d.Colour{}) {
			r.Colour = s.of.colour
		}
	})
}

// announceShapeAnew announces that a shape with a new look, filter or material was removed and
// added again.
func (n *news) announceShapeAnew(s *shape) {
	n.announceRemoved(body2d.ShapeRemoved, s.of.slot, s.id)
	n.announceInTime(lateRecord{kind: body2d.ShapeAdded, shape: s.handle})
}

func (n *news) announceJoint(j *joint) {
	if n.out == nil {
		return
	}
	s := n.record(body2d.JointAdded)
	s.ID, s.Handle, s.Name, s.Joint = j.id, uint64(j.handle), j.name, j.geometry()
}

// announceRemoved announces a removal, as soon as announceInTime allows it. A body has no id, and a joint has no slot.
func (n *news) announceRemoved(kind body2d.StructureKind, slot int32, id uint32) {
	n.announceInTime(lateRecord{kind: kind, slot: slot, id: id})
}

// announceInTime makes a record. If the last step has not been captured yet, the method release makes the record later,
// because the tick of that step still shows the old structure.
func (n *news) announceInTime(l lateRecord) {
	if n.when.phase == after && n.out != nil {
		n.late = append(n.late, l)
		return
	}
	n.announce(l)
}

// leaves stores the records that the function announce makes when a body, shape or joint is removed after a step. The current
// tick still shows the removed object, so a reader that joins now must get these records from announceTo.
func (n *news) leaves(announce func()) {
	if n.when.phase == after {
		n.depart(announce)
	}
}

// depart does the work of leaves for a tick that has not been captured yet.
func (n *news) depart(announce func()) {
	if n.out == nil {
		return
	}
	if n.departures == nil {
		n.departures = &buffer.Outbox[Event]{Structure: buffer.NewLog[body2d.Structure]()}
	}
	out, unstamped, log := n.out, n.unstamped, n.departures.Structure
	n.out, n.unstamped = n.departures, nil
	announce()
	n.out, n.unstamped = out, unstamped
	for r := log.Peek(log.Count()); r != nil; r = log.Peek(log.Count()) {
		n.leaving = append(n.leaving, *r)
		log.Take()
	}
	log.Trim()
}

// announce makes the record l, unless its shape or joint no longer exists.
func (n *news) announce(l lateRecord) {
	if n.out == nil {
		return
	}
	switch l.kind {
	case body2d.JointAdded:
		if j := n.registry.joints[l.joint]; j != nil {
			n.announceJoint(j)
		}
	case body2d.ShapeAdded:
		if s := n.registry.shapes[l.shape]; s != nil {
			n.announceShape(s)
		}
	default:
		r := n.record(l.kind)
		r.Slot, r.ID = l.slot, l.id
	}
}

// release is called before a command, a step or a restore, if the last step's tick has been captured. It makes the records
// that announceInTime has put off, and frees the slots of dying bodies.
func (w *World) release() {
	for _, l := range w.news.late {
		w.news.announce(l)
	}
	w.news.late, w.news.leaving = w.news.late[:0], w.news.leaving[:0]
	for _, d := range w.places.dying {
		if d.freed {
			w.places.changed.Mark(d.slot)
		} else {
			w.places.freeSlot(d.slot)
		}
	}
	w.places.dying = w.places.dying[:0]
}
