package b2state

import (
	"slices"
	"unsafe"

	"github.com/ByteArena/box2d"

	"halfstep/box/b2"
)

// Shapes holds copies of a world's shapes. A shape hardly ever changes, so that
// all States of a world share one copy of it, and polygons of the same numbers have one
// together. The zero Shapes is ready to use.
type Shapes struct {
	copies   map[box2d.B2ShapeInterface]box2d.B2ShapeInterface
	polygons map[box2d.B2PolygonShape]*box2d.B2PolygonShape
}

// copyOf returns a copy of a shape as it is now. The copy does not change.
func (s *Shapes) copyOf(shape box2d.B2ShapeInterface) (box2d.B2ShapeInterface, error) {
	if c, ok := s.copies[shape]; ok && sameShape(c, shape) {
		return c, nil
	}
	c := s.newCopy(shape)
	if c == nil {
		return nil, errUnknown("shape", shape)
	}
	if s.copies == nil {
		s.copies = map[box2d.B2ShapeInterface]box2d.B2ShapeInterface{}
	}
	s.copies[shape] = c
	return c, nil
}

func (s *Shapes) newCopy(shape box2d.B2ShapeInterface) box2d.B2ShapeInterface {
	polygon, ok := shape.(*box2d.B2PolygonShape)
	if !ok {
		return copyShape(shape)
	}
	c := s.polygons[*polygon]
	if c == nil || *bitsOf(c) != *bitsOf(polygon) { // -0 is 0 for the map
		c = new(*polygon)
		if s.polygons == nil {
			s.polygons = map[box2d.B2PolygonShape]*box2d.B2PolygonShape{}
		}
		s.polygons[*c] = c
	}
	return c
}

type polygonBits [unsafe.Sizeof(box2d.B2PolygonShape{})]byte

func bitsOf(p *box2d.B2PolygonShape) *polygonBits { return (*polygonBits)(unsafe.Pointer(p)) }

// swept drops the copies once most are of shapes that the world has no longer.
// shapes is how many it has.
func (s *Shapes) swept(shapes int) {
	if max(len(s.copies), len(s.polygons)) > 2*shapes+64 {
		clear(s.copies)
		clear(s.polygons)
	}
}

func copyShape(s box2d.B2ShapeInterface) box2d.B2ShapeInterface {
	switch s := s.(type) {
	case *box2d.B2PolygonShape:
		c := *s
		return &c
	case *b2.RoundPolygon:
		return s.Clone()
	case *box2d.B2CircleShape:
		c := *s
		return &c
	case *box2d.B2EdgeShape:
		c := *s
		return &c
	case *box2d.B2ChainShape:
		c := *s
		c.M_vertices = slices.Clone(c.M_vertices)
		return &c
	}
	return nil
}

// sameShape reports whether a copy and a shape of the same type have the same
// numbers.
func sameShape(c, s box2d.B2ShapeInterface) bool {
	switch c := c.(type) {
	case *box2d.B2PolygonShape:
		s, ok := s.(*box2d.B2PolygonShape)
		return ok && *c == *s
	case *b2.RoundPolygon:
		s, ok := s.(*b2.RoundPolygon)
		return ok && *c == *s
	case *box2d.B2CircleShape:
		s, ok := s.(*box2d.B2CircleShape)
		return ok && *c == *s
	case *box2d.B2EdgeShape:
		s, ok := s.(*box2d.B2EdgeShape)
		return ok && *c == *s
	case *box2d.B2ChainShape:
		s, ok := s.(*box2d.B2ChainShape)
		return ok && c.B2Shape == s.B2Shape && c.M_count == s.M_count && slices.Equal(c.M_vertices, s.M_vertices) &&
			c.M_prevVertex == s.M_prevVertex && c.M_nextVertex == s.M_nextVertex &&
			c.M_hasPrevVertex == s.M_hasPrevVertex && c.M_hasNextVertex == s.M_hasNextVertex
	}
	return false
}

// restoreShape puts the numbers of a fixture's shape back, and reports whether
// they, or the shape, were others.
func (f *savedFixture) restoreShape() bool {
	changed := f.f.M_shape != f.value.M_shape
	if sameShape(f.shape, f.value.M_shape) {
		return changed
	}
	switch to := f.value.M_shape.(type) {
	case *box2d.B2PolygonShape:
		*to = *f.shape.(*box2d.B2PolygonShape)
	case *b2.RoundPolygon:
		*to = *f.shape.(*b2.RoundPolygon)
	case *box2d.B2CircleShape:
		*to = *f.shape.(*box2d.B2CircleShape)
	case *box2d.B2EdgeShape:
		*to = *f.shape.(*box2d.B2EdgeShape)
	case *box2d.B2ChainShape:
		vertices := append(to.M_vertices[:0], f.shape.(*box2d.B2ChainShape).M_vertices...)
		*to = *f.shape.(*box2d.B2ChainShape)
		to.M_vertices = vertices
	}
	return true
}
