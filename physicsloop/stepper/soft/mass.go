package soft

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/b2"
)

// canonicalMass gives a body the mass that its fixtures have, computed here. The
// library has computed the same, but its products may be fused on some machines,
// so that the last bits differ. A mass that somebody else has set is left alone.
func canonicalMass(b *box2d.B2Body) {
	if b.M_type != b2.DynamicBody || b.M_flags&0x0010 != 0 && b.M_invI != 0 {
		return
	}
	var m, inertia, cx, cy float64
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		if f.M_density == 0 {
			continue
		}
		fm, fx, fy, fi := massOf(f.M_shape, f.M_density)
		m += fm
		cx += float64(fm * fx)
		cy += float64(fm * fy)
		inertia += fi
	}
	if !(m > 0) {
		return
	}
	cx, cy = float64(cx*(1/m)), float64(cy*(1/m))
	inertia -= float64(m * (float64(cx*cx) + float64(cy*cy)))
	near := func(a, b, scale float64) bool { return math.Abs(a-b) <= 1e-9*scale }
	lc := b.M_sweep.LocalCenter
	size := 1e-3 + math.Abs(cx) + math.Abs(cy)
	fixed := b.M_flags&0x0010 != 0 // fixed rotation
	if !near(m, b.M_mass, m) || !near(cx, lc.X, size) || !near(cy, lc.Y, size) || !fixed && !near(inertia, b.M_I, inertia+float64(m*size*size)) {
		return
	}
	b.M_mass, b.M_invMass = m, 1/m
	b.M_sweep.LocalCenter = box2d.B2Vec2{X: cx, Y: cy}
	if !fixed && inertia > 0 {
		b.M_I, b.M_invI = inertia, 1/inertia
	}
}

// massOf returns the mass, centroid and inertia about the origin of a fixture's
// shape.
func massOf(sh box2d.B2ShapeInterface, density float64) (m, cx, cy, inertia float64) {
	switch sh := sh.(type) {
	case *box2d.B2CircleShape:
		r2 := float64(sh.M_radius * sh.M_radius)
		p := sh.M_p
		m = density * math.Pi * r2
		return m, p.X, p.Y, m * (float64(0.5*r2) + (float64(p.X*p.X) + float64(p.Y*p.Y)))
	case *box2d.B2PolygonShape:
		n := sh.M_count
		var ox, oy float64 // a point inside
		for _, v := range sh.M_vertices[:n] {
			ox += v.X
			oy += v.Y
		}
		ox, oy = float64(ox*(1/float64(n))), float64(oy*(1/float64(n)))
		var area, ax, ay, second float64
		for i := range n {
			v1, v2 := sh.M_vertices[i], sh.M_vertices[(i+1)%n]
			x1, y1, x2, y2 := v1.X-ox, v1.Y-oy, v2.X-ox, v2.Y-oy
			d := float64(x1*y2) - float64(y1*x2)
			t := float64(0.5 * d)
			area += t
			ax += float64(t * (x1 + x2) * (1.0 / 3))
			ay += float64(t * (y1 + y2) * (1.0 / 3))
			xx := float64(x1*x1) + float64(x2*x1) + float64(x2*x2)
			yy := float64(y1*y1) + float64(y2*y1) + float64(y2*y2)
			second += float64(float64(0.25*(1.0/3)*d) * (xx + yy))
		}
		if !(area > 0) {
			return 0, 0, 0, 0
		}
		m = density * area
		ax, ay = float64(ax*(1/area)), float64(ay*(1/area))
		cx, cy = ax+ox, ay+oy
		inertia = float64(density * second)
		inertia += float64(m * ((float64(cx*cx) + float64(cy*cy)) - (float64(ax*ax) + float64(ay*ay))))
		return m, cx, cy, inertia
	}
	return 0, 0, 0, 0
}
