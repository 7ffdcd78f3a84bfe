package box

import (
	"halfstep/internal/box/b2"
	"halfstep/internal/slab"

	"github.com/ByteArena/box2d"
)

// With Soft the World numbers the shapes of enabled bodies and has a tree of them, and the library's
// tree is empty. A fixture's M_proxyCount is then ^n for n, the number of its last child, so that the
// library's loops over its proxies end at once. While raw access lasts, the library has a tree of the
// same boxes, and fixtures have proxies: see library.

// Shape is a shape of an enabled body, or a segment of a chain.
type Shape struct {
	F     *box2d.B2Fixture // nil: the number is free
	Child int32            // which segment of a chain
	Prev  int32            // the segment before it, or -1
}

// Moves are the shapes for which the next search looks for pairs.
type Moves struct {
	List []int32 // each once; -1 for one that is gone
	at   []int32 // by shape: 1 + its place in List, or 0
}

// Add adds a shape, if it is not there.
func (m *Moves) Add(k int32) {
	if int(k) >= len(m.at) {
		m.at = slab.Sized(m.at, int(k)+1)
	}
	if m.at[k] == 0 {
		m.List = append(m.List, k)
		m.at[k] = int32(len(m.List))
	}
}

// Has reports whether a shape is there.
func (m *Moves) Has(k int32) bool { return int(k) < len(m.at) && m.at[k] != 0 }

// drop takes a shape out.
func (m *Moves) drop(k int32) {
	if m.Has(k) {
		m.List[m.at[k]-1], m.at[k] = -1, 0
	}
}

// Clear takes all shapes out.
func (m *Moves) Clear() {
	for _, k := range m.List {
		if k >= 0 {
			m.at[k] = 0
		}
	}
	m.List = m.List[:0]
}

// ShapeOf returns the number of a fixture's last child, or -1. The others follow by Shape.Prev.
func (s *World) ShapeOf(f *box2d.B2Fixture) int32 {
	if f.M_proxyCount <= 0 {
		return int32(^f.M_proxyCount) // -1 for 0
	}
	return s.ofProxy(f, f.M_proxyCount-1)
}

// ofProxy returns the number of the shape that has one of the library's proxies, or -1.
func (s *World) ofProxy(f *box2d.B2Fixture, child int) int32 {
	if child >= f.M_proxyCount {
		return -1
	}
	if k := s.shapeAt(f.M_proxies[child].ProxyId); k >= 0 && s.Shape[k].F == f && int(s.Shape[k].Child) == child {
		return k
	}
	return -1
}

// Waiting is for how many shapes the next search looks for pairs.
func (s *World) Waiting() int {
	if s.Soft {
		return len(s.Moves.List)
	}
	return s.world.M_contactManager.M_broadPhase.M_moveCount
}

// insertShapes puts the children of a fixture into the tree.
func (s *World) insertShapes(f *box2d.B2Fixture) {
	if !s.Soft {
		b2.CreateProxies(f, &s.world.M_contactManager.M_broadPhase)
		s.MovesShape(f)
		return
	}
	last := s.numberShapes(f)
	if s.library.is {
		s.insertProxies(f, last)
	} else {
		f.M_proxyCount = int(^last)
	}
}

// numberShapes gives numbers to the children of a fixture, puts them into the tree, and returns
// that of the last.
func (s *World) numberShapes(f *box2d.B2Fixture) int32 {
	last, b := int32(-1), &s.bounds
	for child := range f.M_shape.GetChildCount() {
		k := s.shapes.Take()
		s.reachShape(k)
		s.Shape[k] = Shape{f, int32(child), last}
		b2.Bounds(b, f.M_shape, &f.M_body.M_xf, child)
		*b = b2.Fattened(*b)
		s.Tree.Insert(k, b)
		s.touch(k)
		last = k
	}
	return last
}

// touch has the next search look for the pairs of a shape.
func (s *World) touch(k int32) {
	s.Moves.Add(k)
	s.Dirty.Leaves.Mark(k)
}

