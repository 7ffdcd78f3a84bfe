package world

import (
	"math"
	"slices"

	"github.com/ByteArena/box2d"
)

// weights are the masses of a body's shapes, in order of creation. Box2D works
// them out from every corner of every shape whenever one shape comes, goes or
// changes its density. They are kept for bodies of many shapes until a restore, or
// until Box2D's own objects have been lent.
type weights struct {
	of  []box2d.B2MassData
	odd int // shapes that only a tally can judge
}

// fewShapes is up to how many shapes Box2D may do it.
const fewShapes = 16

// weightsOf returns those of r, or nil if Box2D is to do it.
func (w *World) weightsOf(r *body) *weights {
	if len(r.shapes) <= fewShapes || w.lent || r.b.M_fixtureCount != len(r.shapes) {
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
	if density != 0 {
		s.ComputeMass(&m, density)
	}
	return m
}

// isOdd reports whether a sum of up to MaxBodyShapes shapes with this one among
// them may be one that Box2D does not take. The inertia of a sum about its centre
// is at least that of its shapes about theirs.
func isOdd(m *box2d.B2MassData) bool {
	if m.Mass == 0 && m.I == 0 {
		return false
	}
	own := m.I - m.Mass*box2d.B2Vec2Dot(m.Center, m.Center)
	return !(m.Mass > 1e-9 && m.Mass < 1e18 && m.I > 1e-12 && m.I < 1e24 && own > 1e-10*m.I)
}

func (t *weights) add(m box2d.B2MassData) {
	t.of = append(t.of, m)
	if isOdd(&m) {
		t.odd++
	}
}

func (t *weights) set(i int, m box2d.B2MassData) {
	if isOdd(&t.of[i]) {
		t.odd--
	}
	if t.of[i] = m; isOdd(&m) {
		t.odd++
	}
}

func (t *weights) remove(i int) {
	t.set(i, box2d.B2MassData{})
	t.of = slices.Delete(t.of, i, i+1)
}

// sumMass is B2Body.ResetMassData, with masses that are known: the same sums in
// the same order.
func (w *World) sumMass(r *body) {
	b := r.b
	t := w.weightsOf(r)
	if t == nil || b.M_type != box2d.B2BodyType.B2_dynamicBody {
		b.ResetMassData()
		return
	}
	var mass, inertia, x, y float64
	for i := len(t.of) - 1; i >= 0; i-- {
		m := &t.of[i]
		mass += m.Mass
		x += float64(m.Mass * m.Center.X) // never fused: the same on every machine
		y += float64(m.Mass * m.Center.Y)
		inertia += m.I
	}
	centre := box2d.B2Vec2{X: x, Y: y}
	b.M_mass, b.M_invMass, b.M_I, b.M_invI = 1, 1, 0, 0
	if mass > 0 {
		b.M_mass, b.M_invMass = mass, 1/mass
		centre.OperatorScalarMulInplace(b.M_invMass)
	}
	if inertia > 0 && !b.IsFixedRotation() {
		b.M_I = inertia - float64(b.M_mass*box2d.B2Vec2Dot(centre, centre))
		box2d.B2Assert(b.M_I > 0)
		b.M_invI = 1 / b.M_I
	}
	old := b.M_sweep.C
	b.M_sweep.LocalCenter = centre
	b.M_sweep.C0 = box2d.B2TransformVec2Mul(b.M_xf, centre)
	b.M_sweep.C = b.M_sweep.C0
	b.M_linearVelocity.OperatorPlusInplace(
		box2d.B2Vec2CrossScalarVector(b.M_angularVelocity, box2d.B2Vec2Sub(b.M_sweep.C, old)))
}

// destroyFixture takes a shape from its body. It is B2Body.DestroyFixture: the
// fixture is put into a list of its own meanwhile, so that it is not looked for, and
// the masses of the others are not worked out.
func (w *World) destroyFixture(s *shape) {
	r, i := s.of, s.place()
	b, f := r.b, s.fix
	known := w.weightsOf(r)
	if known == nil {
		b.DestroyFixture(f)
		r.shapes = slices.Delete(r.shapes, i, i+1)
		return
	}
	before := &b.M_fixtureList
	if i+1 < len(r.shapes) {
		before = &r.shapes[i+1].fix.M_next // the list begins with the newest
	}
	*before = f.M_next
	rest, sweep, velocity := b.M_fixtureList, b.M_sweep, b.M_linearVelocity
	f.M_next, b.M_fixtureList = nil, f
	b.DestroyFixture(f)
	b.M_fixtureList, b.M_sweep, b.M_linearVelocity = rest, sweep, velocity
	known.remove(i)
	r.shapes = slices.Delete(r.shapes, i, i+1)
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
