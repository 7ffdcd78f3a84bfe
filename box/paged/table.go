// Package paged keeps tables of values of which several states share what they
// have in common.
//
// A [Table] is a tree of small pages. Another table can share all of them at the
// cost of one pointer; whoever then writes to a page that others have too gets a
// copy of it first. So a table that is written after it was shared costs, in time
// and memory, what differs. Where nearly all pages side by side are written, they are
// one block, which costs less than its pages. What no table has any longer is used
// again, and nothing is allocated in the steady state.
//
// Tables of one [Pool] are written and let go of on one goroutine. Others may read a
// table meanwhile, as long as nobody writes to that table itself.
package paged

import (
	"math/bits"
	"slices"
)

const (
	pageBits  = 2 // of the number of a value: its place in the page
	nodeBits  = 4
	blockBits = pageBits + nodeBits // a block is a word of Marks

	// PageSize is how many values are copied where one of them is written, and
	// BlockSize how many where most of them are.
	PageSize  = 1 << pageBits
	BlockSize = 1 << blockBits
	fanOut    = 1 << nodeBits
)

// node is a page or a block, or holds the nodes below it.
type node[T any] struct {
	users  int32 // tables and nodes that point to it
	below  *[fanOut]*node[T]
	values []T
}

// Pool is where the pages of tables come from. The zero Pool is ready to use.
type Pool[T any] struct {
	// Copy and Clear are set for values that share memory when they are assigned.
	Copy  func(to, from *T)
	Clear func(*T)

	// Flat says that values hold no pointers, so that those which nobody has need not be
	// cleared.
	Flat bool

	// Copied counts the pages that were made or copied.
	Copied int

	pages, blocks, nodes stock[T]
}

// states is how many states are let go of at once without others being allocated later.
const states = 8