func (s *World) reachShape(k int32) {
	if int(k) >= len(s.Shape) {
		s.Shape = slab.Sized(s.Shape, int(k)+1)
	}
}

// removeShapes takes the children of a fixture out of the tree.
func (s *World) removeShapes(f *box2d.B2Fixture) {
	if !s.Soft {
		s.dropProxies(f)
		return
	}
	for k := s.ShapeOf(f); k >= 0; {
		prev := s.Shape[k].Prev
		s.freeShape(k)
		k = prev
	}
	bp := &s.world.M_contactManager.M_broadPhase
	for i := range f.M_proxyCount {
		bp.DestroyProxy(f.M_proxies[i].ProxyId)
	}
	f.M_proxyCount = 0
}

func (s *World) freeShape(k int32) {
	s.Moves.drop(k)
	s.Tree.Remove(k)
	s.Shape[k] = Shape{}
	s.shapes.Set(k, false)
	s.Dirty.Leaves.Mark(k)
}

// touchShapes has the next search look for all pairs of a fixture that have no contact.
func (s *World) touchShapes(f *box2d.B2Fixture) {
	if s.Soft {
		for k := s.ShapeOf(f); k >= 0; k = s.Shape[k].Prev {
			s.touch(k)
		}
		return
	}
	for k := range f.M_proxyCount {
		s.world.M_contactManager.M_broadPhase.TouchProxy(f.M_proxies[k].ProxyId)
	}
}

// moveShapes gives the shapes of a body that was placed other boxes, where they have left theirs.
func (s *World) moveShapes(b *box2d.B2Body) {
	is := &s.bounds
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		for k := s.ShapeOf(f); k >= 0; k = s.Shape[k].Prev {
			if b2.Bounds(is, f.M_shape, &b.M_xf, int(s.Shape[k].Child)); s.Tree.Box(k).Contains(*is) {
				continue
			}
			*is = b2.Fattened(*is)
			s.Tree.Move(k, is)
			s.touch(k)
			if s.library.is {
				s.moveProxy(k)
			}
		}
	}
}

// PutShape makes element n of Shape what it was: a shape with a box in the tree, or none. PutAll
// brings the tree in order.
func (s *World) PutShape(n int, to *Shape, b *box2d.B2AABB) {
	k := int32(n)
	s.reachShape(k)
	had := s.Shape[n].F != nil
	s.Shape[n] = *to
	s.shapes.Set(k, to.F != nil)
	switch {
	case to.F == nil:
		if had {
			s.Tree.Remove(k)
		}
	case !had:
		s.Tree.Insert(k, b)
	case *s.Tree.Box(k) != *b:
		s.Tree.Set(k, b)
	}
}

// PutMoves makes Moves what they were.
func (s *World) PutMoves(list []int32) {
	s.Moves.Clear()
	for _, k := range list {
		s.Moves.Add(k)
	}
}

// AsKept returns a fixture as it is without raw access.
func (s *World) AsKept(f *box2d.B2Fixture) box2d.B2Fixture {
	v := *f
	if s.Soft {
		v.M_proxies, v.M_proxyCount = nil, int(^s.ShapeOf(f))
	}
	return v
}

// Reserve makes room in the library's tree for so many shapes at once.
func (s *World) Reserve(shapes int) {
	if !s.Soft {
		b2.Reserve(&s.world.M_contactManager.M_broadPhase.M_tree, 2*shapes)
	}
}

// FixtureAt returns the fixture of a leaf of the tree, or nil.
func (s *World) FixtureAt(leaf int) *box2d.B2Fixture {
	if s.Soft {
		if leaf >= 0 && leaf < len(s.Shape) {
			return s.Shape[leaf].F
		}
		return nil
	}
	nodes := s.world.M_contactManager.M_broadPhase.M_tree.M_nodes
	if leaf < 0 || leaf >= len(nodes) || nodes[leaf].Height != 0 {
		return nil // a free node keeps its UserData, and has no height
	}
	if p, ok := nodes[leaf].UserData.(*box2d.B2FixtureProxy); ok {
		return p.Fixture
	}
	return nil
}
