package world

import (
	"fmt"
	"math"

	"github.com/ByteArena/box2d"
)

// inertiaMargin is how much of the inertia about the origin must be left about
// the centre of mass. Box2D asserts that something is left; rounding eats
// about 1e-16 for every shape.
const inertiaMargin = 1e-12

// tally adds up mass as B2Body.ResetMassData does, which asserts that the
// inertia about the centre of mass is positive: it is asked first.
type tally struct {
	mass, inertia float64
	centre        box2d.B2Vec2 // times mass
}

// add adds a shape and reports why Box2D could not take the sum.
func (t *tally) add(s box2d.B2ShapeInterface, density float64) error {
	if density == 0 {
		return nil
	}
	var m box2d.B2MassData
	s.ComputeMass(&m, density)
	t.mass += m.Mass
	t.inertia += m.I
	t.centre = box2d.B2Vec2Add(t.centre, box2d.B2Vec2MulScalar(m.Mass, m.Center))
	if !within(t.mass, maxValue*maxValue) || !within(t.inertia, maxValue*maxValue) {
		return fmt.Errorf("world: mass %v or inertia %v is out of range", t.mass, t.inertia)
	}
	if t.mass > 0 {
		c := box2d.B2Vec2MulScalar(1/t.mass, t.centre)
		about := t.inertia - t.mass*box2d.B2Vec2Dot(c, c)
		if t.inertia > 0 && !(about > t.inertia*inertiaMargin) {
			return fmt.Errorf("world: the shape is too far from the body's origin for its size")
		}
		if math.IsInf(1/t.mass, 0) || t.inertia > 0 && math.IsInf(1/about, 0) {
			return fmt.Errorf("world: mass %v or inertia %v is too small", t.mass, about)
		}
	}
	return nil
}

// checkMass reports whether the mass of r can be worked out once without is
// gone and plus is there; either may be nil.
func (w *World) checkMass(r *body, without *shape, plus box2d.B2ShapeInterface, density float64) error {
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

// overrideMass puts the mass given outright back in place: Box2D forgets it
// whenever it works the mass out from the shapes.
func (r *body) overrideMass() {
	if r.mass == nil {
		return
	}
	r.b.SetMassData(&box2d.B2MassData{Mass: r.mass.Mass, Center: b2vec(r.mass.Centre), I: r.mass.Inertia})
}

// keepCentre returns a function to call after a change that may move the
// centre of mass: a moved centre is announced, and not blended.
func (w *World) keepCentre(r *body) func() {
	old := r.b.M_sweep.LocalCenter
	return func() {
		if r.b.M_sweep.LocalCenter != old {
			w.jumped(r)
			w.announceChanged(r)
		}
	}
}