// stock is what no table has any longer.
type stock[T any] struct {
	free        []*node[T]
	clean       int // the first so many have been cleared
	taken, most int // since the last Trim; lately, between two of them
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

func (p *Pool[T]) newPage() *node[T] {
	p.Copied++
	if n := p.pages.take(); n != nil {
		return n
	}
	n := new(struct {
		node[T]
		all [PageSize]T
	})
	n.users, n.values = 1, n.all[:]
	return &n.node
}

func (p *Pool[T]) newBlock() *node[T] {
	p.Copied += fanOut
	if n := p.blocks.take(); n != nil {
		return n
	}
	return &node[T]{users: 1, values: make([]T, BlockSize)}
}

func (p *Pool[T]) newNode() *node[T] {
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

// Trim follows when a state has been taken. It keeps as many free pages as some of the
// last states took together: whoever goes back lets go of several at once.
func (p *Pool[T]) Trim() {
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

// wipe clears what is free, so that nothing is kept in memory by what nobody has.
func (p *Pool[T]) wipe() {
	if p.Flat {
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

func (p *Pool[T]) zero(v *T) {
	if p.Clear != nil {
		p.Clear(v)
		return
	}
	var none T
	*v = none
}

// fill writes what was in place of values, or zero if that is nil, but for those of set.
func (p *Pool[T]) fill(values, was []T, set uint64) {
	if p.Copy == nil && was != nil && set == 0 {
		copy(values, was)
		return
	}
	for left := ^set & (^uint64(0) >> (BlockSize - len(values))); left != 0; left &= left - 1 {
		switch i := bits.TrailingZeros64(left); {
		case was == nil:
			p.zero(&values[i])
		case p.Copy != nil:
			p.Copy(&values[i], &was[i])
		default:
			values[i] = was[i]
		}
	}
}

func (p *Pool[T]) release(n *node[T]) {
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
	case len(n.values) == PageSize:
		p.pages.put(n)
	default:
		p.blocks.put(n)
	}
}

// own makes a node that holds others the table's own.
func (p *Pool[T]) own(at **node[T]) *node[T] {
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

// Table holds values by their numbers. A value that was never written is zero. The
// zero Table is empty.
//
// The compiler makes the code of a Table again in each package that sees its type, be it
// in a field of a field or in what a method takes. A type that other packages use has its
// tables behind an interface.
type Table[T any] struct {
	pool   *Pool[T] // nil if it was never written nor shared
	root   *node[T]
	height int // of the root; at 0 it is a block, or holds its pages

	// The place of the block that was written last, in a node that is the table's own,
	// and the number of its first value in blocks.
	last   **node[T]
	lastAt int
}

// place is where the block of value n is, for writing.
func (t *Table[T]) place(p *Pool[T], n int) **node[T] {
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

// Write returns values for writing, from the first of a page or block on. The caller
// writes those of set, as bits, each as a whole, and may find anything in them; the
// others are as they were.
func (t *Table[T]) Write(p *Pool[T], first, size int, set uint64) []T {
	at := t.place(p, first)
	n := *at
	isBlock := n.isBlock()
	if size == BlockSize {
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
				p.fill(b.values[i*PageSize:][:PageSize], was, set>>(i*PageSize))
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
			return n.values[first&(BlockSize-1):][:PageSize]
		}
		apart := p.newNode()
		for i := range apart.below {
			apart.below[i] = p.newPage()
			p.fill(apart.below[i].values, n.values[i*PageSize:][:PageSize], 0)
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

// Value returns value n, which the caller writes as a whole.
func (t *Table[T]) Value(p *Pool[T], n int) *T {
	i := n & (PageSize - 1)
	return &t.Write(p, n-i, PageSize, 1<<i)[i]
}

// From returns values from n on, which must not be written, to the end of the page or
// block that they are in. It returns nil where none of it was ever written.
func (t *Table[T]) From(n int) []T {
	at := t.root
	if at == nil || n>>(blockBits+t.height*nodeBits) > 0 {
		return nil
	}
	for h := t.height - 1; h >= 0; h-- {
		if at = at.below[n>>(blockBits+h*nodeBits)&(fanOut-1)]; at == nil {
			return nil
		}
	}
	i := n & (BlockSize - 1)
	if at.below == nil {
		return at.values[i:]
	}
	if at = at.below[i>>pageBits]; at == nil {
		return nil
	}
	return at.values[i&(PageSize-1):]
}

// At returns value n, which must not be written, or nil like From.
func (t *Table[T]) At(n int) *T {
	if values := t.From(n); values != nil {
		return &values[0]
	}
	return nil
}

// Any is a *Table, whatever its values are.
type Any interface {
	Share(from Any)
	Reuse()
	Drop()
	Trim()
	Copied() int
}

// Share makes t hold what from holds, which has values of the same type.
func (t *Table[T]) Share(other Any) {
	from := other.(*Table[T])
	if from.last != nil {
		from.last = nil // it has two owners now
	}
	held := *from
	if held.root != nil {
		held.root.users++
	}
	t.Drop()
	if held.pool == nil {
		held.pool = t.pool
	}
	*t = held
}

// Drop empties a table.
func (t *Table[T]) Drop() {
	if t.Reuse(); t.pool != nil {
		t.pool.wipe()
	}
}

// Reuse is Drop before another table is written and shared: what it has not taken by then
// is cleared.
func (t *Table[T]) Reuse() {
	if t.root != nil {
		t.pool.release(t.root)
	}
	*t = Table[T]{pool: t.pool}
}

// Trim and Copied are those of the pool.
func (t *Table[T]) Trim() {
	if t.pool != nil {
		t.pool.Trim()
	}
}

func (t *Table[T]) Copied() int {
	if t.pool == nil {
		return 0
	}
	return t.pool.Copied
}

// Differences calls f with the number of the first value of each page that the two
// tables do not share.
func (t *Table[T]) Differences(of *Table[T], f func(first int)) {
	height := max(t.height, of.height)
	differences(t.top(height), of.top(height), height, 0, f)
}

// top is the root, seen from as high up.
func (t *Table[T]) top(height int) *node[T] {
	n := t.root
	for h := t.height; h < height && n != nil; h++ {
		n = &node[T]{below: &[fanOut]*node[T]{n}}
	}
	return n
}

func differences[T any](a, b *node[T], height, first int, f func(first int)) {
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
			differences(x, y, height-1, at, f)
		case x != y || a.isBlock() || b.isBlock():
			f(at << pageBits)
		}
	}
}

func (n *node[T]) isBlock() bool { return n != nil && n.below == nil }

// Pages calls f with each page and the number of its first value.
func (t *Table[T]) Pages(f func(first int, page []T)) {
	var none Table[T]
	none.Differences(t, func(first int) { f(first, t.From(first)[:PageSize]) })
}

// Marks is a set of numbers. The zero Marks is empty.
type Marks struct {
	bits  []uint64
	words []int32 // those that are not 0
}

// Add adds a number.
func (m *Marks) Add(n int32) {
	m.addWord(n>>6, 1<<(n&63))
}

func (m *Marks) addWord(w int32, set uint64) {
	if int(w) >= len(m.bits) {
		m.bits = append(m.bits, make([]uint64, max(int(w)+1-len(m.bits), len(m.bits)))...)
	}
	if m.bits[w] == 0 {
		m.words = append(m.words, w)
	}
	m.bits[w] |= set
}

// Has reports whether a number is in the set.
func (m *Marks) Has(n int32) bool {
	return int(n>>6) < len(m.bits) && m.bits[n>>6]&(1<<(n&63)) != 0
}

// Len is how many numbers are in the set.
func (m *Marks) Len() (n int) {
	for _, w := range m.words {
		n += bits.OnesCount64(m.bits[w])
	}
	return n
}

// AddPage adds all numbers of a page.
func (m *Marks) AddPage(first int) {
	m.addWord(int32(first>>6), (1<<PageSize-1)<<(first&63))
}

// Merge adds the numbers of another set.
func (m *Marks) Merge(other *Marks) {
	for _, w := range other.words {
		m.addWord(w, other.bits[w])
	}
}

// AddAll adds all numbers below n.
func (m *Marks) AddAll(n int) {
	for i := 0; i < n; i += 64 {
		m.addWord(int32(i/64), ^uint64(0)>>max(0, 64-(n-i)))
	}
}

// Clear empties the set.
func (m *Marks) Clear() {
	for _, w := range m.words {
		m.bits[w] = 0
	}
	m.words = m.words[:0]
}

// Each calls f with each number.
func (m *Marks) Each(f func(n int)) {
	for _, w := range m.words {
		for set := m.bits[w]; set != 0; set &= set - 1 {
			f(int(w)<<6 + bits.TrailingZeros64(set))
		}
	}
}

// EachRun calls f with the pages and blocks to write where the values of the set are
// written: with the number of their first value, how many they have, and which of them
// are in the set, as bits. A block is written where most of its pages would be.
func (m *Marks) EachRun(f func(first, size int, set uint64)) {
	const most, eachPage = fanOut * 3 / 4, ^uint64(0) / (1<<PageSize - 1)
	for _, w := range m.words {
		set, first := m.bits[w], int(w)<<6
		pages := set | set>>1
		if pages |= pages >> 2; bits.OnesCount64(pages&eachPage) >= most {
			f(first, BlockSize, set)
			continue
		}
		for ; set != 0; first, set = first+PageSize, set>>PageSize {
			if page := set & (1<<PageSize - 1); page != 0 {
				f(first, PageSize, page)
			}
		}
	}
}
