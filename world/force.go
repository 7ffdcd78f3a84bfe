package world

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// Force pushes a body at its centre of mass, with a force in N; the package
// comment says for how long. Forces and impulses do nothing to a body that is
// not dynamic.
func (w *World) Force(b Body, force Vec) error {
	r, err := w.mutable(b, checkVec("force", force, maxValue))
	if err == nil {
		w.load(r, force, 0)
	}
	return err
}

// ForceAt pushes a body at a point of the world, m, with a force in N. The torque
// that this makes stays the same while the force acts.
func (w *World) ForceAt(b Body, force, at Vec) error {
	r, err := w.mutable(b, checkVec("force", force, maxValue), checkVec("point", at, maxPosition))
	if err == nil {
		arm := box2d.B2Vec2Sub(b2vec(at), r.b.M_sweep.C)
		w.load(r, force, b2.Cross(arm, b2vec(force)))
	}
	return err
}

// Torque turns a body, with a torque in N·m, for as long as a Force acts.
func (w *World) Torque(b Body, torque float64) error {
	r, err := w.mutable(b, checkNumber("torque", torque))
	if err == nil {
		w.load(r, Vec{}, torque)
	}
	return err
}

// load adds a force to the frame's total, or to that of one step.
func (w *World) load(r *body, f Vec, torque float64) {
	w.touch(r)
	l := &r.frame
	if w.scheduled || w.phase != idle {
		l = &r.once
	} else if r.given != w.frame {
		r.frame, r.given = load{}, w.frame
	}
	l.force.X += f.X
	l.force.Y += f.Y
	l.torque += torque
	w.listLoad(r)
}

func (w *World) listLoad(r *body) {
	if !r.loaded {
		r.loaded = true
		w.loaded = append(w.loaded, r)
	}
}

// applyLoads gives Box2D this step's forces. It wakes each body in every step:
// Box2D drops the forces of a body that falls asleep.
func (w *World) applyLoads() {
	for _, r := range w.loaded {
		b := r.b
		if b != nil && r.aim.state == aiming {
			w.head(r, w.dt)
		}
		f := Vec{r.frame.force.X + r.once.force.X, r.frame.force.Y + r.once.force.Y}
		torque := r.frame.torque + r.once.torque
		if b == nil || f == (Vec{}) && torque == 0 || b.M_type != box2d.B2BodyType.B2_dynamicBody {
			continue
		}
		w.box.AddForce(b, b2vec(f), torque, true)
	}
}

func (w *World) dropLoads(frame bool) {
	kept := w.loaded[:0]
	for _, r := range w.loaded {
		if frame {
			r.frame = load{}
		} else {
			r.once = load{}
			if r.aim.state == aiming {
				r.aim = aim{state: arrived}
			}
		}
		if r.b != nil && (r.frame != load{} || r.once != load{} || r.aim != aim{}) {
			kept = append(kept, r)
		} else {
			r.loaded = false
		}
	}
	clear(w.loaded[len(kept):])
	w.loaded = kept
}

// setLoads puts forces back that waited for a step.
func (w *World) setLoads(list []loaded) {
	for _, r := range w.loaded {
		r.frame, r.once, r.aim, r.loaded = load{}, load{}, aim{}, false
	}
	w.loaded = refill(w.loaded, nil)
	for i := range list {
		l := &list[i]
		l.of.frame, l.of.once, l.of.aim, l.of.given, l.of.loaded = l.frame, l.once, l.aim, w.frame-l.ago, true
		w.loaded = append(w.loaded, l.of)
	}
}

// Impulse changes a body's velocity at once, by an impulse in N·s at its centre
// of mass.
func (w *World) Impulse(b Body, impulse Vec) error {
	r, err := w.mutable(b, checkVec("impulse", impulse, maxValue))
	if err == nil {
		w.box.Push(r.b, b2vec(impulse))
		w.kicked(r)
	}
	return err
}

// ImpulseAt changes a body's velocity and angular velocity at once, by an
// impulse in N·s at a point of the world, m.
func (w *World) ImpulseAt(b Body, impulse, at Vec) error {
	r, err := w.mutable(b, checkVec("impulse", impulse, maxValue), checkVec("point", at, maxPosition))
	if err == nil {
		w.box.PushAt(r.b, b2vec(impulse), b2vec(at))
		w.kicked(r)
	}
	return err
}

// AngularImpulse changes a body's angular velocity at once, by an impulse in
// N·m·s.
func (w *World) AngularImpulse(b Body, impulse float64) error {
	r, err := w.mutable(b, checkNumber("angular impulse", impulse))
	if err == nil {
		w.box.Turn(r.b, impulse)
		w.kicked(r)
	}
	return err
}
