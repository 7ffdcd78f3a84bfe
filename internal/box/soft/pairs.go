package soft

import (
	"fmt"
	"math"
	"slices"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"

	"github.com/ByteArena/box2d"
)

// pairs finds the shapes that may meet, and sets the boxes of moved shapes in the world's tree.
type pairs struct {
	queries   []int32    // queries are the shapes whose pairs are searched for.
	made      []int32    // the new contacts
	found     []found    // by block of queries
	packed    packedTree // packed is used if there are many queries.
	packs     bool       // packs says that packed has the boxes of this step, so that visit uses it.
	resettled int        // resettled is the number of shapes that got other boxes in the last step.
	refit     func(int)  // refitLevel
	most      int        // most is the greatest number of new pairs in one search. The value 0 means no limit.
	tooMany   error      // tooMany is the error that the panic wraps if there are more.

	// These are the parts of a search that the crew shares.
	copies, sorts, notes, queriesOf, queriesPacked, refits, fills work

	world    *box2d.B2World
	set      *box.World
	crew     *crew
	rules    *rules
	bodies   *bodies
	shapes   *shapes
	contacts *contacts
}

func (s *pairs) open(w *box2d.B2World, set *box.World, c *crew, r *rules, b *bodies, sh *shapes, of *contacts) {
	s.world, s.set, s.crew, s.rules, s.bodies, s.shapes, s.contacts = w, set, c, r, b, sh, of
	s.refit = s.refitLevel
	s.copies = func(_, from, to int) { s.packed.copyLeaves(&set.Shapes.Tree, sh.fatBoxes, from, to) }
	s.sorts = func(_, from, to int) { s.packed.sortParts(from, to) }
	s.notes = func(_, from, to int) { s.packed.noteMoved(&set.Shapes.Moves, sh.all, from, to) }
	s.queriesOf, s.queriesPacked, s.refits, s.fills = s.queryBlock, s.queryPacked, set.Shapes.Tree.RefitBlock, s.fillBlock
}

// find creates the contacts of the shapes that have moved. It returns the number of contacts.
func (s *pairs) find() (n int) {
	s.queries = s.queries[:0]
	for _, k := range s.set.Shapes.Moves.List {
		if k >= 0 {
			s.queries = append(s.queries, k)
		}
	}
	if n = len(s.queries); n == 0 {
		return 0
	}
	blocks := s.search()
	keys := s.found[0].keys
	for i := 1; i < blocks; i++ {
		keys = append(keys, s.found[i].keys...)
	}
	s.found[0].keys = keys
	s.set.Shapes.Moves.Clear()
	if s.most > 0 && len(keys) > s.most {
		panic(fmt.Errorf("%w: more than %d new pairs in one step", s.tooMany, s.most))
	}
	slices.Sort(keys)
	s.made = s.made[:0]
	s.set.Contacts.Grow(len(keys))
	if n := cap(s.set.Contacts.All); n > cap(s.contacts.all) {
		s.contacts.all = append(make([]contact, 0, n), s.contacts.all...)
	}
	last := uint64(math.MaxUint64)
	for i, key := range keys {
		if i%Fetched == 0 {
			s.fetchPairs(keys[i:])
		}
		if key != last {
			last = key
			s.addPair(int32(key>>32), int32(uint32(key)))
		}
	}
	s.contacts.grow()
	s.crew.run(s.fills, len(s.made), s.crew.blocksOf(len(s.made), contactBlock, 1))
	return n
}

// fillBlock fills the rows of a block of new contacts.
func (s *pairs) fillBlock(_, from, to int) {
	for _, n := range s.made[from:to] {
		s.contacts.fill(n)
	}
}

const queryBlock = 32 // queryBlock is the least number of queries in a block

// found has the pairs that a block of queries has found, as keys.
type found struct {
	keys  []uint64
	stack []int32
	// This is scratch memory of queryPacked, for leaves of the packed tree.
	moved, met []int32
}

// packFrom is a factor. If there are fewer shapes than packFrom times the number of queries, the tree
// is packed first.
const packFrom = 16

// search looks for the pairs of the moved shapes. It returns the number of blocks.
func (s *pairs) search() (blocks int) {
	n, do := len(s.queries), s.queriesOf
	s.packed.moved = s.packed.moved[:0]
	if s.manyMoved(n) {
		s.pack()
		s.packed.lookFor()
		n, do = s.packed.nodeCount(), s.queriesPacked
		s.crew.run(s.notes, n, s.crew.blocksOf(n, manyBodies/packWidth, 1))
	}
	blocks = s.crew.blocksOf(n, queryBlock, 4)
	s.found = growTo(s.found, blocks)
	s.crew.run(do, n, blocks)
	return blocks
}

// manyMoved reports whether a packed tree saves more time than it costs if n shapes have moved.
func (s *pairs) manyMoved(n int) bool {
	return s.set.Shapes.Tree.Count() < packFrom*n
}

// packForStep packs the tree for the searches of this step if many shapes have moved in the last
// step, because these movements have made the world's tree loose.
func (s *pairs) packForStep() {
	if s.packs = s.manyMoved(s.resettled); s.packs {
		s.pack()
	}
}

