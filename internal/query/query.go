// Package query answers questions about shapes, for example which shapes a ray hits. The world
// stores its shapes in Box2D's tree, and the render side stores its shapes in a tree of its own. A
// Space searches its tree and offers shapes to a Question. The Question tests the shapes and
// collects the hits.
package query

import (
	"cmp"
	"slices"

	"halfstep/internal/geometry"
)

// Space is a set of shapes that can be searched.
type Space interface {
	// Begin returns the space's Question. The caller then fills in the Question.
	Begin() *Question
	// Search calls q.Try with all shapes that q may find.
	Search(q *Question)
	// Has reports whether a found shape still exists.
	Has(shape uint64) bool
	// Part copies a shape in the world, or one segment of a chain, to the variable to. Segments are
	// numbered from 0. Part returns the body of the shape, or 0 if there is no such shape or segment.
	Part(shape uint64, part int, to *geometry.Shape) (body uint64)
}

// Filter says which shapes a query may find.
type Filter struct {
	Category, Mask    uint64                 // 0 means any
	Sensors, Disabled bool                   // Sensors and Disabled say that the query may also find sensors and disabled shapes.
	Ignore            uint64                 // a body, or 0
	Kinds             uint8                  // Kinds has a bit for each kind of body that may be found. The value 0 allows all kinds.
	Skip              func(body uint64) bool // Skip returns true for bodies that are not found. It may be nil.
	Only              uint64                 // Only is the one shape that may be found. The value 0 allows all shapes.
}

// Candidate is a shape, or a segment of a chain, that a query may find.
type Candidate struct {
	Body, Shape    uint64 // handles
	Category, Mask uint64
	Sensor         bool
	Kind           uint8 // Kind is the kind of the shape's body.
	Material       uint16
	Part           int // Part is the number of the segment, from 1. It is 0 for a whole shape.
}

// Hit is a found shape, and the place where a ray or a cast meets the shape. In the answer to Near,
// Fraction is the distance, and From is the nearest point of the query's shape.
type Hit struct {
	geometry.Touch
	From        geometry.Vec
	Body, Shape uint64
	part        int // part is the field Part of the candidate that was hit.
	Material    uint16
}

type kind uint8

const (
	point kind = iota
	overlap
	near
	ray
	cast
)

// Want says which hits of a ray, a cast or Near the caller wants.
type Want uint8

// The hits wanted.
const (
	Closest Want = iota // Closest wants one hit. Of several hits at the same distance it is the hit with the lowest handle.
	All                 // All wants all hits, in the order of Fraction, and each shape once. In the answer to Near each segment of a chain counts as a shape.
	Any                 // wants one hit, which need not be the closest
)

// Question is a query with its hits. A Question is reused. The hits of earlier queries stay until
// Release, so that a program can make a query while it reads the hits of another.
type Question struct {
	Hits []Hit
	Part geometry.Shape // Part is memory for the query's shape, which Space.Part fills in.

	filter   Filter
	kind     kind
	want     Want
	base     int            // base is the index of the first hit of this query.
	parts    bool           // parts says that one shape may have several hits.
	shape    geometry.Shape // shape is the shape of an overlap, of Near or of a cast.
	way      geometry.Vec   // way is the vector by which the shape of a cast moves.
	from, to geometry.Vec   // from and to are the ends of a ray, or the centres of a cast's shape at both ends; the point of a Point query is from
	box      geometry.Box   // box around the whole query
	half     geometry.Vec   // half is half the size of the box around the moving shape. It is 0 for a ray.
	across   geometry.Vec   // across is a unit vector at right angles to the path.
	most     float64        // most is the greatest fraction or distance of the wanted hits.

	standing bool             // standing says that this is the first search of a cast, which finds the shapes on which the cast's shape stands.
	floors   []geometry.Plane // floors are the half-planes on which the shape of a cast stands.
}

func (q *Question) begin(f Filter, k kind, w Want) {
	q.filter, q.kind, q.want = f, k, w
	q.base, q.parts, q.most, q.standing = len(q.Hits), false, 1, false
}

// Point asks which shapes contain a point.
func (q *Question) Point(f Filter, p geometry.Vec) {
	q.begin(f, point, All)
	q.from, q.box = p, geometry.Box{Min: p, Max: p}
}

// Overlap asks which shapes overlap a shape of the world.
func (q *Question) Overlap(f Filter, s *geometry.Shape) {
	q.begin(f, overlap, All)
	q.shape, q.box = *s, boxOf(s)
}

