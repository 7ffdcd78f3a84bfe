package world

import (
	"github.com/ByteArena/box2d"

	"halfstep/box/fast"
	"halfstep/internal/box"
	"halfstep/internal/box/soft"
	"halfstep/internal/phasetrace"
)

// follower is a stepper that reports the phases of a step to l, for profiles.
type follower interface {
	Follow(l *phasetrace.Recorder)
	Close()
}

// chooseStep makes the world's stepper, and the parts that depend on the kind of stepper.
func (w *World) chooseStep() {
	pairs := w.cfg.MaxContacts * pairsPerContact
	w.box = box.New(w.b2, true) // true: all edits are reported to the box
	w.places.box, w.places.when, w.places.registry = w.box, &w.when, &w.registry
	w.news.b2, w.news.when, w.news.registry, w.news.places = w.b2, &w.when, &w.registry, &w.places
	w.forces.box, w.forces.when, w.forces.places = w.box, &w.when, &w.places
	w.masses.box = w.box
	w.crowd.box, w.crowd.cfg = w.box, &w.cfg
	w.surfaces.box, w.surfaces.cfg = w.box, &w.cfg
	k := &w.contacts
	k.box, k.cfg, k.code, k.when, k.registry = w.box, &w.cfg, &w.callbacks, &w.when, &w.registry
	k.places, k.news, k.surfaces = &w.places, &w.news, &w.surfaces
	w.links.b2, w.links.box, w.links.registry, w.links.news = w.b2, w.box, &w.registry, &w.news
	h := &w.hashes
	h.b2, h.box, h.cfg, h.surfaces, h.forces = w.b2, w.box, &w.cfg, &w.surfaces, &w.forces
	w.keeping.box, w.keeping.registry, w.keeping.places, w.keeping.news, w.keeping.masses = w.box, &w.registry, &w.places, &w.news, &w.masses
	a := &w.aftermath
	a.b2, a.box, a.when, a.places, a.news, a.links = w.b2, w.box, &w.when, &w.places, &w.news, &w.links
	w.space.box, w.space.guard, w.space.registry = w.box, &w.guard, &w.registry
	w.box.Edited = func(b *box2d.B2Body) {
		if r := recordOf(b); r != nil { // a body made through World.Box2D has no slot
			w.places.changed.Mark(r.slot)
		}
	}
	w.box.Rules.Calm, w.box.Rules.CalmSpeed, w.box.Rules.CalmSpin = w.aftermath.calm, calmSpeed, impactSpin
	w.box.Rules.LocksSliders = true
	w.surfaces.applyRules()
	switch w.cfg.Stepper {
	case SoftStep:
		w.soft = soft.New(w.b2, soft.Options{
			SubSteps: w.cfg.SubSteps, Workers: w.cfg.Workers, MaxPairs: pairs, TooManyPairs: ErrCrowded, Listener: (*listener)(w), Active: w.box,
		})
		w.stepper, w.step = w.soft, w.soft.Step
	default:
		s := fast.New(w.b2, fast.Options{
			Workers: w.cfg.Workers, MaxPairs: pairs, TooManyPairs: ErrCrowded, Watch: &w.watch, Active: w.box,
		})
		w.stepper, w.step = s, s.Step
	}
	w.contacts.soft, w.links.soft, w.hashes.soft, w.aftermath.soft = w.soft, w.soft, w.soft, w.soft
	w.outlines.shared = w.soft != nil
	if w.soft == nil { // the soft stepper has the listener already
		w.box.Listen((*listener)(w))
	}
	w.aftermath.lookAt, w.aftermath.looked = w.aftermath.lookBlock, make([]looked, 1)
	w.keeping.open(w.b2, w.soft)
}

// Method returns the number of the method that moves bodies. Recordings and snapshots contain it, so that
// those of another method are refused. The number is always 1 for FastStep. For SoftStep it grows with
// every change of results.
func (s Stepper) Method() int {
	if s == SoftStep {
		return soft.Method
	}
	return 1
}

var _ soft.Listener = (*listener)(nil)

// WantsPreSolve reports whether the steppers must call PreSolve. This is so if there is a hook or a one-way shape.
func (l *listener) WantsPreSolve() bool { return l.preSolve != nil || l.surfaces.hasOneWay }

// WantsPostSolve reports whether the steppers must also call PostSolve for older contacts. One of these may have passed
// through a one-way shape and become solid in this step.
func (l *listener) WantsPostSolve() bool { return l.contacts.landed }
