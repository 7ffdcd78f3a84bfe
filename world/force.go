package world

import "github.com/ByteArena/box2d"

// Force pushes a body at its centre of mass with f, N; the package comment
// says for how long. Like all forces and impulses it does nothing to a body
// that is not dynamic.
func (w *World) Force(b Body, f Vec) error {
	r, err := w.edit(b)
	if err == nil {
		err = checkVec("force", f, maxValue)
	}
	if err == nil {
		w.load(r, f, 0)
	}
	return err
}

// ForceAt pushes a body with f, N, at a point of the world, m. The lever arm is
// that of now.
func (w *World) ForceAt(b Body, f, at Vec) error {
	r, err := w.edit(b)
	if err == nil {
		err = firstError(checkVec("force", f, maxValue), checkVec("point", at, maxPosition))
	}
	if err == nil {
		c := r.b.M_sweep.C
		w.load(r, f, (at.X-c.X)*f.Y-(at.Y-c.Y)*f.X)
	}
	return err
}

// Torque turns a body with t newton metres.
func (w *World) Torque(b Body, t float64) error {
	r, err := w.edit(b)
	if err == nil {
		err = checkNumber("torque", t)
	}
	if err == nil {
		w.load(r, Vec{}, t)
	}
	return err
}

// load adds a force to the frame's total, or to that of one step.
func (w *World) load(r *body, f Vec, torque float64) {
	l := &r.frame
	if w.scheduled || w.phase != idle {
		l = &r.once
	} else if r.given != w.frame {
		r.frame, r.given = load{}, w.frame
	}
	l.force.X += f.X
	l.force.Y += f.Y
	l.torque += torque
	if !r.loaded {
		r.loaded = true
		w.loaded = append(w.loaded, r)
	}
}

// applyLoads gives Box2D this step's forces. It waking each body, every step,
// is what keeps it awake: Box2D wipes the forces of a body that falls asleep.
func (w *World) applyLoads() {
	for _, r := range w.loaded {
		b := r.b
		f := Vec{r.frame.force.X + r.once.force.X, r.frame.force.Y + r.once.force.Y}
		torque := r.frame.torque + r.once.torque
		if b == nil || f == (Vec{}) && torque == 0 || b.M_type != box2d.B2BodyType.B2_dynamicBody {
			continue
		}
		b.SetAwake(true)
		b.M_force.X += f.X
		b.M_force.Y += f.Y
		b.M_torque += torque
	}
}

// dropLoads ends the forces of one step, or those of the frame.
func (w *World) dropLoads(frame bool) {
	kept := w.loaded[:0]
	for _, r := range w.loaded {
		if frame {
			r.frame = load{}
		} else {
			r.once = load{}
		}
		if r.b != nil && (r.frame != load{} || r.once != load{}) {
			kept = append(kept, r)
		} else {
			r.loaded = false
		}
	}
	clear(w.loaded[len(kept):])
	w.loaded = kept
}

// Impulse changes a body's velocity at once, by j newton seconds at its centre
// of mass.
func (w *World) Impulse(b Body, j Vec) error {
	r, err := w.edit(b)
	if err == nil {
		err = checkVec("impulse", j, maxValue)
	}
	if err == nil {
		r.b.ApplyLinearImpulseToCenter(b2vec(j), true)
		w.kicked(r)
	}
	return err
}

// ImpulseAt changes a body's velocities at once, by j newton seconds at a point
// of the world.
func (w *World) ImpulseAt(b Body, j, at Vec) error {
	r, err := w.edit(b)
	if err == nil {
		err = firstError(checkVec("impulse", j, maxValue), checkVec("point", at, maxPosition))
	}
	if err == nil {
		r.b.ApplyLinearImpulse(b2vec(j), b2vec(at), true)
		w.kicked(r)
	}
	return err
}

// AngularImpulse changes a body's angular velocity at once, by j newton metre
// seconds.
func (w *World) AngularImpulse(b Body, j float64) error {
	r, err := w.edit(b)
	if err == nil {
		err = checkNumber("angular impulse", j)
	}
	if err == nil {
		r.b.ApplyAngularImpulse(j, true)
		w.kicked(r)
	}
	return err
}
