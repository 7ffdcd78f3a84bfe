package forces

import (
	"math"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/world"
)

// clipper finds the part of a shape that is in a fluid.
type clipper struct {
	level   float64        // y of the surface, m; used only without an outline
	outline []box2d.B2Vec2 // in the world, counter-clockwise; without an outline the fluid is below level
	low     box2d.B2Vec2   // corners of a box round the outline
	high    box2d.B2Vec2
	hash    uint64         // hash is the hash of the outline.
	a, b    []box2d.B2Vec2 // scratch: a is the current shape, in the world
	edges   []box2d.B2Vec2 // scratch: a copy of the current shape
}

// set sets the fluid, and reports whether its numbers are finite.
func (c *clipper) set(level float64, outline []world.Vec) bool {
	c.level, c.outline, c.hash = level, c.outline[:0], 0
	if len(outline) == 0 {
		return true
	}
	c.low, c.high = box2d.B2Vec2{X: math.Inf(1), Y: math.Inf(1)}, box2d.B2Vec2{X: math.Inf(-1), Y: math.Inf(-1)}
	for _, p := range outline {
		if !finite(p.X, p.Y) {
			return false
		}
		v := box2d.B2Vec2{X: p.X, Y: p.Y}
		c.low, c.high = box2d.B2Vec2Min(c.low, v), box2d.B2Vec2Max(c.high, v)
		c.hash = (c.hash ^ math.Float64bits(p.X)) * 0x9e3779b97f4a7c15
		c.hash = (c.hash<<31 | c.hash>>33) ^ math.Float64bits(p.Y)
		c.outline = append(c.outline, v)
	}
	if polygon(c.outline).area < 0 {
		slices.Reverse(c.outline)
	}
	return true
}

// part returns the moments of the part of a circle or polygon that is in the fluid. It
// treats round corners as lines.
func (c *clipper) part(f *box2d.B2Fixture) moments {
	xf := &f.M_body.M_xf
	switch s := f.M_shape.(type) {
	case *box2d.B2CircleShape:
		return c.disc(b2.Transform(xf, s.M_p), s.M_radius)
	case *box2d.B2PolygonShape:
		c.a = c.a[:0]
		for _, v := range s.M_vertices[:s.M_count] {
			c.a = append(c.a, b2.Transform(xf, v))
		}
		return c.convex()
	case *b2.RoundPolygon:
		c.a = s.Outline(c.a[:0], xf)
		return c.convex()
	}
	return moments{}
}

// convex does the work of part for the polygon in c.a.
func (c *clipper) convex() moments {
	if len(c.outline) == 0 {
		c.b = below(c.b[:0], c.a, c.level)
		return polygon(c.b)
	}
	if c.apart(c.a) {
		return moments{}
	}
	// Clip the outline by the edges of the shape, because the shape is convex and the
	// outline may not be.
	c.edges = append(c.edges[:0], c.a...)
	from, to := append(c.a[:0], c.outline...), c.b[:0]
	for i, v := range c.edges {
		to = leftOf(to[:0], from, v, c.edges[(i+1)%len(c.edges)])
		from, to = to, from
	}
	c.a, c.b = from, to
	return polygon(from)
}

// disc does the work of part for a circle.
func (c *clipper) disc(middle box2d.B2Vec2, r float64) moments {
	box := [...]box2d.B2Vec2{
		{X: middle.X - r, Y: middle.Y - r}, {X: middle.X + r, Y: middle.Y - r},
		{X: middle.X + r, Y: middle.Y + r}, {X: middle.X - r, Y: middle.Y + r},
	}
	if len(c.outline) == 0 {
		c.b = below(c.b[:0], box[:], c.level)
		return discIn(c.b, middle, r)
	}
	if c.apart(box[:]) {
		return moments{}
	}
	return discIn(c.outline, middle, r)
}

// apart reports whether a shape with these corners is outside the outline's box.
func (c *clipper) apart(vs []box2d.B2Vec2) bool {
	low, high := vs[0], vs[0]
	for _, v := range vs {
		low, high = box2d.B2Vec2Min(low, v), box2d.B2Vec2Max(high, v)
	}
	return low.X > c.high.X || low.Y > c.high.Y || high.X < c.low.X || high.Y < c.low.Y
}

// below appends the part of a polygon below a level.
func below(to, vs []box2d.B2Vec2, y float64) []box2d.B2Vec2 {
	return leftOf(to, vs, box2d.B2Vec2{X: 1, Y: y}, box2d.B2Vec2{X: 0, Y: y})
}

// leftOf appends the part of a polygon to the left of the line from a to b
// (Sutherland and Hodgman's clipping, against one line).
func leftOf(to, vs []box2d.B2Vec2, a, b box2d.B2Vec2) []box2d.B2Vec2 {
	if len(vs) == 0 {
		return to
	}
	along := box2d.B2Vec2Sub(b, a)
	side := func(v box2d.B2Vec2) float64 { return b2.Cross(along, box2d.B2Vec2Sub(v, a)) }
	last := vs[len(vs)-1]
	was := side(last)
	for _, v := range vs {
		is := side(v)
		if (is > 0) != (was > 0) {
			k := was / (was - is)
			to = append(to, b2.Plus(last, k, box2d.B2Vec2Sub(v, last)))
		}
		if is > 0 {
			to = append(to, v)
		}
		last, was = v, is
	}
	return to
}
