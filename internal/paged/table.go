// Package paged keeps tables of values of which several states share what they
// have in common.
//
// A [Table] is a tree of small pages. Another table can share all of them at the
// cost of one pointer; whoever then writes to a page that others have too gets a
// copy of it first. So a table that is written after it was shared costs, in time
// and memory, what differs. What no table has any longer is used again, and nothing
// is allocated in the steady state.
//
// Tables of one [Pool] are written and let go of on one goroutine. Others may read a
// table meanwhile, as long as nobody writes to that table itself.
package paged

import "math/bits"

const (
	pageBits = 2 // of the number of a value: its place in the page
	nodeBits = 5

	// PageSize is how many values are copied where one of them is written.
	PageSize = 1 << pageBits
	fanOut   = 1 << nodeBits
)

// node is a page, or holds the nodes below it.
type node[T any] struct {
	users  int32 // tables and nodes that point to it
	below  *[fanOut]*node[T]
	values [PageSize]T // not above others: they are there to have a page in one piece
}

// Pool is where the pages of tables come from. The zero Pool is ready to use.
type Pool[T any] struct {
	// Copy and Clear are set for values that share memory when they are assigned.
	Copy  func(to, from *T)
	Clear func(*T)

	// Flat says that values hold no pointers, so that those of a page which nobody has
	// need not be cleared before it is written again.
	Flat bool

	// Copied counts the pages that were made or copied.
	Copied int

	pages, nodes []*node[T]
	taken, most  int // pages since the last Trim; lately, between two of them
}

// newPage returns a page whose values are zero, unless all will be written.
func (p *Pool[T]) newPage(written bool) *node[T] {
	p.Copied++
	p.taken++
	if k := len(p.pages); k > 0 {
		n := p.pages[k-1]
		p.pages[k-1] = nil
		p.pages = p.pages[:k-1]
		n.users = 1
		if p.Flat && !written {
			clear(n.values[:])
		}
		return n
	}
	return &node[T]{users: 1}
}

// Trim follows when a state has been taken. It keeps as many free pages as some of the
// last states took together: whoever goes back lets go of several at once.
func (p *Pool[T]) Trim() {
	const states = 8
	p.most, p.taken = max(p.taken, p.most-p.most/8), 0
	trim(&p.pages, states*p.most+64)
	trim(&p.nodes, states*p.most+64)
}

func trim[T any](free *[]*node[T], keep int) {
	if list := *free; len(list) > keep {
		clear(list[keep:])
		*free = list[:keep]
	}
}

func (p *Pool[T]) newNode() *node[T] {
	if k := len(p.nodes); k > 0 {
		n := p.nodes[k-1]
		p.nodes[k-1] = nil
		p.nodes = p.nodes[:k-1]
		n.users = 1
		return n
	}
	return &node[T]{users: 1, below: new([fanOut]*node[T])}
}

func (p *Pool[T]) release(n *node[T]) {
	if n.users--; n.users > 0 {
		return
	}
	if n.below != nil {
		for i, b := range n.below {
			if b != nil {
				p.release(b)
				n.below[i] = nil
			}
		}
		p.nodes = append(p.nodes, n)
		return
	}
	switch {
	case p.Flat:
	case p.Clear == nil:
		clear(n.values[:])
	default:
		for i := range n.values {
			p.Clear(&n.values[i])
		}
	}
	p.pages = append(p.pages, n)
}

