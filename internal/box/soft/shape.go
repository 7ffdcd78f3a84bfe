package soft

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// shape is a child shape of a fixture. Shapes have the numbers of box.World.Shape.
type shape struct {
	f     *box2d.B2Fixture
	of    box2d.B2ShapeInterface // of is the fixture's shape at the last load.
	next  int32                  // next is the next shape of the same body, or -1 at the end.
	body  int32
	child int32 // child is the child index in the fixture's shape.

	radius float32 // radius of the rounded outline

	filter box.Filter
}

// isOfChain reports whether the shape is a segment of a chain.
func (sh *shape) isOfChain() bool {
	_, yes := sh.of.(*box2d.B2ChainShape)
	return yes
}

// shapes have an entry for each child shape. The columns all, forms and sensors depend on the
// fixture and on the body's centre of mass (see loadShapes). Filters depend on the fixture and on
// the world's filter (see loadFilters). Boxes also depend on the body's pose (see resync, and
// newBox after each step).
type shapes struct {
	all       []shape
	forms     forms
	fatBoxes  []aabb    // fatBoxes are the boxes in the tree without the displacements of fast bodies.
	swept     []way     // swept is the distance by which the boxes in the tree extend beyond fatBoxes.
	room      []float32 // room is the distance that any point of a shape may certainly move before the shape leaves its fat box. It is 0 if the distance is unknown.
	moved     []uint8   // moved has movedHere and movedByOthers, if the fat box has changed since the last narrow phase.
	sensors   []bool
	movedList []int32 // movedList are the shapes whose moved is not 0.

	statics staticTree

	otherFilters bool // otherFilters says that the filters of all shapes must be loaded.

	set    *box.World
	bodies *bodies
	rules  *rules
}

// geometry is a shape relative to its body's centre of mass. It is a convex polygon, a capsule (a
// polygon of two points), a circle (one point), or an edge (two points).
type geometry struct {
	kind   uint8
	ghosts uint8 // ghosts, for an edge, is 1 if the edge has before, plus 2 if it has after.
	polygon
	centroid      vec
	before, after vec // the far ends of an edge's neighbours
}

func (s *shapes) geometry(k int32) *geometry { return &s.forms.all[s.forms.of[k]] }

// aabb is an axis-aligned box in world coordinates, in m.
type aabb struct{ lx, ly, ux, uy float64 }

func (a *aabb) contains(b *aabb) bool {
	return a.lx <= b.lx && a.ly <= b.ly && b.ux <= a.ux && b.uy <= a.uy
}

func (a *aabb) overlaps(b *aabb) bool {
	return a.lx <= b.ux && b.lx <= a.ux && a.ly <= b.uy && b.ly <= a.uy
}

func (a *aabb) union(b *aabb) aabb {
	c := *a
	if b.lx < c.lx {
		c.lx = b.lx
	}
	if b.ly < c.ly {
		c.ly = b.ly
	}
	if b.ux > c.ux {
		c.ux = b.ux
	}
	if b.uy > c.uy {
		c.uy = b.uy
	}
	return c
}

func boxOf(b *box2d.B2AABB) aabb {
	return aabb{b.LowerBound.X, b.LowerBound.Y, b.UpperBound.X, b.UpperBound.Y}
}

func (a *aabb) toB2() box2d.B2AABB {
	return box2d.B2AABB{LowerBound: box2d.B2Vec2{X: a.lx, Y: a.ly}, UpperBound: box2d.B2Vec2{X: a.ux, Y: a.uy}}
}

// forget clears the entries of a body's shapes.
func (s *shapes) forget(e *body) {
	for p := e.first; p >= 0; {
		next := s.all[p].next
		s.all[p] = shape{body: -1, next: -1}
		s.forms.drop(p)
		if !s.set.Shapes.Tree.Has(p) { // this happens after a restore: hashes include the box if a new shape gets the number
			s.fatBoxes[p] = aabb{}
		}
		if e.fixed {
			s.statics.changed = append(s.statics.changed, p)
		}
		p = next
	}
	e.first, e.count = -1, -1
}

// grow grows the tables to the number of shapes.
func (s *shapes) grow() {
	n, had := len(s.set.Shapes.All), len(s.all)
	if n <= had {
		return
	}
	n = max(n, had+had/4)
	s.all = copied(s.all, n)
	s.forms.grow(n)
	s.fatBoxes, s.moved, s.sensors = copied(s.fatBoxes, n), copied(s.moved, n), copied(s.sensors, n)
	s.swept, s.room = copied(s.swept, n), copied(s.room, n)
}