func (s *pairs) pack() {
	s.packed.pack(&s.set.Shapes.Tree, len(s.set.Shapes.All), s.copyLeaves, s.sortParts)
}

func (s *pairs) copyLeaves() {
	n := s.packed.nodeCount()
	s.crew.run(s.copies, n, s.crew.blocksOf(n, manyBodies/packWidth, 1))
}

func (s *pairs) sortParts(n int) { s.crew.run(s.sorts, n, s.crew.blocksOf(n, 4, 4)) }

// visit calls f for the shapes whose boxes meet b, until f returns false. It returns the stack.
func (s *pairs) visit(b *aabb, stack []int32, f func(id int32) bool) []int32 {
	if s.packs {
		return s.packed.visit(b, stack, f)
	}
	is := b.toB2()
	return s.set.Shapes.Tree.Visit(&is, stack, f)
}

// queryBlock finds the pairs of some of the moved shapes.
func (s *pairs) queryBlock(block, from, to int) {
	f, t := &s.found[block], &s.set.Shapes.Tree
	f.keys = f.keys[:0]
	for _, q := range s.queries[from:to] {
		had := len(f.keys)
		f.stack = t.Visit(t.Box(q), f.stack, func(id int32) bool {
			// Of two moved shapes the shape with the higher number reports the pair.
			if (id < q || id > q && !s.set.Shapes.Moves.Has(id)) && s.shapes.mayMeet(q, id) &&
				s.shapes.passes(id, q) && s.shapes.all[id].body != s.shapes.all[q].body {
				f.keys = append(f.keys, box.Key(box.Proxy(id), box.Proxy(q)))
			}
			return true
		})
		s.dropKnown(f, had)
	}
}

// queryPacked does the work of queryBlock for some lowest nodes of the packed tree. It searches
// once for all leaves of a node that have moved.
func (s *pairs) queryPacked(block, from, to int) {
	f, t := &s.found[block], &s.packed
	f.keys = f.keys[:0]
	for n := from; n < to; n++ {
		if t.moved[n] == 0 {
			continue
		}
		had := len(f.keys)
		moved, all := t.movedIn(n, f.moved)
		f.moved, f.stack = moved, t.asked(t.near(all, f.stack), int32(n))
		for _, i := range moved {
			f.met = t.leavesMeeting(i, f.stack, f.met)
			for _, k := range f.met {
				a, b := &t.shapes[i], &t.shapes[k]
				if t.mayMeet(i, k) && (!s.rules.filters || a.filter.Collides(&b.filter)) && a.body != b.body {
					f.keys = append(f.keys, box.Key(box.Proxy(t.leaves[i]), box.Proxy(t.leaves[k])))
				}
			}
		}
		s.dropKnown(f, had)
	}
}

// dropKnown removes two kinds of pairs from the pairs found, starting at index from. Most of them
// already have a contact. The bodies of the others allow no contact, because both are fixed or
// because a joint prevents it.
func (s *pairs) dropKnown(f *found, from int) {
	fresh := s.set.Contacts.Without(f.keys[from:])
	f.keys = f.keys[:from]
	for _, key := range fresh {
		a, b := &s.bodies.all[s.shapes.all[key>>32].body], &s.bodies.all[s.shapes.all[uint32(key)].body]
		if !(a.fixed && b.fixed) && b2.ShouldCollide(b.b, a.b) {
			f.keys = append(f.keys, key)
		}
	}
}

// addPair creates and links the contact of two shapes, if the world's filter and the shapes allow a
// contact. The row of the contact is filled later by fillBlock.
func (s *pairs) addPair(a, b int32) {
	sa, sb := &s.shapes.all[a], &s.shapes.all[b]
	if f := s.world.M_contactManager.M_contactFilter; f != nil && !f.ShouldCollide(sa.f, sb.f) {
		return
	}
	wakes := s.set.Wakes(sa.f, sb.f)
	n := s.set.AddPair(a, b)
	if n < 0 {
		return
	}
	s.made = append(s.made, n)
	if wakes {
		s.bodies.loadWoken(sa.body)
		s.bodies.loadWoken(sb.body)
	}
}

// moveShape sets the box of a shape in the tree: the shape's fat box, extended by its displacement.
// The shape keeps its place in the tree. Refit computes the boxes above it.
func (s *pairs) moveShape(k int32, box *aabb) {
	is := box.toB2()
	s.set.Shapes.Tree.Set(k, &is)
	s.set.Shapes.Stamps.Mark(k)
	s.set.Shapes.Moves.Add(k)
	s.packed.fits = false
	s.shapes.setMoved(k, movedHere)
}

// refitLevel computes the boxes of n nodes of the tree, and shares this work among the workers.
func (s *pairs) refitLevel(n int) {
	blocks := s.crew.blocksOf(n, manyBodies, 1)
	s.set.Shapes.Tree.Blocks(blocks)
	s.crew.run(s.refits, n, blocks)
}