// And continues the same query with one more shape of the world.
func (q *Question) And(s *geometry.Shape) {
	q.shape, q.box, q.parts = *s, boxOf(s), true
}

// Near asks which shapes are within a distance, in m, of a shape of the world.
func (q *Question) Near(f Filter, w Want, s *geometry.Shape, within float64) {
	q.begin(f, near, w)
	q.shape, q.most = *s, within
	q.sweep()
}

// Ray asks which shapes the segment between two points hits.
func (q *Question) Ray(f Filter, w Want, from, to geometry.Vec) {
	q.begin(f, ray, w)
	q.half = geometry.Vec{}
	q.moves(from, to)
}

// Cast asks which shapes a shape of the world meets when it moves by the vector way. A cast takes
// two searches. The first search finds no hits, but the floors on which the shape stands. After a
// call of Go the second search finds the hits. Shapes that do not rise above the floor along which
// the cast moves are no obstacles; the next tile and the next segment of a straight chain are
// examples (box2d issue 935).
func (q *Question) Cast(f Filter, w Want, s *geometry.Shape, way geometry.Vec) {
	q.begin(f, cast, w)
	q.shape, q.way, q.box = *s, way, boxOf(s)
	q.standing, q.floors = true, q.floors[:0]
}

// Go is called between the two searches of a Cast.
func (q *Question) Go() {
	q.standing = false
	q.half = q.box.Half()
	from := q.box.Centre()
	q.moves(from, geometry.Vec{X: from.X + q.way.X, Y: from.Y + q.way.Y})
}

// boxOf returns the box in which shapes may touch s.
func boxOf(s *geometry.Shape) geometry.Box {
	at := geometry.Transform{Cos: 1}
	return s.Box(&at).Grown(2 * geometry.Slack)
}

// moves sets the two ends of the path.
func (q *Question) moves(from, to geometry.Vec) {
	q.from, q.to = from, to
	q.across = geometry.Across(from, to)
	q.sweep()
}

// sweep sets box to the region in which hits are still wanted. For a ray or a cast this is the
// region around the first part of the path. For Near it is the region around the shape, up to the
// greatest distance.
func (q *Question) sweep() {
	if q.kind == near {
		q.box = boxOf(&q.shape).Grown(max(q.most, 0))
		return
	}
	end := geometry.Vec{X: q.from.X + float64(q.most*(q.to.X-q.from.X)), Y: q.from.Y + float64(q.most*(q.to.Y-q.from.Y))}
	q.box = geometry.Box{
		Min: geometry.Vec{X: min(q.from.X, end.X) - q.half.X, Y: min(q.from.Y, end.Y) - q.half.Y},
		Max: geometry.Vec{X: max(q.from.X, end.X) + q.half.X, Y: max(q.from.Y, end.Y) + q.half.Y},
	}
}

// Reaches reports whether the query may find a shape in a box. The box should have a margin for
// rounding.
func (q *Question) Reaches(b *geometry.Box) bool {
	if !q.box.Overlaps(b) {
		return false
	}
	if q.kind < ray || q.standing {
		return true
	}
	// the box may lie to one side of the path
	c, h := b.Centre(), b.Half()
	side := float64((q.from.X-c.X)*q.across.X) + float64((q.from.Y-c.Y)*q.across.Y)
	reach := float64(max(q.across.X, -q.across.X)*(h.X+q.half.X)) + float64(max(q.across.Y, -q.across.Y)*(h.Y+q.half.Y))
	return side <= reach && -side <= reach
}

// IsNearer reports whether the path passes point a before point b. A search visits shapes in that
// order, because an early hit shortens the rest of the path.
func (q *Question) IsNearer(a, b geometry.Vec) bool {
	if q.kind == near {
		c := q.box.Centre()
		return distance2(a, c) < distance2(b, c)
	}
	return q.kind >= ray && !q.standing && float64((a.X-b.X)*(q.to.X-q.from.X))+float64((a.Y-b.Y)*(q.to.Y-q.from.Y)) < 0
}

func distance2(a, b geometry.Vec) float64 {
	return float64((a.X-b.X)*(a.X-b.X)) + float64((a.Y-b.Y)*(a.Y-b.Y))
}

// Done reports whether no more hits are wanted.
func (q *Question) Done() bool { return q.want == Any && len(q.Hits) > q.base }

// Disabled reports whether the query may find bodies outside the simulation.
func (q *Question) Disabled() bool { return q.filter.Disabled }

