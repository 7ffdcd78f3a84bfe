package world

import (
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
	"halfstep/internal/box/b2state"
)

// bodyLook and shapeLook are what was shown before a restore.
type bodyLook struct {
	rec           *body
	centre, local box2d.B2Vec2
	mass          float64
	angle         float64
	kind          uint8
	name          string
	colour        body2d.Colour
}

type shapeLook struct {
	alive, changed bool
	colour         body2d.Colour
	filter         Filter
	material       Material
	segments       []Material
}

// noteBodies notes what restoring will change of bodies and shapes, and marks what
// will be there.
func (w *World) noteBodies(s *Snapshot) {
	w.bodyLooks = w.bodyLooks[:0]
	for i := range w.slots {
		n := bodyLook{rec: w.slots[i].rec}
		if b := w.slots[i].b; b != nil {
			n.centre, n.local, n.angle, n.kind = b.M_sweep.C, b.M_sweep.LocalCenter, b.M_sweep.A, b.M_type
			n.mass = b.M_mass
			n.name, n.colour = n.rec.name, n.rec.colour
		}
		w.bodyLooks = append(w.bodyLooks, n)
	}
	for i := range s.bodies {
		s.bodies[i].at.seen = w.restores
	}
	w.shapeLooks = w.shapeLooks[:0]
	for i := range s.shapes {
		r := s.shapes[i].at
		r.seen = w.restores
		w.shapeLooks = append(w.shapeLooks, shapeLook{alive: w.shapes[r.handle] == r, colour: r.colour, filter: r.filter, material: r.material, segments: r.segments})
	}
}

// noteJoints does so for joints.
func (w *World) noteJoints(s *Snapshot) {
	w.jointLooks = w.jointLooks[:0]
	for i := range s.joints {
		r := s.joints[i].at
		r.seen = w.restores
		var line body2d.JointGeometry
		if w.joints[r.handle] == r {
			line = w.jointGeometry(r)
		}
		w.jointLooks = append(w.jointLooks, line)
	}
}

// announceRestored announces the bodies and shapes that came back or look
// different.
func (w *World) announceRestored(s *Snapshot, past *b2state.Past) {
	if w.out == nil {
		return
	}
	for i := range s.bodies {
		r := s.bodies[i].at
		var was bodyLook
		if int(r.slot) < len(w.bodyLooks) {
			was = w.bodyLooks[r.slot]
		}
		if was.rec != r {
			w.announceBody(r, body2d.BodyAdded)
			for _, sh := range r.shapes {
				w.announceShape(sh)
			}
			continue
		}
		if was.kind != r.b.M_type || was.local != r.b.M_sweep.LocalCenter || was.mass != r.b.M_mass || was.name != r.name || was.colour != r.colour {
			w.announceBody(r, body2d.BodyChanged)
		}
	}
	past.Changed(func(f *box2d.B2Fixture) {
		if sh := shapeOf(f); sh != nil {
			w.shapeLooks[sh.index].changed = true
		}
	})
	for i, look := range w.shapeLooks {
		sh := s.shapes[i].at
		switch r := sh.of; {
		case int(r.slot) >= len(w.bodyLooks) || w.bodyLooks[r.slot].rec != r: // announced with its body
		case !look.alive:
			w.announceShape(sh)
		case look.changed || look.colour != sh.colour || look.filter != sh.filter || look.material != sh.material || !slices.Equal(look.segments, sh.segments):
			w.announce(lateRecord{kind: body2d.ShapeRemoved, slot: r.slot, id: sh.id})
			w.announceShape(sh)
		}
	}
}

// announceJoints does so for joints.
func (w *World) announceJoints(s *Snapshot) {
	if w.out == nil {
		return
	}
	for i := range slices.Backward(s.joints) { // oldest first
		r := s.joints[i].at
		switch line := w.jointGeometry(r); {
		case w.jointLooks[i] == body2d.JointGeometry{}:
			w.announceJoint(r)
		case w.jointLooks[i] != line:
			w.announce(lateRecord{kind: body2d.JointRemoved, id: r.id})
			w.announceJoint(r)
		}
	}
}
