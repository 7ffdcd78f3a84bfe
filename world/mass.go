package world

import (
	"fmt"
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
	"halfstep/internal/box/b2"
)

// inertiaMargin is the least inertia about the centre of mass, as a fraction of the inertia about the origin.
// Box2D asserts that the inertia about the centre is positive. For each shape, rounding removes a fraction of
// about 1e-16.
const inertiaMargin = 1e-12

// tally adds up the masses of shapes as B2Body.ResetMassData does. That method panics if the inertia about the
// centre of mass is not positive, and tally finds such a sum in advance.
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

// checkMass returns an error if Box2D could not compute the mass of r as a body of the given kind. The shape
// without is removed before, and the shape plus is added with the given density. Either shape may be nil.
func (k *masses) checkMass(r *body, kind uint8, without *shape, plus box2d.B2ShapeInterface, density float64) error {
	if kind != b2.DynamicBody {
		return nil
	}
	// A body of many shapes has stored weights. If no shape is odd (see isOdd), every sum is valid.
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

// keepCentre stores the mass of a body and its centre. It returns a function that must be called after a possible
// change. That function announces a new mass or centre to renderers, and prevents blending if the centre has
// moved.
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
