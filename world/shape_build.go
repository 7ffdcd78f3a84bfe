package world

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// Validate returns an error if not every kind of body can have the shape. Dynamic bodies have the strictest
// rules.
func (d *ShapeDef) Validate() error {
	s, err := d.build()
	if err == nil {
		err = new(tally).add(s, d.Density)
	}
	return err
}

// build makes Box2D's shape, or returns an error if Box2D could not use it.
func (d *ShapeDef) build() (box2d.B2ShapeInterface, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	switch d.Kind {
	case CircleShape:
		if len(d.Points) != 1 {
			return nil, fmt.Errorf("world: a circle has 1 point, not %d", len(d.Points))
		}
		if err := d.checkRadius(); err != nil {
			return nil, err
		}
		c := box2d.MakeB2CircleShape()
		c.M_p, c.M_radius = b2vec(d.Points[0]), d.Radius
		return &c, nil
	case PolygonShape:
		return d.buildPolygon()
	case EdgeShape, ChainShape, ClosedChainShape:
		return d.buildLines()
	case CapsuleShape:
		return d.buildCapsule()
	}
	return nil, fmt.Errorf("world: no shape kind %d", d.Kind)
}

func (d *ShapeDef) check() error {
	if err := checkCount("points of a shape", len(d.Points), MaxChainPoints); err != nil {
		return err
	}
	return firstError(d.checkPoints(), d.checkSurface())
}

// checkSurface returns an error that names an invalid value of the surface, and not of the geometry.
func (d *ShapeDef) checkSurface() error {
	return firstError(
		checkPositive("density", d.Density),
		checkPositive("friction", d.Friction),
		checkPositive("restitution", d.Restitution),
		checkOneWay(d.OneWay),
		checkNumber("surface speed", d.SurfaceSpeed),
		checkPositive("rolling resistance", d.RollingResistance),
		d.checkSegments(),
	)
}

func (d *ShapeDef) checkSegments() error {
	segments := 0
	switch d.Kind {
	case ChainShape:
		segments = len(d.Points) - 1
	case ClosedChainShape:
		segments = len(d.Points)
	}
	if n := len(d.SegmentMaterials); n > 0 && n != segments {
		return fmt.Errorf("world: %d materials of segments, for a %v of %d", n, d.Kind, max(segments, 0))
	}
	return nil
}

func (d *ShapeDef) checkPoints() error {
	for _, p := range d.Points {
		if err := checkVec("a point", p, maxPosition); err != nil {
			return err
		}
	}
	return nil
}

func (d *ShapeDef) checkRadius() error {
	if !(d.Radius > 0 && d.Radius <= maxPosition) {
		return fmt.Errorf("world: radius is %v", d.Radius)
	}
	return nil
}

const leastArea = 1e-9 // the least area of a polygon in m²

var errDegenerate = errors.New("world: the polygon has no area")

func (d *ShapeDef) buildPolygon() (box2d.B2ShapeInterface, error) {
	if h, ok := d.halfSizes(); ok {
		return nil, fmt.Errorf("world: a box needs half sizes above 0, not %v and %v", h.X, h.Y)
	}
	if n := len(d.Points); n < 3 || n > box2d.B2_maxPolygonVertices {
		return nil, fmt.Errorf("world: a polygon has 3 to %d points, not %d", box2d.B2_maxPolygonVertices, n)
	}
	points := make([]box2d.B2Vec2, 0, box2d.B2_maxPolygonVertices)
	for _, p := range d.Points {
		if !isNear(points, b2vec(p)) {
			points = append(points, b2vec(p))
		}
	}
	if len(points) < 3 {
		return nil, fmt.Errorf("world: the polygon's points are closer than %v m", box2d.B2_linearSlop/2)
	}
	if d.Radius != 0 {
		return d.buildRound(points)
	}
	p := box2d.MakeB2PolygonShape()
	if !b2.SetPolygon(&p, points) || area(p.M_vertices[:p.M_count]) < leastArea {
		return nil, errDegenerate
	}
	return &p, nil
}

