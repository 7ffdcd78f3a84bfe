package scene

import (
	"math"

	"halfstep/buffer/body2d"
)

// Pick returns the slot of the body that is shown at a point of the world, in
// metres. Of several bodies it returns the one with the highest slot, and a static
// body only if there is no other. Polylines have no inside and are never picked.
func Pick(v *View[body2d.State], x, y float64) (slot int, ok bool) {
	static := -1
	for i := len(v.Scene.Bodies) - 1; i >= 0; i-- {
		b := &v.Scene.Bodies[i]
		if !b.Exists || static >= 0 && b.Static() {
			continue
		}
		p, shown := PoseOf(v, i)
		if !shown {
			continue
		}
		sin, cos := math.Sincos(float64(p.Angle))
		dx, dy := x-float64(p.X), y-float64(p.Y)
		lx := cos*dx + sin*dy + float64(b.LocalX)
		ly := cos*dy - sin*dx + float64(b.LocalY)
		for _, k := range b.shapes {
			if v.Scene.Shapes[k].contains(lx, ly) {
				if !b.Static() {
					return i, true
				}
				static = i
				break
			}
		}
	}
	return static, static >= 0
}

// contains reports whether a point, relative to the body's origin, is in the shape.
func (g *Shape) contains(x, y float64) bool {
	switch g.Kind {
	case body2d.Disc:
		return math.Hypot(x-float64(g.Points[0][0]), y-float64(g.Points[0][1])) <= float64(g.Radius)
	case body2d.Convex:
		for i := range int(g.N) {
			a, b := g.Points[i], g.Points[(i+1)%int(g.N)]
			ex, ey := float64(b[0]-a[0]), float64(b[1]-a[1])
			if ex*(y-float64(a[1]))-ey*(x-float64(a[0])) < -float64(g.Radius)*math.Hypot(ex, ey) {
				return false
			}
		}
		return g.N > 0
	}
	return false
}