func copied[T any](s []T, n int) []T { return append(make([]T, 0, n), s...)[:n] }

// copy loads the shapes of a body. They are relative to the body's centre of mass.
func (s *shapes) copy(i int32) {
	e := &s.bodies.all[i]
	b := e.b
	e.active, e.fixed = isActive(b), b.M_type != b2.DynamicBody
	e.count, e.localCenter = int32(b.M_fixtureCount), b.M_sweep.LocalCenter
	s.bodies.shaped[i] = s.set.Bodies.Shaped.Now()
	extent := float32(0)
	var g geometry
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		for p := s.set.Shapes.Last(f); p >= 0; p = s.set.Shapes.All[p].Prev {
			k := s.set.Shapes.All[p].Child
			s.all[p] = shape{f: f, of: f.M_shape, child: k, body: i, next: e.first, radius: radiusOf(f.M_shape)}
			e.first = p
			if e.fixed {
				s.statics.changed = append(s.statics.changed, e.first)
			}
			s.sensors[p], s.room[p] = f.M_isSensor, 0
			g.load(f.M_shape, int(k), b.M_sweep.LocalCenter)
			s.forms.put(p, &g)
			far, _ := g.extents()
			extent = greater(extent, far)
		}
	}
	if e.first < 0 && b.M_invI > 0 {
		extent = float32(math.Sqrt(b.M_invMass / b.M_invI)) // the radius of gyration: otherwise the body would count as at rest while it spins
	}
	s.bodies.poses[i].extent = extent
	s.bodies.hammers = s.bodies.hammers || isHammer(mass{float32(b.M_invMass), float32(b.M_invI)}, extent)
	s.setMinExtent(e)
	s.loadFilters(e)
}

// loadFilters copies the filters of a body's shapes.
func (s *shapes) loadFilters(e *body) {
	for k := e.first; k >= 0; k = s.all[k].next {
		sh := &s.all[k]
		if sh.filter = box.FilterOf(sh.f); s.rules.passer != nil {
			sh.filter = s.rules.passer.Of(sh.f)
		}
	}
}

// setMinExtent sets the least extent of the shapes of a body. Sensors do not count.
func (s *shapes) setMinExtent(e *body) {
	e.minExtent = math.MaxFloat32
	for k := e.first; k >= 0; k = s.all[k].next {
		if !s.all[k].f.M_isSensor {
			_, near := s.geometry(k).extents()
			e.minExtent = lesser(e.minExtent, near)
		}
	}
}

// load copies a child shape. The result is relative to the point lc.
func (g *geometry) load(sh box2d.B2ShapeInterface, child int, lc box2d.B2Vec2) {
	at := func(v box2d.B2Vec2) vec { return vec{float32(v.X - lc.X), float32(v.Y - lc.Y)} }
	*g = geometry{}
	switch sh := sh.(type) {
	case *box2d.B2CircleShape:
		g.kind, g.count, g.radius = b2.CircleShape, 1, float32(sh.M_radius)
		g.v[0] = at(sh.M_p)
	case *box2d.B2PolygonShape:
		g.loadPolygon(at, sh, roundness(sh.M_radius))
	case *b2.RoundPolygon:
		g.loadPolygon(at, &sh.B2PolygonShape, float32(sh.M_radius))
	case *box2d.B2EdgeShape:
		g.loadEdge(at, sh)
	case *box2d.B2ChainShape:
		var edge box2d.B2EdgeShape
		sh.GetChildEdge(&edge, child)
		g.loadEdge(at, &edge)
	}
	g.pad(len(g.v))
	for i := range g.count {
		g.centroid = g.centroid.add(g.v[i])
	}
	g.centroid = g.centroid.times(1 / float32(g.count))
}

func (g *geometry) loadPolygon(at func(box2d.B2Vec2) vec, sh *box2d.B2PolygonShape, radius float32) {
	g.kind, g.count, g.radius = b2.PolygonShape, sh.M_count, radius
	for i := range sh.M_count {
		g.v[i] = at(sh.M_vertices[i])
	}
	g.setNormals()
}

func (g *geometry) loadEdge(at func(box2d.B2Vec2) vec, sh *box2d.B2EdgeShape) {
	g.kind, g.count, g.radius = b2.EdgeShape, 2, roundness(sh.M_radius)
	g.v[0], g.v[1] = at(sh.M_vertex1), at(sh.M_vertex2)
	g.setNormals()
	if sh.M_hasVertex0 {
		g.ghosts |= 1
		g.before = at(sh.M_vertex0)
	}
	if sh.M_hasVertex3 {
		g.ghosts |= 2
		g.after = at(sh.M_vertex3)
	}
}

