package soft

// course is the motion of a body in a step: from a pose, by d, while it turns by da.
type course struct {
	x, y float64
	q    rot
	d    vec
	da   float32
}

// turned returns how a body is turned at a time from 0 to 1.
func (c *course) turned(t float32) rot { return c.q.then(smallRotation(float32(t * c.da))) }

// at returns the pose of another body at time t, from 0 to 1, in the frame of the body of this
// course, which is turned to q then. base leads from where this course begins to where the
// other one does.
func (c *course) at(t float32, q rot, base vec, other *course) (rot, vec) {
	return other.turned(t).from(q), q.undo(base.plus(t, other.d.sub(c.d)))
}

// to returns the way from where a course begins to where another one does.
func (c *course) to(other *course) vec { return vec{float32(other.x - c.x), float32(other.y - c.y)} }

// bounds returns the box around a shape on its body's course.
func (c *course) bounds(g *geometry) aabb {
	a := g.bounds(c.x, c.y, c.q, linearSlop)
	b := g.bounds(c.x+float64(c.d.x), c.y+float64(c.d.y), c.turned(1), linearSlop)
	return a.union(&b)
}

// around returns a box that holds the bounds of every shape within extent of the centre of
// mass, and is cheaper to compute.
func (c *course) around(extent float32) aabb {
	r := float64(1.001*float64(extent)) + 2*linearSlop // there is rounding
	b := aabb{c.x - r, c.y - r, c.x + r, c.y + r}
	b.grow(c.d)
	return b
}

// part is the part of a course between two times.
func (c *course) part(from, to float32) course {
	return course{
		c.x + float64(from*c.d.x), c.y + float64(from*c.d.y), c.turned(from),
		c.d.times(to - from), float32((to - from) * c.da),
	}
}

// The next functions ask whether and when two shapes meet on their courses: one, of the body with course c,
// and another one, g, of a body with course own. They need nothing else.

// isFar reports whether what extends so far of a body that goes course own is so far from a shape, or
// goes so far past it, that advanceTo would find that they do not meet.
func (c *course) isFar(other *geometry, own *course, extent float32) bool {
	at := c.q.undo(c.to(own))
	way := own.d.sub(c.d)
	turn, long := abs(c.da), sqrt(dot(way, way))
	room := extent + float32((abs(own.da)+turn)*extent)
	room += float32(turn * (long + long + float32((1+turn)*sqrt(dot(at, at)))))
	return other.isBeyond(at, c.q.undo(way), room)
}

// isBeyond reports whether a point is certainly more than room from a polygon, an edge or a circle,
// and remains so on a way: so far that rounding makes no difference.
func (a *polygon) isBeyond(at, way vec, room float32) bool {
	room += 2*sweepTarget + a.radius
	if a.count == 1 { // a circle has a side towards every point
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

// inTime reports whether the next step finds the contact of a fast shape with another
// in time: at the end the shape lies only a little in the other, on the side that it
// came from. minExtent is that of its body. A box that slides over a floor of planks must not stop at the side of
// the next one.
func (c *course) inTime(other *geometry, own *course, g *geometry, minExtent float32) bool {
	base := c.to(own)
	_, from := c.at(0, c.q, base, own)
	q, to := c.at(1, c.turned(1), base, own)
	distance, n := gap(other, g, q, to)
	return distance > -lesser(speculative, coreFraction*minExtent) && dot(n, to.sub(from)) <= linearSlop
}

// advanceTo returns when shape g, which goes course own, comes as close as target to another one, which
// goes course c, give or take within, and whether it does. It moves the shape each time as far as it certainly can
// without coming closer: conservative advancement (Brian Mirtich) with separating axes.
func (c *course) advanceTo(other *geometry, own *course, g *geometry, target, within float32) (float32, bool) {
	q, at := c.at(0, c.q, c.to(own), own)
	distance, n := gap(other, g, q, at)
	extent, _ := g.extents()
	return c.advanceFrom(other, nearness{distance, n, at}, own, g, extent, target, within, 1)
}

// nearness is how far apart two shapes are, in which direction, and where the body of the second
// is from the first.
type nearness struct {
	distance float32
	n, at    vec
}

// advanceFrom is advanceTo for a shape whose extent is known, and its nearness to the other at
// the start. It gives up at the time until.
func (c *course) advanceFrom(other *geometry, from nearness, own *course, g *geometry, extent, target, within, until float32) (float32, bool) {
	base := c.to(own)
	extent -= g.radius // what is round about a point turns about it unseen
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

// closing is by how much two shapes that are so near come closer in a step, at most, of which the
// second one goes course own and extends so far, and the first one, that of course c, is turned.
func (from *nearness) closing(own *course, extent float32, c *course, turned rot) float32 {
	way := own.d.sub(c.d)
	closing := float32(abs(own.da-c.da)*extent) - dot(turned.apply(from.n), way)
	if turn := abs(c.da); turn != 0 {
		// The first one turns, and with it the direction.
		drift := sqrt(dot(way, way))
		closing += float32(turn*(drift+drift+float32(turn*sqrt(dot(from.at, from.at))))) - float32(c.da*cross(from.n, from.at))
	}
	return closing
}

// ends reports whether two shapes that come closer by closing in a step certainly do not come as
// close as target until a time, so that advanceFrom gives up at once.
func (from *nearness) ends(closing, target, until float32) bool {
	return !(from.distance <= target+sameTime) && (closing <= 0 || (from.distance-target)/closing >= until)
}

// endsIn reports whether a body at time t of its course certainly lies deeper in another shape than
// depth, so that advanceTo has stopped it before. Where round shapes are so deep that the polygons
// within touch, that is not certain: the direction in which they are nearest changes its sign.
func (c *course) endsIn(ga *geometry, t, depth float32, own *course, g *geometry) bool {
	if radius := ga.radius + g.radius; radius > 0 && depth >= radius {
		return false
	}
	q, at := c.at(t, c.turned(t), c.to(own), own)
	distance, _ := gap(ga, g, q, at)
	return distance < -depth-closeEnough
}
