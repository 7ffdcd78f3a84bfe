package soft

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// canonicalMass computes a body's mass from its fixtures again. The library has computed the
// mass as well, but on some machines the compiler fuses products and sums there, so that the
// last bits differ. If the mass differs by more than rounding, other code has set it, and
// canonicalMass does not change it.
func canonicalMass(b *box2d.B2Body) {
	fixed := b.M_flags&b2.BodyFixed != 0
	if b.M_type != b2.DynamicBody || fixed && b.M_invI != 0 {
		return
	}
	sum := b2.SumMass(b)
	m, c := sum.Mass, sum.Centre()
	if !(m > 0) {
		return
	}
	inertia := b2.InertiaAbout(sum.I, m, c)
	near := func(a, b, scale float64) bool { return math.Abs(a-b) <= 1e-9*scale }
	lc := b.M_sweep.LocalCenter
	size := 1e-3 + math.Abs(c.X) + math.Abs(c.Y)
	if !near(m, b.M_mass, m) || !near(c.X, lc.X, size) || !near(c.Y, lc.Y, size) || !fixed && !near(inertia, b.M_I, inertia+float64(m*size*size)) {
		return
	}
	b.M_mass, b.M_invMass = m, 1/m
	b.M_sweep.LocalCenter = c
	if !fixed && inertia > 0 {
		b.M_I, b.M_invI = inertia, 1/inertia
	}
}
