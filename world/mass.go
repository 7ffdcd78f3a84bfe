package world

import (
	"fmt"
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
	"halfstep/internal/box/b2"
)

// inertiaMargin is how much of the inertia about the origin must be left about
// the centre of mass. Box2D asserts that something is left; rounding eats
// about 1e-16 for every shape.
const inertiaMargin = 1e-12

// tally adds up mass as B2Body.ResetMassData will, which asserts that an inertia about the
// centre of mass is positive.
type tally struct{ b2.MassSum }

// add adds a shape and reports why Box2D could not take the sum.
func (t *tally) add(s box2d.B2ShapeInterface, density float64) error {
	if density == 0 {
		return nil
	}
	m := b2.MassOf(s, density)
	t.Add(&m)
	if !within(t.Mass, maxValue*maxValue) || !within(t.I, maxValue*maxValue) {
		return fmt.Errorf("world: mass %v or inertia %v is out of range", t.Mass, t.I)
	}
	if t.Mass > 0 {
		about := b2.InertiaAbout(t.I, t.Mass, t.Centre())
		if t.I > 0 && !(about > t.I*inertiaMargin) {
			return fmt.Errorf("world: the shape is too far from the body's origin for its size")
		}
		if math.IsInf(1/t.Mass, 0) || t.I > 0 && math.IsInf(1/about, 0) {
			return fmt.Errorf("world: mass %v or inertia %v is too small", t.Mass, about)
		}
	}
	return nil
}

// checkMass is the error of a mass that Box2D could not work out: that of r as a body of a
// kind, without one shape and plus another one; either may be nil.
func (w *World) checkMass(r *body, kind uint8, without *shape, plus box2d.B2ShapeInterface, density float64) error {
	if kind != b2.DynamicBody {
		return nil
	}
	// The masses of large bodies are kept. An odd one is so large, small or far out that sums
	// with it must be checked; sums of all others are fine.
	if known := w.weightsOf(r); known != nil && known.odd == 0 {
		if plus == nil {
			return nil
		}
		if m := weigh(plus, density); !isOdd(&m) {
			return nil
		}
	}
	var t tally
	for _, s := range r.shapes {
		if s == without {
			continue
		}
		if err := t.add(s.fix.M_shape, s.fix.M_density); err != nil {
			return err
		}
	}
	if plus != nil {
		return t.add(plus, density)
	}
	return nil
}

// keepCentre returns a function to call after a change of a body's mass. It announces another
// mass or centre to whoever draws, and keeps a centre that has moved from being blended.
func (w *World) keepCentre(r *body) func() {
	mass, centre := r.b.M_mass, r.b.M_sweep.LocalCenter
	return func() {
		if r.b.M_sweep.LocalCenter != centre {
			w.jumped(r)
		} else if r.b.M_mass == mass {
			return
		}
		w.announceBody(r, body2d.BodyChanged)
	}
}
