package world

import (
	"math"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// weights are the masses of a body's shapes, in order of creation. Box2D works
// them out from every corner of every shape whenever one shape comes, goes or
// changes its density. They are kept for bodies of many shapes until a restore, or
// until Box2D's own objects have been exposed.
type weights struct {
	of  []box2d.B2MassData
	odd int // shapes for which isOdd holds
}

// fewShapes is up to how many shapes Box2D may do it.
const fewShapes = 16

// weightsOf returns those of r, or nil if Box2D is to do it.
func (w *World) weightsOf(r *body) *weights {
	if len(r.shapes) <= fewShapes || w.box.Exposed() || r.b.M_fixtureCount != len(r.shapes) {
		delete(w.weighed, r)
		return nil
	}
	if t := w.weighed[r]; t != nil {
		return t
	}
	t := &weights{of: make([]box2d.B2MassData, 0, len(r.shapes))}
	f := r.b.M_fixtureList // newest first
	for i := len(r.shapes) - 1; i >= 0; i, f = i-1, f.M_next {
		if r.shapes[i].fix != f {
			return nil
		}
	}
	for _, s := range r.shapes {
		t.add(weigh(s.fix.M_shape, s.fix.M_density))
	}
	w.weighed[r] = t
	return t
}

// weigh is a shape's mass. Without a density it has none, wherever it is.
func weigh(s box2d.B2ShapeInterface, density float64) (m box2d.B2MassData) {
	if density == 0 {
		return m
	}
	return b2.MassOf(s, density)
}

// isOdd reports whether a sum of up to MaxBodyShapes shapes with this one among
// them may be one that Box2D does not take. The inertia of a sum about its centre
// is at least that of its shapes about theirs.
func isOdd(m *box2d.B2MassData) bool {
	if m.Mass == 0 && m.I == 0 {
		return false
	}
	own := b2.InertiaAbout(m.I, m.Mass, m.Center)
	return !(m.Mass > 1e-9 && m.Mass < 1e18 && m.I > 1e-12 && m.I < 1e24 && own > 1e-10*m.I)
}

// add appends the mass of a shape that was made last.
func (t *weights) add(m box2d.B2MassData) {
	t.of = append(t.of, m)
	if isOdd(&m) {
		t.odd++
	}
}

// set changes the mass of shape i.
func (t *weights) set(i int, m box2d.B2MassData) {
	if isOdd(&t.of[i]) {
		t.odd--
	}
	if t.of[i] = m; isOdd(&m) {
		t.odd++
	}
}

// remove takes out shape i.
func (t *weights) remove(i int) {
	t.set(i, box2d.B2MassData{})
	t.of = slices.Delete(t.of, i, i+1)
}

// sumMass works out the mass of r, with the masses of its shapes where they are known: the
// same sums in the same order. A mass given outright comes in its place, which Box2D forgets
// whenever it works the mass out.
func (w *World) sumMass(r *body) {
	var sum *b2.MassSum
	if t := w.weightsOf(r); t != nil {
		sum = new(b2.MassSum)
		for i := len(t.of) - 1; i >= 0; i-- {
			sum.Add(&t.of[i])
		}
	}
	w.box.SumMass(r.b, sum)
	w.overrideMass(r)
}

// overrideMass gives a body the mass that was given to it outright, if one was.
func (w *World) overrideMass(r *body) {
	if r.mass != nil {
		w.box.SetMass(r.b, &box2d.B2MassData{Mass: r.mass.Mass, Center: b2vec(r.mass.Centre), I: r.mass.Inertia})
	}
}

// destroyFixture takes a shape from its body.
func (w *World) destroyFixture(s *shape) {
	r, i := s.of, s.place()
	var newer *box2d.B2Fixture
	if known := w.weightsOf(r); known != nil { // Box2D's list is in order, too
		known.remove(i)
		if i+1 < len(r.shapes) {
			newer = r.shapes[i+1].fix
		}
	}
	r.shapes = slices.Delete(r.shapes, i, i+1)
	w.box.DestroyFixture(s.fix, newer)
	w.sumMass(r)
}

// place is where s is among the shapes of its body.
func (s *shape) place() int {
	i, found := slices.BinarySearchFunc(s.of.shapes, s.id, func(o *shape, id uint32) int { return int(o.id) - int(id) })
	if !found || s.of.shapes[i] != s {
		i = slices.Index(s.of.shapes, s)
	}
	return i
}

// isStill reports whether mass that is worked out once for several changes moves
// a body as if it had been worked out after each: no velocity changes with its centre.
func isStill(b *box2d.B2Body) bool {
	v := b.M_linearVelocity
	return b.M_angularVelocity == 0 && !(v.X == 0 && math.Signbit(v.X)) && !(v.Y == 0 && math.Signbit(v.Y))
}
