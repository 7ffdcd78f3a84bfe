package soft

import "math"

// A fat box leaves a shape room to move before the shape needs another box. Small shapes have
// smaller margins, because with large margins they would have too many neighbours.
const (
	marginFraction = 0.125 // marginFraction is the margin as a fraction of the body's extent.
	mostMargin     = 0.05  // m
)

// newBox computes a new fat box of shape k if the shape cannot keep its old box. It reports whether it
// has computed one. The body of the shape has pose p. The method moveShape then writes the box to the
// tree. A fast body gets a new box in each step, so its box has no margin. The box of a kinematic body
// also contains its displacement in a step, because the body continues in the same direction.
func (s *shapes) newBox(k int32, p *pose, goes vec) bool {
	g, fat := s.geometry(k), &s.fatBoxes[k]
	e := g.extremes(p.q)
	tight := e.at(p.x, p.y, speculative)
	if p.flags&poseFast != 0 {
		*fat, s.room[k] = tight, 0
		return true
	}
	left := !fat.contains(&tight) || s.swept[k] != (way{})
	if left {
		*fat = e.at(p.x, p.y, p.margin())
		if p.flags&poseDynamic == 0 {
			fat.grow(goes)
		}
	}
	room := min(tight.lx-fat.lx, tight.ly-fat.ly, fat.ux-tight.ux, fat.uy-tight.uy)
	s.room[k] = float32(room) - float32(1e-5*p.extent) // less for the rounding of boxes
	return left
}

// way is a displacement in m.
type way struct{ x, y float64 }

// beyond returns the distance by which the box of a shape in the tree extends beyond the shape's
// fat box. This is the displacement of a fast body in the next step. Without it some pairs would be
// found too late for predict.
func (a *aabb) beyond(fat *aabb) way {
	return way{a.lx - fat.lx + a.ux - fat.ux, a.ly - fat.ly + a.uy - fat.uy}
}

// mayMeet reports whether two shapes may touch before the next check of their boxes. This is so if
// their fat boxes overlap, or will overlap as one moves past the other. Fast bodies that fly side
// by side meet in the tree, but mayMeet returns false for them.
func (s *shapes) mayMeet(a, b int32) bool {
	fa, fb := &s.fatBoxes[a], &s.fatBoxes[b]
	return fa.overlaps(fb) || fa.willMeet(fb, s.swept[a], s.swept[b])
}

// willMeet reports whether two boxes overlap during their displacements wa and wb.
func (fa *aabb) willMeet(fb *aabb, wa, wb way) bool {
	x, y := wb.x-wa.x, wb.y-wa.y
	// All values are doubled. They are the vector from A's centre to B's at half time, and the sum of
	// the half sides. A segment misses a box if an axis, or the direction across the segment, separates
	// the two.
	dx, dy := fb.lx+fb.ux-fa.lx-fa.ux+x, fb.ly+fb.uy-fa.ly-fa.uy+y
	hx, hy := fa.ux-fa.lx+fb.ux-fb.lx, fa.uy-fa.ly+fb.uy-fb.ly
	ax, ay := math.Abs(x), math.Abs(y)
	return math.Abs(dx) <= hx+ax && math.Abs(dy) <= hy+ay &&
		math.Abs(float64(x*dy)-float64(y*dx)) <= float64(ax*hy)+float64(ay*hx)
}

// farthest returns the greatest distance that a point of a body at p may have moved in this step.
func (e *body) farthest(p *pose) float32 {
	w := &e.b.M_sweep
	return 1.001 * (abs(float32(p.x-w.C0.X)) + abs(float32(p.y-w.C0.Y)) + float32(abs(float32(e.a-w.A0))*p.extent))
}

// grow extends a box by a displacement.
func (a *aabb) grow(way vec) {
	dx, dy := float64(way.x), float64(way.y)
	a.lx, a.ux = a.lx+min(dx, 0), a.ux+max(dx, 0)
	a.ly, a.uy = a.ly+min(dy, 0), a.uy+max(dy, 0)
}

// margin returns the distance by which a fat box is larger than its shape on each side, in m.
func (p *pose) margin() float32 {
	return speculative + lesser(mostMargin, float32(marginFraction*p.extent))
}
