package box

import (
	"fmt"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/box/tree"
	"halfstep/internal/reslice"
	"halfstep/internal/stamps"
)

// Shapes numbers the shapes of enabled bodies and has a tree of them, in a World that is Soft. The
// library's tree is then empty. A fixture's M_proxyCount is ^n, where n is the number of the fixture's
// last child. As ^n is negative, the library's loops over proxies end at once. During raw access the
// library has a tree of the same boxes: see library.
type Shapes struct {
	All   []Shape   // by number
	Tree  tree.Tree // Tree is the tree of the shapes' boxes.
	Moves Moves     // the shapes for which the next search looks for pairs

	Stamps stamps.Stamps // by number: when the box of the shape last changed, or when the number last got another shape

	numbers tree.Numbers // numbers are the numbers of All.
	bounds  box2d.B2AABB // scratch, of a shape
	library library
	world   *box2d.B2World
}

// Shape is a shape of an enabled body, or a segment of a chain.
type Shape struct {
	F     *box2d.B2Fixture // nil if no shape has the number
	Child int32            // the number of the segment of a chain, or 0
	Prev  int32            // number of the fixture's child before this child, or -1
}

// Moves are the shapes for which the next search looks for pairs.
type Moves struct {
	List []int32 // numbers of shapes, each once; -1 replaces a shape that was removed
	at   []int32 // by shape: 1 + the shape's place in List, or 0
}

// Add adds a shape to the list, unless the list has it already.
func (m *Moves) Add(k int32) {
	if int(k) >= len(m.at) {
		m.at = reslice.Resize(m.at, int(k)+1)
	}
	if m.at[k] == 0 {
		m.List = append(m.List, k)
		m.at[k] = int32(len(m.List))
	}
}

// Has reports whether a shape is in the list.
func (m *Moves) Has(k int32) bool { return int(k) < len(m.at) && m.at[k] != 0 }

// drop removes a shape from the list.
func (m *Moves) drop(k int32) {
	if m.Has(k) {
		m.List[m.at[k]-1], m.at[k] = -1, 0
	}
}

// Clear removes all shapes from the list.
func (m *Moves) Clear() {
	for _, k := range m.List {
		if k >= 0 {
			m.at[k] = 0
		}
	}
	m.List = m.List[:0]
}

// Last returns the number of a fixture's last child, or -1. Shape.Prev leads to the earlier children.
func (s *Shapes) Last(f *box2d.B2Fixture) int32 {
	if f.M_proxyCount <= 0 {
		return int32(^f.M_proxyCount) // -1 for 0
	}
	return s.ofProxy(f, f.M_proxyCount-1)
}

// ofProxy returns the number of the shape of a proxy of the library, or -1.
func (s *Shapes) ofProxy(f *box2d.B2Fixture, child int) int32 {
	if child >= f.M_proxyCount {
		return -1
	}
	if k := s.shapeAt(f.M_proxies[child].ProxyId); k >= 0 && s.All[k].F == f && int(s.All[k].Child) == child {
		return k
	}
	return -1
}

// insert adds the children of a fixture to the tree.
func (s *Shapes) insert(f *box2d.B2Fixture) {
	last := s.number(f)
	if s.library.is {
		s.insertProxies(f, last)
	} else {
		f.M_proxyCount = int(^last)
	}
}

// number gives numbers to the children of a fixture and adds the children to the tree. It returns the
// last number.
func (s *Shapes) number(f *box2d.B2Fixture) int32 {
	last, b := int32(-1), &s.bounds
	for child := range f.M_shape.GetChildCount() {
		k := s.numbers.Take()
		s.reach(k)
		s.All[k] = Shape{f, int32(child), last}
		b2.Bounds(b, f.M_shape, &f.M_body.M_xf, child)
		*b = b2.Fattened(*b)
		s.Tree.Insert(k, b)
		s.touch(k)
		last = k
	}
	return last
}

// touch makes the next search look for the pairs of a shape.
func (s *Shapes) touch(k int32) {
	s.Moves.Add(k)
	s.Stamps.Mark(k)
}

func (s *Shapes) reach(k int32) {
	if int(k) >= len(s.All) {
		s.All = reslice.Resize(s.All, int(k)+1)
	}
}

// remove removes the children of a fixture from the tree.
func (s *Shapes) remove(f *box2d.B2Fixture, _ bool) {
	for k := s.Last(f); k >= 0; {
		prev := s.All[k].Prev
		s.free(k)
		k = prev
	}
	for i := range f.M_proxyCount {
		s.world.M_contactManager.M_broadPhase.DestroyProxy(f.M_proxies[i].ProxyId)
	}
	f.M_proxyCount = 0
}

func (s *Shapes) free(k int32) {
	s.Moves.drop(k)
	s.Tree.Remove(k)
	s.All[k] = Shape{}
	s.numbers.Set(k, false)
	s.Stamps.Mark(k)
}

// touchAll makes the next search look for all pairs of a fixture's children that have no contact.
func (s *Shapes) touchAll(f *box2d.B2Fixture) {
	for k := s.Last(f); k >= 0; k = s.All[k].Prev {
		s.touch(k)
	}
}

// follow sets new boxes in the tree for the shapes of a moved body that have left their boxes.
func (s *Shapes) follow(b *box2d.B2Body) {
	is := &s.bounds
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		for k := s.Last(f); k >= 0; k = s.All[k].Prev {
			if b2.Bounds(is, f.M_shape, &b.M_xf, int(s.All[k].Child)); s.Tree.Box(k).Contains(*is) {
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

// Put restores element n of All. If the element is a shape, its box is added to the tree. After that
// World.PutAll brings the tree into order.
func (s *Shapes) Put(n int, to *Shape, b *box2d.B2AABB) {
	k := int32(n)
	s.reach(k)
	had := s.All[n].F != nil
	s.All[n] = *to
	s.numbers.Set(k, to.F != nil)
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

// PutMoves restores Moves.
func (s *Shapes) PutMoves(list []int32) {
	s.Moves.Clear()
	for _, k := range list {
		s.Moves.Add(k)
	}
}

// AsKept returns a copy of a fixture with the values that the fixture has without raw access.
func (s *Shapes) AsKept(f *box2d.B2Fixture) box2d.B2Fixture {
	v := *f
	v.M_proxies, v.M_proxyCount = nil, int(^s.Last(f))
	return v
}

// validate checks that each shape of a body has the numbers that are in the table.
func (s *Shapes) validate(b *box2d.B2Body) error {
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		child := -1
		if b.IsActive() {
			child = f.M_shape.GetChildCount() - 1
		}
		for k := s.Last(f); k >= 0 || child >= 0; k = s.All[k].Prev {
			if k < 0 || int(k) >= len(s.All) || s.All[k].F != f || int(s.All[k].Child) != child || !s.Tree.Has(k) {
				return fmt.Errorf("Shape: child %d of a shape of body %d has no number, or the number of another shape", child, b.M_islandIndex)
			}
			child--
		}
	}
	return nil
}

func (s *Shapes) Changes() *stamps.Stamps { return &s.Stamps }

func (s *Shapes) Waiting() int { return len(s.Moves.List) }

func (s *Shapes) FixtureAt(leaf int) *box2d.B2Fixture {
	if leaf >= 0 && leaf < len(s.All) {
		return s.All[leaf].F
	}
	return nil
}

// Reserve does nothing, because the tables grow as shapes are made.
func (s *Shapes) Reserve(int) {}

// moves does nothing, because no leaf of the library moves.
func (s *Shapes) moves(*box2d.B2Body) {}
