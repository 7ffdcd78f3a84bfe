package world

import (
	"fmt"
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
	"halfstep/internal/box/b2"
)

// inertiaMargin is the least fraction of the inertia about the origin that must remain about the
// centre of mass. Box2D asserts that some remains; rounding removes about 1e-16 for every shape.
const inertiaMargin = 1e-12

// tally adds up the masses of shapes like B2Body.ResetMassData, which panics if the inertia
// about the centre of mass is not positive. tally finds that out in advance.
type tally struct{ b2.MassSum }

// add adds a shape to the sum. It returns an error if Box2D could not use the sum.
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

// checkMass returns an error if Box2D could not compute the mass of r as a body of the given
// kind, without one of its shapes and with a new shape of a density. Either shape may be nil.
func (k *masses) checkMass(r *body, kind uint8, without *shape, plus box2d.B2ShapeInterface, density float64) error {
	if kind != b2.DynamicBody {
		return nil
	}
	// Bodies of many shapes store the weights. If no shape is odd (see isOdd), every sum is valid.
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

// keepCentre stores the mass of a body and its centre, and returns a function that must be
// called after a possible change. That function announces a changed mass or centre to renderers,
// and prevents the blending of a moved centre.
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
