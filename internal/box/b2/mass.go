package b2

import (
	"math"

	"github.com/ByteArena/box2d"
)

// MassOf computes the mass of a shape, like ComputeMass. It rounds each product by float64, so
// that the compiler does not fuse a product with a sum.
func MassOf(sh box2d.B2ShapeInterface, density float64) (m box2d.B2MassData) {
	switch sh := sh.(type) {
	case *box2d.B2CircleShape:
		r := sh.M_radius
		m.Mass, m.Center = density*math.Pi*r*r, sh.M_p
		m.I = m.Mass * (float64(0.5*r*r) + Dot(sh.M_p, sh.M_p))
	case *box2d.B2PolygonShape:
		return polygonMass(sh, density)
	case *RoundPolygon:
		return sh.mass(density)
	default: // lines have no mass
		var computed box2d.B2MassData // m itself would be allocated for each shape
		sh.ComputeMass(&computed, density)
		return computed
	}
	return m
}

// polygonMass computes the mass of a polygon, like ComputeMass. It is the sum over the triangles
// between an inner point and each edge.
func polygonMass(sh *box2d.B2PolygonShape, density float64) (m box2d.B2MassData) {
	const third = 1.0 / 3
	vs := sh.M_vertices[:sh.M_count]
	var inside, centre box2d.B2Vec2
	for _, v := range vs {
		inside = box2d.B2Vec2Add(inside, v)
	}
	inside = Times(1/float64(len(vs)), inside)
	area := 0.0
	for i, v := range vs {
		a, b := box2d.B2Vec2Sub(v, inside), box2d.B2Vec2Sub(vs[(i+1)%len(vs)], inside)
		d := Cross(a, b)
		area += float64(0.5 * d)
		centre = Plus(centre, float64(float64(0.5*d)*third), box2d.B2Vec2Add(a, b))
		xx := float64(a.X*a.X) + float64(b.X*a.X) + float64(b.X*b.X)
		yy := float64(a.Y*a.Y) + float64(b.Y*a.Y) + float64(b.Y*b.Y)
		m.I += float64(float64(0.25*third*d) * (xx + yy))
	}
	m.Mass = density * area
	centre = Times(1/area, centre)
	m.Center = box2d.B2Vec2Add(centre, inside)
	m.I = float64(density*m.I) + float64(m.Mass*(Dot(m.Center, m.Center)-Dot(centre, centre)))
	return m
}

// MassSum is the sum of the masses of a body's shapes, as in B2Body.ResetMassData.
type MassSum struct {
	Mass, I float64      // I is the inertia about the body's origin
	moment  box2d.B2Vec2 // the sum of mass times centre
}

// Add adds the mass of a shape.
func (t *MassSum) Add(m *box2d.B2MassData) {
	t.Mass += m.Mass
	t.moment = Plus(t.moment, m.Mass, m.Center)
	t.I += m.I
}

// Centre returns the centre of mass. It is 0 if the mass is 0.
func (t *MassSum) Centre() box2d.B2Vec2 {
	if t.Mass > 0 {
		return Times(1/t.Mass, t.moment)
	}
	return t.moment
}

// InertiaAbout returns the inertia about the centre of mass.
func InertiaAbout(inertia, mass float64, centre box2d.B2Vec2) float64 {
	return inertia - float64(mass*Dot(centre, centre))
}

// SumMass returns the sum of the masses of a body's fixtures.
func SumMass(b *box2d.B2Body) (t MassSum) {
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		if f.M_density != 0 {
			m := MassOf(f.M_shape, f.M_density)
			t.Add(&m)
		}
	}
	return t
}

// SetMass is B2Body.SetMassData.
func SetMass(b *box2d.B2Body, m *box2d.B2MassData) {
	if b.M_type != DynamicBody {
		return
	}
	b.M_mass, b.M_I, b.M_invI = m.Mass, 0, 0
	if b.M_mass <= 0 {
		b.M_mass = 1 // a dynamic body must have a mass
	}
	b.M_invMass = 1 / b.M_mass
	if m.I > 0 && b.M_flags&BodyFixed == 0 {
		b.M_I = InertiaAbout(m.I, b.M_mass, m.Center)
		box2d.B2Assert(b.M_I > 0)
		b.M_invI = 1 / b.M_I
	}
	old := b.M_sweep.C
	b.M_sweep.LocalCenter = m.Center
	b.M_sweep.C0 = Transform(&b.M_xf, m.Center)
	b.M_sweep.C = b.M_sweep.C0
	b.M_linearVelocity = Swing(b.M_linearVelocity, b.M_angularVelocity, box2d.B2Vec2Sub(b.M_sweep.C, old))
}

// ResetMass is B2Body.ResetMassData.
func ResetMass(b *box2d.B2Body) {
	if b.M_type != DynamicBody {
		b.ResetMassData() // the body has no mass
		return
	}
	sum := SumMass(b)
	SetSum(b, &sum)
}

// SetSum sets the mass of a dynamic body, like ResetMass, from the sum t of the masses of its
// fixtures.
func SetSum(b *box2d.B2Body, t *MassSum) {
	SetMass(b, &box2d.B2MassData{Mass: t.Mass, Center: t.Centre(), I: t.I})
}
