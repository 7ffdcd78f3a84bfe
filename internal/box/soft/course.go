package soft

// course is the motion of a body in a step. It starts at a pose, and moves by displacement d and
// angle da.
type course struct {
	x, y float64
	q    rot
	d    vec
	da   float32
}

// turned returns the rotation of a body at time t, from 0 to 1.
func (c *course) turned(t float32) rot { return c.q.then(smallRotation(float32(t * c.da))) }

// at returns the pose of another body at time t, from 0 to 1. The pose is in the frame of the body
// with this course, whose rotation at that time is q. The parameter base is the vector from the
// start of this course to the start of the other course.
func (c *course) at(t float32, q rot, base vec, other *course) (rot, vec) {
	return other.turned(t).from(q), q.undo(base.plus(t, other.d.sub(c.d)))
}

// to returns the vector from the start of a course to the start of another course.
func (c *course) to(other *course) vec { return vec{float32(other.x - c.x), float32(other.y - c.y)} }

// bounds returns the box around a shape during its body's course.
func (c *course) bounds(g *geometry) aabb {
	a := g.bounds(c.x, c.y, c.q, linearSlop)
	b := g.bounds(c.x+float64(c.d.x), c.y+float64(c.d.y), c.turned(1), linearSlop)
	return a.union(&b)
}

// around returns a box that contains the bounds of every shape whose points are at most `extent`
// from the centre of mass. It is cheaper to compute than bounds.
func (c *course) around(extent float32) aabb {
	r := float64(1.001*float64(extent)) + 2*linearSlop // leaves room for rounding
	b := aabb{c.x - r, c.y - r, c.x + r, c.y + r}
	b.grow(c.d)
	return b
}

// part returns the part of a course between two times from 0 to 1.
func (c *course) part(from, to float32) course {
	return course{
		c.x + float64(from*c.d.x), c.y + float64(from*c.d.y), c.turned(from),
		c.d.times(to - from), float32((to - from) * c.da),
	}
}

// The next functions compute whether and when two shapes meet during their courses. One is the
// shape of the body with course c, and the other is the shape g of a body with course own. The
// functions need no other data.

// isFar reports whether a shape with this extent, on course own, stays so far from the other shape
// that advanceTo would find no meeting.
func (c *course) isFar(other *geometry, own *course, extent float32) bool {
	at := c.q.undo(c.to(own))
	way := own.d.sub(c.d)
	turn, long := abs(c.da), sqrt(dot(way, way))
	room := extent + float32((abs(own.da)+turn)*extent)
	room += float32(turn * (long + long + float32((1+turn)*sqrt(dot(at, at)))))
	return other.isBeyond(at, c.q.undo(way), room)
}

// isBeyond reports whether a point is farther than `room` from a polygon, an edge or a circle, and
// stays farther during its motion. It allows for rounding.
func (a *polygon) isBeyond(at, way vec, room float32) bool {
	room += 2*sweepTarget + a.radius
	if a.count == 1 { // a circle has a side in every direction
		n, far := normalize(at.sub(a.v[0]))
		return lesser(far, far+dot(n, way)) > room
	}
	for k := range a.count {
		n := a.n[k&7]
		if far := dot(n, at.sub(a.v[k&7])); lesser(far, far+dot(n, way)) > room {
			return true
		}
	}
	return false
}

// inTime reports whether the next step finds the contact of a fast shape with another shape early
// enough. This is so if at the end of its course the shape overlaps the other only a little, on the
// side from which it came. The parameter minExtent is that of the shape's body. A box that slides
// over a floor of planks must not stop at the side of the next plank.
func (c *course) inTime(other *geometry, own *course, g *geometry, minExtent float32) bool {
	base := c.to(own)
	_, from := c.at(0, c.q, base, own)
	q, to := c.at(1, c.turned(1), base, own)
	distance, n := gap(other, g, q, to)
	return distance > -lesser(speculative, coreFraction*minExtent) && dot(n, to.sub(from)) <= linearSlop
}

// advanceTo returns the time at which shape g on course own is at the distance target from the
// other shape on course c, with the tolerance within. The second result reports whether there is
// such a time. In each round the function moves the shape as far as is possible without coming
// closer than target: this is conservative advancement (Brian Mirtich) with separating axes.
func (c *course) advanceTo(other *geometry, own *course, g *geometry, target, within float32) (float32, bool) {
	q, at := c.at(0, c.q, c.to(own), own)
	distance, n := gap(other, g, q, at)
	extent, _ := g.extents()
	return c.advanceFrom(other, nearness{distance, n, at}, own, g, extent, target, within, 1)
}

// nearness is the distance of two shapes, the direction of this distance, and the position of the
// second body relative to the first.
type nearness struct {
	distance float32
	n, at    vec
}

// advanceFrom does the same as advanceTo for a shape whose extent and whose nearness at the start
// are known. It gives up at the time until.
func (c *course) advanceFrom(other *geometry, from nearness, own *course, g *geometry, extent, target, within, until float32) (float32, bool) {
	base := c.to(own)
	extent -= g.radius // turning a round part about its centre changes nothing
	t, turned := float32(0), c.q
	for range mostSweepRounds {
		if from.distance <= target+within {
			return t, true
		}
		closing := from.closing(own, extent, c, turned)
		if closing <= 0 {
			return 1, false
		}
		t += (from.distance - target) / closing
		if t >= until {
			return 1, false
		}
		turned = c.turned(t)
		q, at := c.at(t, turned, base, own)
		from.distance, from.n = gap(other, g, q, at)
		from.at = at
	}
	return t, true
}

// closing returns the greatest distance by which two shapes with this nearness can approach in a
// step. The second shape has course own and this extent. The first shape has course c and rotation
// turned.
func (from *nearness) closing(own *course, extent float32, c *course, turned rot) float32 {
	way := own.d.sub(c.d)
	closing := float32(abs(own.da-c.da)*extent) - dot(turned.apply(from.n), way)
	if turn := abs(c.da); turn != 0 {
		// The first body turns, and the direction turns with it.
		drift := sqrt(dot(way, way))
		closing += float32(turn*(drift+drift+float32(turn*sqrt(dot(from.at, from.at))))) - float32(c.da*cross(from.n, from.at))
	}
	return closing
}

// ends reports whether two shapes certainly stay farther apart than target until a time, so that
// advanceFrom gives up at once. The shapes approach by closing in a step.
func (from *nearness) ends(closing, target, until float32) bool {
	return !(from.distance <= target+sameTime) && (closing <= 0 || (from.distance-target)/closing >= until)
}

// endsIn reports whether a body at time t of its course certainly overlaps another shape by more
// than depth. The function advanceTo has then stopped the body earlier. If round shapes are so deep
// in each other that their inner polygons touch, the result is not certain, because the direction
// between their nearest points changes its sign.
func (c *course) endsIn(ga *geometry, t, depth float32, own *course, g *geometry) bool {
	if radius := ga.radius + g.radius; radius > 0 && depth >= radius {
		return false
	}
	q, at := c.at(t, c.turned(t), c.to(own), own)
	distance, _ := gap(ga, g, q, at)
	return distance < -depth-closeEnough
}