func (d *ShapeDef) buildCapsule() (box2d.B2ShapeInterface, error) {
	if len(d.Points) != 2 {
		return nil, fmt.Errorf("world: a capsule has 2 points, not %d", len(d.Points))
	}
	a, b := b2vec(d.Points[0]), b2vec(d.Points[1])
	if isNear([]box2d.B2Vec2{a}, b) {
		return nil, fmt.Errorf("world: the capsule's points are closer than %v m: it is a circle", box2d.B2_linearSlop/2)
	}
	return d.buildRound([]box2d.B2Vec2{a, b})
}

func (d *ShapeDef) buildRound(points []box2d.B2Vec2) (box2d.B2ShapeInterface, error) {
	if err := d.checkRadius(); err != nil {
		return nil, err
	}
	s, ok := b2.NewRoundPolygon(points, d.Radius)
	if !ok || s.M_count > 2 && area(s.M_vertices[:s.M_count]) < leastArea {
		return nil, errDegenerate
	}
	return s, nil
}

// halfSizes returns the arguments of an invalid Box. Box has stored them in the two corners of its polygon.
func (d *ShapeDef) halfSizes() (h Vec, ok bool) {
	if len(d.Points) != 2 {
		return h, false
	}
	h = d.Points[1]
	return h, slices.Equal(d.Points, Box(h.X, h.Y).Points)
}

// isNear reports whether Box2D would merge v with one of the points.
func isNear(points []box2d.B2Vec2, v box2d.B2Vec2) bool {
	const weld = box2d.B2_linearSlop / 2
	for _, p := range points {
		if d := box2d.B2Vec2Sub(p, v); b2.Dot(d, d) < weld*weld {
			return true
		}
	}
	return false
}

func area(vs []box2d.B2Vec2) float64 {
	sum := 0.0
	for i, v := range vs {
		// Use areas about the first corner. About a distant origin, only rounding errors would remain.
		sum += b2.Cross(box2d.B2Vec2Sub(v, vs[0]), box2d.B2Vec2Sub(vs[(i+1)%len(vs)], vs[0]))
	}
	return sum / 2
}

// buildLines makes an edge or a chain.
func (d *ShapeDef) buildLines() (box2d.B2ShapeInterface, error) {
	n := len(d.Points)
	points := make([]box2d.B2Vec2, n)
	for i, p := range d.Points {
		points[i] = b2vec(p)
	}
	switch {
	case d.Kind == EdgeShape && n != 2:
		return nil, fmt.Errorf("world: an edge has 2 points, not %d", n)
	case d.Kind == ChainShape && n < 2:
		return nil, fmt.Errorf("world: a chain has 2 points or more, not %d", n)
	case d.Kind == ClosedChainShape && n < 3:
		return nil, fmt.Errorf("world: a loop has 3 points or more, not %d", n)
	}
	near, links := box2d.B2_linearSlop, n-1 // Box2D refuses a chain with neighbouring points that are closer than near
	if d.Kind == ClosedChainShape {
		links = n
	}
	if d.Kind == EdgeShape { // Box2D accepts any edge that has a direction
		near = 1e-6
	}
	for i := range links {
		j := (i + 1) % n
		if d := box2d.B2Vec2Sub(points[i], points[j]); !(b2.Dot(d, d) > near*near) {
			return nil, fmt.Errorf("world: points %d and %d are closer than %v m", i, j, near)
		}
	}
	for _, g := range [...]*Vec{d.Before, d.After} {
		if g != nil {
			if err := checkVec("a ghost vertex", *g, maxPosition); err != nil {
				return nil, err
			}
		}
	}
	if d.Kind == EdgeShape {
		e := box2d.MakeB2EdgeShape()
		e.Set(points[0], points[1])
		if d.Before != nil {
			e.M_vertex0, e.M_hasVertex0 = b2vec(*d.Before), true
		}
		if d.After != nil {
			e.M_vertex3, e.M_hasVertex3 = b2vec(*d.After), true
		}
		return &e, nil
	}
	c := box2d.MakeB2ChainShape()
	if d.Kind == ClosedChainShape {
		c.CreateLoop(points, n)
		return &c, nil
	}
	c.CreateChain(points, n)
	if d.Before != nil {
		c.SetPrevVertex(b2vec(*d.Before))
	}
	if d.After != nil {
		c.SetNextVertex(b2vec(*d.After))
	}
	return &c, nil
}