// roundness returns the radius of the corners of a polygon or an edge. It leaves out the skin that
// the library adds to both against tunnelling.
func roundness(radius float64) float32 {
	const skin = box2d.B2_polygonRadius
	if radius <= skin*1.000001 {
		return 0
	}
	return float32(radius - skin)
}

// setNormals computes the outward normals.
func (g *geometry) setNormals() {
	for i := range g.count {
		d := g.v[g.next(i)].sub(g.v[i])
		g.n[i], _ = normalize(vec{d.y, -d.x})
	}
}

// normalize returns v scaled to length 1, and the length of v. A zero vector stays zero.
func normalize(v vec) (vec, float32) {
	l := sqrt(dot(v, v))
	if l < 1e-12 {
		return vec{}, 0
	}
	k := 1 / l
	return v.times(k), l
}

// extents returns two distances: the greatest distance of a point from the body's centre of mass,
// and the least distance of an edge from the centroid.
func (g *geometry) extents() (far, near float32) {
	if g.kind == b2.CircleShape {
		return sqrt(dot(g.v[0], g.v[0])) + g.radius, g.radius
	}
	near = math.MaxFloat32
	for i := range g.count {
		v, n := g.v[i&7], g.n[i&7]
		far = greater(far, dot(v, v))
		near = lesser(near, dot(n, v.sub(g.centroid)))
	}
	return sqrt(far) + g.radius, near + g.radius
}

// bounds returns the box around a shape, with a margin. The body of the shape is at (x, y) with
// rotation q.
func (g *geometry) bounds(x, y float64, q rot, margin float32) aabb {
	e := g.extremes(q)
	return e.at(x, y, margin)
}

// extremes are the lowest x and y of a shape's vertices relative to its body's centre of mass, and
// the highest x and y, which are negated.
type extremes struct {
	low, up vec
	radius  float32
}

// extremes returns the extremes of a shape with rotation q. It uses min, which has no branch that
// the processor could not predict. The function max is slower.
func (g *geometry) extremes(q rot) extremes {
	v := q.apply(g.v[0])
	e := extremes{v, vec{-v.x, -v.y}, g.radius}
	for i := 1; i < g.count; i++ {
		v := q.apply(g.v[i&7])
		e.low = vec{min(v.x, e.low.x), min(v.y, e.low.y)}
		e.up = vec{min(-v.x, e.up.x), min(-v.y, e.up.y)}
	}
	return e
}

// at returns the box of a shape at (x, y), with a margin.
func (e *extremes) at(x, y float64, margin float32) aabb {
	r := e.radius + margin
	return aabb{x + float64(e.low.x-r), y + float64(e.low.y-r), x + float64(r-e.up.x), y + float64(r-e.up.y)}
}

// These are reasons why a shape's fat box has changed since the last narrow phase.
const (
	movedHere     = 1 // changed by the stepper
	movedByOthers = 2
)

// setMoved records that the fat box of a shape has changed since the last narrow phase.
func (s *shapes) setMoved(p int32, how uint8) {
	if s.moved[p] == 0 {
		s.movedList = append(s.movedList, p)
	}
	s.moved[p] |= how
}

// resweep computes again how far the boxes of a body in the tree extend beyond the body's fat
// boxes, because other code may have moved the boxes and requested a search for pairs.
func (s *shapes) resweep(e *body) {
	for k := e.first; k >= 0; k = s.all[k].next {
		tree := boxOf(s.set.Shapes.Tree.Box(k))
		if w := tree.beyond(&s.fatBoxes[k]); w != s.swept[k] {
			s.swept[k], s.room[k] = w, 0
		}
	}
}

// isLoaded reports whether a shape is in the table with its present values.
func (s *shapes) isLoaded(k int32) bool {
	if int(k) >= len(s.all) {
		return false
	}
	sh, is := &s.all[k], &s.set.Shapes.All[k]
	return sh.f == is.F && sh.of == is.F.M_shape && sh.child == is.Child && s.sensors[k] == is.F.M_isSensor
}

// passes reports whether the filters of two shapes allow a contact, as far as the stepper knows the
// filters.
func (s *shapes) passes(a, b int32) bool {
	return !s.rules.filters || s.all[a].filter.Collides(&s.all[b].filter)
}
