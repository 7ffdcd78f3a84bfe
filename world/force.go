package world

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// loaded is a body for which forces wait for a step, or a body that MoveTo moves.
type loaded struct {
	of    *body
	frame load   // acts in every step of a frame
	once  load   // acts in the next step only
	aim   aim    // aim is the aim of MoveTo.
	given uint64 // the number of the frame that gave the force frame; in a Snapshot, the age of that frame in frames
}

// forces are the forces that wait for a step, and the targets of MoveTo.
type forces struct {
	box    *box.World
	when   *moment
	places *places

	loaded []loaded
}

// load is a force at the centre of mass, in N, and a torque, in N·m.
type load struct {
	force  Vec
	torque float64
}

// Force pushes a body at its centre of mass, with a force in N. The package comment says for how long
// the force acts. Only dynamic bodies react to forces and impulses.
func (w *World) Force(b Body, force Vec) error {
	r, err := w.mutable(b, checkVec("force", force, maxValue))
	if err == nil {
		w.forces.load(r, force, 0)
	}
	return err
}

// ForceAt pushes a body at a point of the world, in m, with a force in N. The torque of the force stays
// constant while the force acts.
func (w *World) ForceAt(b Body, force, at Vec) error {
	r, err := w.mutable(b, checkVec("force", force, maxValue), checkVec("point", at, maxPosition))
	if err == nil {
		arm := box2d.B2Vec2Sub(b2vec(at), r.b.M_sweep.C)
		w.forces.load(r, force, b2.Cross(arm, b2vec(force)))
	}
	return err
}

// Torque turns a body, with a torque in N·m. The torque acts as long as a Force would.
func (w *World) Torque(b Body, torque float64) error {
	r, err := w.mutable(b, checkNumber("torque", torque))
	if err == nil {
		w.forces.load(r, Vec{}, torque)
	}
	return err
}

// load adds a force to the body's total for the frame. A force from a command for a tick, from a controller
// or from a hook is added to the total for the next step.
func (o *forces) load(r *body, f Vec, torque float64) {
	of := o.loadOf(r)
	l := &of.frame
	if o.when.scheduled || o.when.phase != idle {
		l = &of.once
	} else if of.given != o.when.frame {
		of.frame, of.given = load{}, o.when.frame
	}
	l.force.X += f.X
	l.force.Y += f.Y
	l.torque += torque
}

// loadOf returns a body's entry in forces.loaded. It makes the entry if there is none. The result is valid
// until another entry is made.
func (o *forces) loadOf(r *body) *loaded {
	if r.loaded == 0 {
		o.loaded = append(o.loaded, loaded{of: r})
		r.loaded = int32(len(o.loaded))
	}
	return &o.loaded[r.loaded-1]
}

// applyLoads gives Box2D the forces of this step. It wakes the pushed bodies in every step, because Box2D
// drops the forces of a body that falls asleep.
func (o *forces) applyLoads() {
	for i := range o.loaded {
		l := &o.loaded[i]
		b := l.of.b
		if b != nil && l.aim.state == aiming {
			o.head(l, o.when.dt)
		}
		f := Vec{l.frame.force.X + l.once.force.X, l.frame.force.Y + l.once.force.Y}
		torque := l.frame.torque + l.once.torque
		if b == nil || f == (Vec{}) && torque == 0 || b.M_type != box2d.B2BodyType.B2_dynamicBody {
			continue
		}
		o.box.AddForce(b, b2vec(f), torque, true) // true: the body stays awake
	}
}

// dropLoads ends the forces of a frame if frame is true. If frame is false, it ends the forces of one step, and
// marks the targets of MoveTo as reached.
func (o *forces) dropLoads(frame bool) {
	kept := o.loaded[:0]
	for _, l := range o.loaded {
		if frame {
			l.frame = load{}
		} else {
			l.once = load{}
			if l.aim.state == aiming {
				l.aim = aim{state: arrived}
			}
		}
		l.of.loaded = 0
		if l.of.b != nil && (l.frame != load{} || l.once != load{} || l.aim != aim{}) {
			kept = append(kept, l)
			l.of.loaded = int32(len(kept))
		}
	}
	clear(o.loaded[len(kept):])
	o.loaded = kept
}

// Impulse changes a body's velocity at once, by an impulse in N·s at its centre
// of mass.
func (w *World) Impulse(b Body, impulse Vec) error {
	r, err := w.mutable(b, checkVec("impulse", impulse, maxValue))
	if err == nil {
		w.box.Push(r.b, b2vec(impulse))
		w.places.velocityChanged(r)
	}
	return err
}

// ImpulseAt changes a body's velocity and angular velocity at once. The impulse is in N·s and acts at a
// point of the world, in m.
func (w *World) ImpulseAt(b Body, impulse, at Vec) error {
	r, err := w.mutable(b, checkVec("impulse", impulse, maxValue), checkVec("point", at, maxPosition))
	if err == nil {
		w.box.PushAt(r.b, b2vec(impulse), b2vec(at))
		w.places.velocityChanged(r)
	}
	return err
}

// AngularImpulse changes a body's angular velocity at once, by an angular impulse in N·m·s.
func (w *World) AngularImpulse(b Body, impulse float64) error {
	r, err := w.mutable(b, checkNumber("angular impulse", impulse))
	if err == nil {
		w.box.Turn(r.b, impulse)
		w.places.velocityChanged(r)
	}
	return err
}