// Accepts reports whether the query may find a shape. The position of the shape does not count.
func (q *Question) Accepts(c *Candidate) bool {
	f := &q.filter
	return (f.Sensors || !c.Sensor) && (f.Only == 0 || f.Only == c.Shape) && (f.Ignore == 0 || f.Ignore != c.Body) &&
		(f.Mask == 0 || f.Mask&c.Category != 0) && (f.Category == 0 || f.Category&c.Mask != 0) &&
		(f.Kinds == 0 || f.Kinds>>c.Kind&1 != 0) && (f.Skip == nil || !f.Skip(c.Body))
}

// Try tests the shape s of a candidate. The parameter at is the transform of the shape. If the shape
// answers the query, Try adds a hit.
func (q *Question) Try(c *Candidate, s *geometry.Shape, at *geometry.Transform) {
	switch q.kind {
	case point:
		if s.Contains(at, q.from) {
			q.add(c, geometry.Touch{}, geometry.Vec{}, 0)
		}
	case overlap:
		if geometry.Overlap(&q.shape, s, at) {
			q.add(c, geometry.Touch{}, geometry.Vec{}, 0)
		}
	case near:
		if t, from := geometry.Nearest(&q.shape, s, at); t.Fraction <= q.most {
			q.met(c, t, from)
		}
	case ray:
		if f, n, hit := s.RayCast(at, q.from, q.to, q.most); hit {
			q.met(c, geometry.Touch{Fraction: f, Normal: n, Point: geometry.Vec{
				X: float64((1-f)*q.from.X) + float64(f*q.to.X), Y: float64((1-f)*q.from.Y) + float64(f*q.to.Y),
			}}, geometry.Vec{})
		}
	case cast:
		if q.standing {
			if p, ok := geometry.Floor(&q.shape, q.way, s, at); ok && !q.isBelow(s, at) {
				q.floors = append(q.floors, p)
			}
		} else if t, hit := geometry.Cast(&q.shape, q.way, s, at); hit && t.Fraction <= q.most && !q.isBelow(s, at) {
			q.met(c, t, geometry.Vec{})
		}
	}
}

// isBelow reports whether a shape does not rise above one of the floors.
func (q *Question) isBelow(s *geometry.Shape, at *geometry.Transform) bool {
	for i := range q.floors {
		if q.floors[i].Holds(s, at) {
			return true
		}
	}
	return false
}

// met adds a hit. If only the closest hit is wanted, it replaces the last hit, and only by a closer one.
func (q *Question) met(c *Candidate, t geometry.Touch, from geometry.Vec) {
	if q.want != Closest {
		q.add(c, t, from, c.Part)
		return
	}
	if len(q.Hits) > q.base {
		if h := &q.Hits[q.base]; t.Fraction > h.Fraction || t.Fraction == h.Fraction && (c.Shape > h.Shape || c.Shape == h.Shape && c.Part >= h.part) {
			return
		}
		q.Hits = q.Hits[:q.base]
	}
	q.add(c, t, from, c.Part)
	q.most = t.Fraction
	q.sweep()
}

func (q *Question) add(c *Candidate, t geometry.Touch, from geometry.Vec, part int) {
	q.Hits = append(q.Hits, Hit{Touch: t, From: from, Body: c.Body, Shape: c.Shape, part: part, Material: c.Material})
	q.parts = q.parts || c.Part > 0
}

// Found sorts the hits and returns their range. Each shape occurs once. The hits of rays, casts and
// Near are sorted by distance, and other hits by handle, because the order of a search is
// arbitrary.
func (q *Question) Found() (begin, end int) {
	hits := q.Hits[q.base:]
	if q.kind < near || q.parts && q.kind != near {
		slices.SortFunc(hits, func(a, b Hit) int {
			return cmp.Or(cmp.Compare(a.Shape, b.Shape), cmp.Compare(a.Fraction, b.Fraction), cmp.Compare(a.part, b.part))
		})
	}
	if q.parts && q.kind != near {
		hits = slices.CompactFunc(hits, func(a, b Hit) bool { return a.Shape == b.Shape })
		q.Hits = q.Hits[:q.base+len(hits)]
	}
	if q.kind >= near {
		slices.SortFunc(hits, func(a, b Hit) int {
			return cmp.Or(cmp.Compare(a.Fraction, b.Fraction), cmp.Compare(a.Shape, b.Shape), cmp.Compare(a.part, b.part))
		})
	}
	return q.base, len(q.Hits)
}

// Release drops the hits from index begin on.
func (q *Question) Release(begin int) { q.Hits = q.Hits[:begin] }
