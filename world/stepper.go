package world

import (
	"halfstep/buffer/phase"
	"halfstep/physicsloop/stepper"
	"halfstep/physicsloop/stepper/active"
	"halfstep/physicsloop/stepper/soft"
)

// follower is a stepper that tells its stages.
type follower interface {
	Follow(l *phase.Lane)
	Close()
}

// chooseStep sets how the world is stepped.
func (w *World) chooseStep() {
	workers, pairs := max(w.cfg.Workers, 1), w.cfg.MaxContacts*pairsPerContact
	switch w.cfg.Stepper {
	case StockStep:
		w.step = w.stockStep
	case SoftStep:
		w.soft = soft.New(w.b2, soft.Options{
			SubSteps: w.cfg.SubSteps, Workers: workers, MaxPairs: pairs, TooManyPairs: ErrCrowded,
		})
		w.stepper, w.step = w.soft, w.soft.Step
	default:
		w.active = active.New(w.b2, true)
		s := stepper.New(w.b2, stepper.Options{
			Workers: workers, MaxPairs: pairs, TooManyPairs: ErrCrowded, Watch: &w.watch, Active: w.active,
		})
		w.stepper, w.step = s, s.Step
	}
}

// findContacts creates the contacts of shapes that have moved.
func (w *World) findContacts() {
	if w.active != nil && w.active.Current() {
		w.active.FindNewContacts()
		return
	}
	w.b2.M_contactManager.FindNewContacts()
}

// refresh brings the manifolds of Box2D's contacts up to date. The soft stepper
// does not write them in every step.
func (w *World) refresh() {
	if w.soft != nil {
		w.soft.Refresh()
	}
}

var _ soft.Listener = (*listener)(nil)

// reread follows a change of a contact's friction, restitution or tangent speed.
func (w *World) reread() {
	if w.soft != nil {
		w.soft.Reread()
	}
}

// WantsPreSolve reports whether there is a hook to ask, or a one-way shape.
func (l *listener) WantsPreSolve() bool { return l.preSolve != nil || l.hasOneWay }

// WantsPostSolve reports that only contacts that have begun are of interest.
func (l *listener) WantsPostSolve() bool { return false }
