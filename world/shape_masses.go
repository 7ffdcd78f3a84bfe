package world

import (
	"math"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// weights are the masses of a body's shapes, in order of creation. Box2D computes all masses again, from every
// corner of every shape, whenever a shape is added, removed or changes its density. The world stores the masses
// for bodies with many shapes, until a restore or until the program gets Box2D's own objects.
type weights struct {
	of  []box2d.B2MassData
	odd int // the number of odd shapes, see isOdd
}

// masses stores the masses of the shapes of bodies with many shapes. A change of one shape then computes only one
// mass again.
type masses struct {
	box     *box.World
	weighed map[*body]*weights
}

// fewShapes is the greatest number of shapes of a body whose masses are not stored.
const fewShapes = 16

// weightsOf returns the stored masses of the shapes of r, or nil if Box2D must compute them.
func (k *masses) weightsOf(r *body) *weights {
	if len(r.shapes) <= fewShapes || k.box.Exposed() || r.b.M_fixtureCount != len(r.shapes) {
		delete(k.weighed, r)
		return nil
	}
	if t := k.weighed[r]; t != nil {
		return t
	}
	t := &weights{of: make([]box2d.B2MassData, 0, len(r.shapes))}
	f := r.b.M_fixtureList // the list begins with the newest fixture
	for i := len(r.shapes) - 1; i >= 0; i, f = i-1, f.M_next {
		if r.shapes[i].fix != f {
			return nil
		}
	}
	for _, s := range r.shapes {
		t.add(weigh(s.fix.M_shape, s.fix.M_density))
	}
	k.weighed[r] = t
	return t
}

// weigh returns a shape's mass data. They are all zero if the density is 0.
func weigh(s box2d.B2ShapeInterface, density float64) (m box2d.B2MassData) {
	if density == 0 {
		return m
	}
	return b2.MassOf(s, density)
}

// isOdd reports whether a shape is so light, so heavy or so far from the origin that Box2D might refuse the mass or
// inertia of a body with this shape. The body may have up to MaxBodyShapes other shapes. A body's inertia about its
// centre is at least the sum of the inertias of its shapes about their own centres.
func isOdd(m *box2d.B2MassData) bool {
	if m.Mass == 0 && m.I == 0 {
		return false
	}
	own := b2.InertiaAbout(m.I, m.Mass, m.Center)
	return !(m.Mass > 1e-9 && m.Mass < 1e18 && m.I > 1e-12 && m.I < 1e24 && own > 1e-10*m.I)
}

// add appends the mass of a new shape.
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

// remove removes shape i.
func (t *weights) remove(i int) {
	t.set(i, box2d.B2MassData{})
	t.of = slices.Delete(t.of, i, i+1)
}

// sumMass computes the mass of r with the same sums in the same order as Box2D. It uses the stored weights of the
// shapes if there are any. If the body's definition gives a mass, sumMass then sets that mass, because Box2D
// overwrites it with each sum.
func (k *masses) sumMass(r *body) {
	var sum *b2.MassSum // nil means Box2D adds up the masses
	if t := k.weightsOf(r); t != nil {
		sum = new(b2.MassSum)
		for i := len(t.of) - 1; i >= 0; i-- {
			sum.Add(&t.of[i])
		}
	}
	k.box.SumMass(r.b, sum)
	k.overrideMass(r)
}

// overrideMass sets the mass that the body's definition has given, if there is one.
func (k *masses) overrideMass(r *body) {
	if r.mass != nil {
		k.box.SetMass(r.b, &box2d.B2MassData{Mass: r.mass.Mass, Center: b2vec(r.mass.Centre), I: r.mass.Inertia})
	}
}

// destroyFixture removes a shape from its body.
func (k *masses) destroyFixture(s *shape) {
	r, i := s.of, s.place()
	var newer *box2d.B2Fixture                 // the next newer fixture of the body, so that Box2D need not search for s; nil if there is none
	if known := k.weightsOf(r); known != nil { // Box2D's list has the same order, reversed
		known.remove(i)
		if i+1 < len(r.shapes) {
			newer = r.shapes[i+1].fix
		}
	}
	r.shapes = slices.Delete(r.shapes, i, i+1)
	k.box.DestroyFixture(s.fix, newer)
	k.sumMass(r)
}

// place returns the index of s in the list of its body's shapes.
func (s *shape) place() int {
	i, found := slices.BinarySearchFunc(s.of.shapes, s.id, func(o *shape, id uint32) int { return int(o.id) - int(id) })
	if !found || s.of.shapes[i] != s {
		i = slices.Index(s.of.shapes, s)
	}
	return i
}

// isStill reports whether one computation of a body's mass after several changes gives the same bits as one after
// each change. It is false for a turning body, whose velocity changes with its centre of mass.
func isStill(b *box2d.B2Body) bool {
	v := b.M_linearVelocity
	return b.M_angularVelocity == 0 && !(v.X == 0 && math.Signbit(v.X)) && !(v.Y == 0 && math.Signbit(v.Y))
}
