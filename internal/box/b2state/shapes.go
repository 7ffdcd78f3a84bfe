package b2state

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/box/store"
	"halfstep/internal/reslice"
)

// Shapes has copies of a world's shapes. A shape hardly ever changes, so all States of a world
// share one copy of it, and so do polygons with the same numbers. The zero Shapes is ready to
// use.
type Shapes struct {
	copies   map[box2d.B2ShapeInterface]box2d.B2ShapeInterface
	polygons map[box2d.B2PolygonShape]*box2d.B2PolygonShape
}

// copyOf returns a copy of the present values of a shape, or nil if its type is not the
// library's own. The copy never changes.
func (s *Shapes) copyOf(shape box2d.B2ShapeInterface) box2d.B2ShapeInterface {
	if c, ok := s.copies[shape]; ok && sameShape(c, shape) {
		return c
	}
	c := s.newCopy(shape)
	if c == nil {
		return nil
	}
	if s.copies == nil {
		s.copies = map[box2d.B2ShapeInterface]box2d.B2ShapeInterface{}
	}
	s.copies[shape] = c
	return c
}

// newCopy copies a shape. Polygons with the same bits share one copy.
func (s *Shapes) newCopy(shape box2d.B2ShapeInterface) box2d.B2ShapeInterface {
	polygon, ok := shape.(*box2d.B2PolygonShape)
	if !ok {
		return copyShape(shape)
	}
	c := s.polygons[*polygon]
	if c == nil || *bitsOf(c) != *bitsOf(polygon) { // because for the map -0 is equal to 0
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

// swept drops the copies if most of them belong to shapes that no longer exist. The parameter
// shapes is the number of the world's shapes.
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

// sameShape reports whether a copy and a shape of the same Go type have the same numbers.
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

// savedShapes are the shapes of a body at one time. They never change, so several States share them.
type savedShapes struct {
	fixtures []savedFixture
	proxies  []savedProxy // the proxies of all fixtures, without their boxes, which have a column of their own
}

type savedFixture struct {
	f     *box2d.B2Fixture
	value box2d.B2Fixture
	shape box2d.B2ShapeInterface // a copy, which never changes
}

type savedProxy struct{ id, child int32 }

// saveShapes is the function Save of the column of shapes.
func (p *Past) saveShapes(r store.Run, to []*savedShapes) {
	for i, n := range r.Things() {
		p.shaped = reslice.Resize(p.shaped, max(len(p.shaped), n+1))
		last, is := p.shaped[n], (*savedShapes)(nil)
		if n < len(p.owner.Bodies.All) && p.owner.Bodies.All[n].B != nil {
			is = p.shapesOf(p.owner.Bodies.All[n].B, last)
		}
		p.keepShapes(n, is)
		to[i] = is
	}
}

// keepShapes stores the shapes of the body with number n.
func (p *Past) keepShapes(n int, is *savedShapes) {
	p.fixtures += is.count() - p.shaped[n].count()
	p.shaped[n] = is
}

func (s *savedShapes) count() int {
	if s == nil {
		return 0
	}
	return len(s.fixtures)
}

// shapesOf returns the shapes of a body. It returns last if they are unchanged.
func (p *Past) shapesOf(b *box2d.B2Body, last *savedShapes) *savedShapes {
	fixtures, proxies, same := p.scratch.fixtures[:0], p.scratch.proxies[:0], last != nil
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		var copied box2d.B2ShapeInterface
		if k := len(fixtures); last != nil && k < len(last.fixtures) && sameShape(last.fixtures[k].shape, f.M_shape) {
			copied = last.fixtures[k].shape
		} else if copied = p.copies.copyOf(f.M_shape); copied == nil {
			p.shapeError(f.M_shape)
			return nil
		}
		is := savedFixture{f: f, value: *f, shape: copied}
		if p.owner.Soft() {
			is.value = p.owner.Shapes.AsKept(f)
		}
		same = same && len(fixtures) < len(last.fixtures) && last.fixtures[len(fixtures)].isStill(&is)
		fixtures = append(fixtures, is)
		for i := range is.value.M_proxies {
			proxies = append(proxies, savedProxy{int32(f.M_proxies[i].ProxyId), int32(f.M_proxies[i].ChildIndex)})
		}
	}
	defer clear(fixtures)
	p.scratch = savedShapes{fixtures, proxies}
	if same && len(fixtures) == len(last.fixtures) && slices.Equal(proxies, last.proxies) {
		return last
	}
	if len(fixtures) == 1 { // most bodies have one fixture: one allocation for both
		one := &struct {
			savedShapes
			f [1]savedFixture
		}{f: [1]savedFixture(fixtures)}
		one.fixtures, one.proxies = one.f[:], slices.Clone(proxies)
		return &one.savedShapes
	}
	return &savedShapes{slices.Clone(fixtures), slices.Clone(proxies)}
}

// isStill reports whether a fixture is unchanged since it was saved.
func (s *savedFixture) isStill(is *savedFixture) bool {
	v, f := &s.value, &is.value
	return s.f == is.f && s.shape == is.shape && v.M_shape == f.M_shape && v.M_next == f.M_next && v.M_body == f.M_body &&
		v.M_density == f.M_density && v.M_friction == f.M_friction && v.M_restitution == f.M_restitution &&
		v.M_isSensor == f.M_isSensor && v.M_filter == f.M_filter && v.M_proxyCount == f.M_proxyCount &&
		len(v.M_proxies) == len(f.M_proxies) && unsafe.SliceData(v.M_proxies) == unsafe.SliceData(f.M_proxies) &&
		sameUser(v.M_userData, f.M_userData)
}

// sameUser reports whether two values of user data are certainly equal. Values of some types
// cannot be compared.
func sameUser(a, b any) bool {
	if a == nil || b == nil {
		return a == b
	}
	return reflect.TypeOf(a).Comparable() && a == b
}

// loadShapes restores the shapes of a body, and the ids of their proxies.
func (p *Past) loadShapes(n int, from **savedShapes) {
	p.shaped = reslice.Resize(p.shaped, max(len(p.shaped), n+1))
	p.keepShapes(n, *from)
	if *from == nil {
		return
	}
	proxies := (*from).proxies
	for i := range (*from).fixtures {
		saved := &(*from).fixtures[i]
		f := saved.f
		if saved.restoreShape() || f.M_isSensor != saved.value.M_isSensor || f.M_filter != saved.value.M_filter {
			p.Changed = append(p.Changed, f)
		}
		*f = saved.value
		for k := range f.M_proxies {
			to := &f.M_proxies[k] // the box of the proxy belongs to a leaf: see loadNode
			to.Fixture, to.ChildIndex, to.ProxyId = f, int(proxies[k].child), int(proxies[k].id)
		}
		proxies = proxies[len(f.M_proxies):]
	}
}

// restoreShape restores the numbers of a fixture's shape. It reports whether these numbers, or
// the shape itself, were different.
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
