package store

import (
	"math/bits"
	"slices"
)

const (
	pageBits  = 2 // the lowest bits of the number of a value: the index of the value in its page
	nodeBits  = 4
	blockBits = pageBits + nodeBits // the bits of a block fit in one word

	// pageSize is the number of values that are copied if one of them is written, and blockSize is the
	// number of values that are copied if most of them are written.
	pageSize  = 1 << pageBits
	blockSize = 1 << blockBits
	fanOut    = 1 << nodeBits
)

// node is a page or a block of values, or an inner node with nodes below it.
type node[T any] struct {
	users  int32 // the number of tables and nodes that point to the node
	below  *[fanOut]*node[T]
	values []T
}

// pool allocates the pages of tables. The zero pool is ready to use.
type pool[T any] struct {
	copy   func(to, from *T) // set together with clear, if a plain assignment would make two values share memory
	clear  func(*T)
	flat   bool // values have no pointers, so that free pages need not be cleared
	copied int  // the number of pages that were made or copied

	pages, blocks, nodes stock[T]
}

// states is the number of States whose memory trim keeps. If so many States are dropped together,
// later States need no new memory.
const states = 8

// stock has the free nodes of one size.
type stock[T any] struct {
	free        []*node[T]
	clean       int // the number of nodes at the start of free that are cleared
	taken, most int // the number of calls of take since the last trim, and its recent maximum
}

func (s *stock[T]) take() *node[T] {
	s.taken++
	k := len(s.free) - 1
	if k < 0 {
		return nil
	}
	n := s.free[k]
	s.free[k] = nil
	s.free, s.clean = s.free[:k], min(s.clean, k)
	n.users = 1
	return n
}

func (s *stock[T]) put(n *node[T]) {
	if len(s.free) == cap(s.free) {
		s.free = slices.Grow(s.free, states*s.most+64)
	}
	s.free = append(s.free, n)
}

func (p *pool[T]) newPage() *node[T] {
	p.copied++
	if n := p.pages.take(); n != nil {
		return n
	}
	n := new(struct {
		node[T]
		all [pageSize]T
	})
	n.users, n.values = 1, n.all[:]
	return &n.node
}

func (p *pool[T]) newBlock() *node[T] {
	p.copied += fanOut
	if n := p.blocks.take(); n != nil {
		return n
	}
	return &node[T]{users: 1, values: make([]T, blockSize)}
}

func (p *pool[T]) newNode() *node[T] {
	if n := p.nodes.take(); n != nil {
		return n
	}
	n := new(struct {
		node[T]
		all [fanOut]*node[T]
	})
	n.users, n.below = 1, &n.all
	return &n.node
}

// trim is called after a State was taken. It keeps as many free pages as several recent States
// needed together, because a restore drops several States at once.
func (p *pool[T]) trim() {
	p.pages.trim(64)
	p.blocks.trim(64 / fanOut)
	p.nodes.trim(64)
}

func (s *stock[T]) trim(few int) {
	s.most, s.taken = max(s.taken, s.most-(s.most+states-1)/states), 0
	if keep := states*s.most + few; len(s.free) > keep {
		clear(s.free[keep:])
		s.free, s.clean = s.free[:keep], min(s.clean, keep)
	}
}

// wipe clears free pages and blocks, so that they do not refer to old objects.
func (p *pool[T]) wipe() {
	if p.flat {
		return
	}
	for _, s := range [...]*stock[T]{&p.pages, &p.blocks} {
		for ; s.clean < len(s.free); s.clean++ {
			for i := range s.free[s.clean].values {
				p.zero(&s.free[s.clean].values[i])
			}
		}
	}
}

func (p *pool[T]) zero(v *T) {
	if p.clear != nil {
		p.clear(v)
		return
	}
	var none T
	*v = none
}

// fill copies values from was to values. If was is nil, it writes zeros. It leaves out the values
// whose bits are in set.
func (p *pool[T]) fill(values, was []T, set uint64) {
	if p.copy == nil && was != nil && set == 0 {
		copy(values, was)
		return
	}
	for left := ^set & (^uint64(0) >> (blockSize - len(values))); left != 0; left &= left - 1 {
		switch i := bits.TrailingZeros64(left); {
		case was == nil:
			p.zero(&values[i])
		case p.copy != nil:
			p.copy(&values[i], &was[i])
		default:
			values[i] = was[i]
		}
	}
}

func (p *pool[T]) release(n *node[T]) {
	if n.users--; n.users > 0 {
		return
	}
	switch {
	case n.below != nil:
		for i, b := range n.below {
			if b != nil {
				p.release(b)
				n.below[i] = nil
			}
		}
		p.nodes.put(n)
	case len(n.values) == pageSize:
		p.pages.put(n)
	default:
		p.blocks.put(n)
	}
}

// own returns an inner node that no other table uses. If the node at the parameter at has other
// users, own replaces it by a copy.
func (p *pool[T]) own(at **node[T]) *node[T] {
	n := *at
	switch {
	case n == nil:
		n = p.newNode()
	case n.users == 1:
		return n
	default:
		c := p.newNode()
		*c.below = *n.below
		for _, b := range c.below {
			if b != nil {
				b.users++
			}
		}
		n.users--
		n = c
	}
	*at = n
	return n
}

