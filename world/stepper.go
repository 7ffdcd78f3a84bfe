package world

import (
	"github.com/ByteArena/box2d"

	"halfstep/box/fast"
	"halfstep/internal/box"
	"halfstep/internal/box/soft"
	"halfstep/internal/lane"
)

// follower is a stepper that tells its stages.
type follower interface {
	Follow(l *lane.Lane)
	Close()
}

func (w *World) chooseStep() {
	pairs := w.cfg.MaxContacts * pairsPerContact
	w.box = box.New(w.b2, w.cfg.Stepper != StockStep)
	w.box.Edited = func(b *box2d.B2Body) {
		if r := recordOf(b); r != nil { // others have no state
			w.changed.Mark(r.slot)
		}
	}
	w.box.IsLost = isLost
	w.applySurfaces()
	switch w.cfg.Stepper {
	case StockStep:
		w.step = w.stockStep
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
	if w.soft == nil {
		w.box.Listen((*listener)(w))
	}
	w.keep()
}

// Method is the number of the method with which bodies are moved. Recordings and
// snapshots name it, so that those of another method are refused. It stays 1 for
// FastStep and StockStep. That of SoftStep grows with every change of its results.
func (s Stepper) Method() int {
	if s == SoftStep {
		return soft.Method
	}
	return 1
}

var _ soft.Listener = (*listener)(nil)

// WantsPreSolve reports whether there is a hook to ask, or a one-way shape.
func (l *listener) WantsPreSolve() bool { return l.preSolve != nil || l.hasOneWay }

// WantsPostSolve reports whether others than contacts that have begun are of interest:
// where one that passed is held now, it has touched before.
func (l *listener) WantsPostSolve() bool { return l.landed }