// own makes a node that is written to the table's own.
func (p *Pool[T]) own(at **node[T], height int, whole bool) *node[T] {
	n := *at
	switch {
	case n == nil && height > 0:
		n = p.newNode()
	case n == nil:
		n = p.newPage(whole)
	case n.users == 1:
		return n
	case height > 0:
		c := p.newNode()
		*c.below = *n.below
		for _, b := range c.below {
			if b != nil {
				b.users++
			}
		}
		n.users--
		n = c
	default:
		c := p.newPage(true)
		switch {
		case whole:
		case p.Copy == nil:
			c.values = n.values
		default:
			for i := range c.values {
				p.Copy(&c.values[i], &n.values[i])
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
type Table[T any] struct {
	root   *node[T]
	height int // of the root; 0 is a page

	// The node above the page that was written last, which is the table's own, and
	// the number of its first value in nodes of that size.
	last   *node[T]
	lastAt int
}

// Page returns the page with value n for writing. If whole is set, all of its values
// will be written.
func (t *Table[T]) Page(p *Pool[T], n int, whole bool) []T {
	if t.last != nil && t.lastAt == n>>(pageBits+nodeBits) {
		return p.own(&t.last.below[n>>pageBits&(fanOut-1)], 0, whole).values[:]
	}
	for n>>(pageBits+t.height*nodeBits) > 0 {
		if t.root != nil {
			top := p.newNode()
			top.below[0] = t.root
			t.root = top
		}
		t.height++
	}
	at := &t.root
	for h := t.height; h > 0; h-- {
		t.last, t.lastAt = p.own(at, h, false), n>>(pageBits+nodeBits)
		at = &t.last.below[n>>(pageBits+(h-1)*nodeBits)&(fanOut-1)]
	}
	return p.own(at, 0, whole).values[:]
}

// Read returns the page with value n, which must not be written, or nil where none of
// it was ever written.
func (t *Table[T]) Read(n int) []T {
	if t.last != nil && t.lastAt == n>>(pageBits+nodeBits) {
		if at := t.last.below[n>>pageBits&(fanOut-1)]; at != nil {
			return at.values[:]
		}
		return nil
	}
	at := t.root
	if at == nil || n>>(pageBits+t.height*nodeBits) > 0 {
		return nil
	}
	for h := t.height; h > 0; h-- {
		if at = at.below[n>>(pageBits+(h-1)*nodeBits)&(fanOut-1)]; at == nil {
			return nil
		}
	}
	return at.values[:]
}

// At returns value n, which must not be written, or nil like Read.
func (t *Table[T]) At(n int) *T {
	if page := t.Read(n); page != nil {
		return &page[n&(PageSize-1)]
	}
	return nil
}

// Share makes t hold what from holds.
func (t *Table[T]) Share(p *Pool[T], from *Table[T]) {
	if from.last != nil {
		from.last = nil // it has two owners now
	}
	held := *from
	if held.root != nil {
		held.root.users++
	}
	t.Drop(p)
	*t = held
}

// Drop empties a table.
func (t *Table[T]) Drop(p *Pool[T]) {
	if t.root != nil {
		p.release(t.root)
	}
	*t = Table[T]{}
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
	if height == 0 {
		f(first << pageBits)
		return
	}
	for i := range fanOut {
		var x, y *node[T]
		if a != nil {
			x = a.below[i]
		}
		if b != nil {
			y = b.below[i]
		}
		differences(x, y, height-1, first<<nodeBits|i, f)
	}
}

// Pages calls f with each page and the number of its first value.
func (t *Table[T]) Pages(f func(first int, page []T)) {
	var none Table[T]
	none.Differences(t, func(first int) { f(first, t.Read(first)) })
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

// AddPage adds all numbers of a page below an end.
func (m *Marks) AddPage(first, end int) {
	for n := first; n < min(first+PageSize, end); n++ {
		m.Add(int32(n))
	}
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

// EachPage calls f with the first number of each page that has a number of the set,
// and these numbers as bits.
func (m *Marks) EachPage(f func(first int, set uint)) {
	const all = 1<<PageSize - 1
	for _, w := range m.words {
		for i, set := 0, m.bits[w]; set != 0; i, set = i+PageSize, set>>PageSize {
			if set&all != 0 {
				f(int(w)<<6+i, uint(set&all))
			}
		}
	}
}

// All is the set of EachPage in which a page is whole.
const All = 1<<PageSize - 1
