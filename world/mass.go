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

// tally adds up the masses of shapes as B2Body.ResetMassData will, to find out beforehand
// whether that would panic: it asserts that the inertia about the centre of mass is positive.
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

// checkMass returns an error if Box2D could not work out the mass that r would have as a body of
// a kind, without one of its shapes and plus a new one with a density. Both shapes may be nil.
func (k *masses) checkMass(r *body, kind uint8, without *shape, plus box2d.B2ShapeInterface, density float64) error {
	if kind != b2.DynamicBody {
		return nil
	}
	// The masses of bodies of many shapes are kept. If none is odd (see isOdd), neither is any
	// sum of them.
	if known := k.weightsOf(r); known != nil && known.odd == 0 {
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

// keepCentre notes the mass of a body and its centre, and returns a function to call after they
// may have changed. That announces another mass or centre to whoever draws, and keeps a centre
// that has moved from being blended.
func (w *World) keepCentre(r *body) func() {
	mass, centre := r.b.M_mass, r.b.M_sweep.LocalCenter
	return func() {
		if r.b.M_sweep.LocalCenter != centre {
			w.places.jumped(r)
		} else if r.b.M_mass == mass {
			return
		}
		w.news.announceBody(r, body2d.BodyChanged)
	}
}
