package b2state

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/binenc"
	"halfstep/internal/box"
	"halfstep/internal/box/b2"
	"halfstep/internal/box/store"
	"halfstep/internal/reslice"
)

// savedLeaf is a shape with its box in the World's own tree. The nodes above the leaves can be
// computed from the leaves.
type savedLeaf struct {
	of  box.Shape
	box box2d.B2AABB
}

func (p *Past) saveLeaves(r store.Run, to []savedLeaf) {
	o := p.owner
	for i, n := range r.Things() {
		if to[i] = (savedLeaf{}); n < len(o.Shapes.All) && o.Shapes.All[n].F != nil {
			to[i] = savedLeaf{o.Shapes.All[n], *o.Shapes.Tree.Box(int32(n))}
		}
	}
}

func (p *Past) loadLeaf(n int, from *savedLeaf) { p.owner.Shapes.Put(n, &from.of, &from.box) }

// leaf is a child of a fixture in the form of bytes: its number, and its box in the tree.
type leaf struct {
	shape int32
	aabb  box2d.B2AABB
}

// leavesOf returns the leaves of each fixture of a body, beginning with the last child.
func (s *State) leavesOf(n int32) [][]leaf {
	fixtures := s.shapes(n).fixtures
	lists := make([][]leaf, len(fixtures))
	for i := range fixtures {
		for k := int32(^fixtures[i].value.M_proxyCount); k >= 0; {
			of := s.past.leaves.At(&s.Values, int(k))
			lists[i] = append(lists[i], leaf{k, of.box})
			k = of.of.Prev
		}
	}
	return lists
}

// freeShapes are the free numbers below the highest number of a shape.
func (s *State) freeShapes() []int32 {
	var used []bool
	s.past.leaves.Each(&s.Values, func(n int, v *savedLeaf) {
		if v.of.F != nil {
			used = reslice.Resize(used, max(len(used), n+1))
			used[n] = true
		}
	})
	free := []int32{}
	for k := range used {
		if !used[k] {
			free = append(free, int32(k))
		}
	}
	return free
}

// readLeaves reads the leaves of a fixture, for a World that has its own tree.
func (l *Loaded) readLeaves(r *binenc.Reader, f *box2d.B2Fixture) {
	leaves, want := binenc.ReadEach[leaf](r, 36), 0
	if f.M_body.M_flags&b2.BodyActive != 0 {
		want = f.M_shape.GetChildCount()
	}
	if !r.Expect(len(leaves) == want) {
		return
	}
	f.M_proxyCount = 0
	if want > 0 {
		f.M_proxyCount = int(^leaves[0].shape)
	}
	shapes := make([]int32, want)
	l.shapes = append(l.shapes, shapes)
	for i := range leaves {
		shapes[want-1-i] = leaves[i].shape
		of := box.Shape{F: f, Child: int32(want - 1 - i), Prev: -1}
		if i+1 < want {
			of.Prev = leaves[i+1].shape
		}
		l.leaves = append(l.leaves, readLeaf{leaves[i].shape, savedLeaf{of, leaves[i].aabb}})
	}
}

type readLeaf struct {
	shape int32
	savedLeaf
}

// putLeaves inserts the leaves that were read into the tree. The numbers of the leaves and the
// free numbers must together have each number up to the highest once.
func (l *Loaded) putLeaves(r *binenc.Reader) {
	free := binenc.ReadEach[int32](r, 4)
	if r.Err != nil {
		return
	}
	taken := make([]bool, len(l.leaves)+len(free))
	take := func(k int32) bool {
		if !r.Expect(k >= 0 && int(k) < len(taken) && !taken[k]) {
			return false
		}
		taken[k] = true
		return true
	}
	for _, k := range free {
		if !take(k) {
			return
		}
	}
	for i := range l.leaves {
		if !take(l.leaves[i].shape) {
			return
		}
	}
	for i := range l.leaves {
		v := &l.leaves[i]
		l.Owner.Shapes.Put(int(v.shape), &v.of, &v.box)
	}
	l.leaves = nil
}