// table stores values by their numbers. A value that was never written is zero. The zero table is
// empty.
type table[T any] struct {
	pool   *pool[T] // nil if the table was never written and shares nothing
	root   *node[T]
	height int // height of the root; at 0 the root is a block, or has the pages of a block

	// The place of the last written block, in a node that only this table uses, and the number of
	// the block.
	last   **node[T]
	lastAt int
}

// place returns the place of the block of value n, for a write.
func (t *table[T]) place(p *pool[T], n int) **node[T] {
	if t.last != nil && t.lastAt == n>>blockBits {
		return t.last
	}
	for n>>(blockBits+t.height*nodeBits) > 0 {
		if t.root != nil {
			top := p.newNode()
			top.below[0] = t.root
			t.root = top
		}
		t.height++
	}
	at := &t.root
	for h := t.height - 1; h >= 0; h-- {
		at = &p.own(at).below[n>>(blockBits+h*nodeBits)&(fanOut-1)]
	}
	t.pool, t.last, t.lastAt = p, at, n>>blockBits
	return at
}

// write returns the values of a page or block, for a write. The parameter first is the number of
// the first value. The caller must write the whole of each value whose bit is in set, because its
// old contents are undefined. All other values stay the same.
func (t *table[T]) write(p *pool[T], first, size int, set uint64) []T {
	at := t.place(p, first)
	n := *at
	isBlock := n.isBlock()
	if size == blockSize {
		if isBlock && n.users == 1 {
			return n.values
		}
		b := p.newBlock()
		switch {
		case n == nil:
			p.fill(b.values, nil, set)
		case isBlock:
			p.fill(b.values, n.values, set)
		default:
			for i, page := range n.below {
				var was []T
				if page != nil {
					was = page.values
				}
				p.fill(b.values[i*pageSize:][:pageSize], was, set>>(i*pageSize))
			}
		}
		if n != nil {
			p.release(n)
		}
		*at = b
		return b.values
	}
	if isBlock {
		if n.users == 1 {
			return n.values[first&(blockSize-1):][:pageSize]
		}
		apart := p.newNode()
		for i := range apart.below {
			apart.below[i] = p.newPage()
			p.fill(apart.below[i].values, n.values[i*pageSize:][:pageSize], 0)
		}
		n.users--
		*at = apart
	}
	at = &p.own(at).below[first>>pageBits&(fanOut-1)]
	if n = *at; n == nil || n.users > 1 {
		page := p.newPage()
		var was []T
		if n != nil {
			was = n.values
			n.users--
		}
		p.fill(page.values, was, set)
		*at = page
	}
	return (*at).values
}

// value returns value n for a write. The caller must write all of it.
func (t *table[T]) value(p *pool[T], n int) *T {
	i := n & (pageSize - 1)
	return &t.write(p, n-i, pageSize, 1<<i)[i]
}

// from returns the values from n to the end of their page or block, for a read. It returns nil if
// nothing on the page was ever written.
func (t *table[T]) from(n int) []T {
	at := t.root
	if at == nil || n>>(blockBits+t.height*nodeBits) > 0 {
		return nil
	}
	for h := t.height - 1; h >= 0; h-- {
		if at = at.below[n>>(blockBits+h*nodeBits)&(fanOut-1)]; at == nil {
			return nil
		}
	}
	i := n & (blockSize - 1)
	if at.below == nil {
		return at.values[i:]
	}
	if at = at.below[i>>pageBits]; at == nil {
		return nil
	}
	return at.values[i&(pageSize-1):]
}

// at returns value n for a read, or nil if nothing on its page was ever written.
func (t *table[T]) at(n int) *T {
	if values := t.from(n); values != nil {
		return &values[0]
	}
	return nil
}

// share makes t have the same values as the parameter from, in the same memory.
func (t *table[T]) share(from *table[T]) {
	if from.last != nil {
		from.last = nil // now both tables use the block
	}
	held := *from
	if held.root != nil {
		held.root.users++
	}
	t.drop()
	if held.pool == nil {
		held.pool = t.pool
	}
	*t = held
}

// drop empties a table.
func (t *table[T]) drop() {
	if t.reuse(); t.pool != nil {
		t.pool.wipe()
	}
}

// reuse drops the table, but does not clear the pages, because the next write of a table may use
// them. When that table is shared, the pages that were not used are cleared.
func (t *table[T]) reuse() {
	if t.root != nil {
		t.pool.release(t.root)
	}
	*t = table[T]{pool: t.pool}
}

// differences calls f with the number of the first value of each page that the two tables do
// not share.
func (t *table[T]) differences(of *table[T], f func(first int)) {
	height := max(t.height, of.height)
	differNodes(t.top(height), of.top(height), height, 0, f)
}

// top returns the root of the tree, after it has raised the tree to the given height.
func (t *table[T]) top(height int) *node[T] {
	n := t.root
	for h := t.height; h < height && n != nil; h++ {
		n = &node[T]{below: &[fanOut]*node[T]{n}}
	}
	return n
}

func differNodes[T any](a, b *node[T], height, first int, f func(first int)) {
	if a == b {
		return
	}
	for i := range fanOut {
		var x, y *node[T]
		if a != nil && a.below != nil {
			x = a.below[i]
		}
		if b != nil && b.below != nil {
			y = b.below[i]
		}
		switch at := first<<nodeBits | i; {
		case height > 0:
			differNodes(x, y, height-1, at, f)
		case x != y || a.isBlock() || b.isBlock():
			f(at << pageBits)
		}
	}
}

func (n *node[T]) isBlock() bool { return n != nil && n.below == nil }
