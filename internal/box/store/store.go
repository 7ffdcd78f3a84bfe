package store

import (
	"bytes"
	"fmt"
	"math/bits"
	"unsafe"

	"halfstep/internal/owner"
	"halfstep/internal/stamps"
)

// Store has the columns that the States of one world share. The zero Store is ready to use.
type Store struct {
	columns []keeper
	kinds   []*kind // by column
	puts    bool    // Put is running; if false, Take
}

// kind has the data that is common to the columns with the same Stamps.
type kind struct {
	stamps *stamps.Stamps
	serial uint64 // serial of the Stamps at the last State that was taken or restored
	runs   []Run  // the changes since the last State
	ready  bool   // runs is valid for the Take or Put that is running
}

// Run is a page or a block in which objects have changed.
type Run struct {
	first, size int32
	changed     uint64 // a bit for each object that has changed
}

// Things yields the objects that have changed: the place of each in the run, and its number.
func (r Run) Things() func(yield func(i, n int) bool) {
	return func(yield func(i, n int) bool) {
		for left := r.changed; left != 0; left &= left - 1 {
			if i := bits.TrailingZeros64(left); !yield(i, int(r.first)+i) {
				return
			}
		}
	}
}

// block returns the run of the whole block that contains the page r, with the same changes.
func (r Run) block() Run {
	at := r.first & (blockSize - 1)
	return Run{r.first - at, blockSize, r.changed << at}
}

// keeper is a Column for any type of value.
type keeper interface {
	take(r Run)
	share(to *values)
	reuse(v values)
	drop(v values)
	differ(v values)
	before(s *Store, v values)
	free(r Run, v values)
	load(r Run, v values)
	loaded(v values)
	follow()
	copied() int
	size() int
}

// values is a *table of the type of a column's values, or nil.
type values any

// Column stores the value of each object of one kind.
type Column[T any] struct {
	Stamps *stamps.Stamps // changes, by the number of an object

	// Save writes the whole value of each changed object of a run to the object's place in to. For a
	// number without an object it writes zero.
	Save func(r Run, to []T)

	// Load restores the value of an object. Before and Free are called for the same objects, and may be
	// nil. Free is called before the first Load of this column, and Before is called before the first
	// Load of any column. After the calls of Before, Put ignores marks of this column.
	Before, Free, Load func(n int, from *T)
	// Follow marks the changes since Serial that other code has not marked. It is called before each
	// use of the Stamps, and may be nil.
	Follow func()

	// Same reports whether two values are the same. If it is set, a value is written only if it has
	// changed. With Often, a value is written without a comparison, because most values differ. Even
	// then, race builds use Same to find changes without a mark.
	Same  func(a, b *T) bool
	Often bool

	// Copy and Clear are needed if a plain assignment would make two values share memory.
	Copy  func(to, from *T)
	Clear func(*T)

	// Flat says that values have no pointers.
	Flat bool

	pool pool[T]
	now  table[T] // the values of the last State
	at   int      // at is the index in Store.columns.
	kind *kind
	is   []T // scratch memory of changed
	none T   // the zero value
}

// Kept reads the values of a Column. It is an interface, because the compiler would generate the
// code of a Column again in each package that sees its type. A struct with a field of type
// Column would show the type to all packages that import the struct.
type Kept[T any] interface {
	// At returns a pointer to the value of object n in a State. The value must not be changed.
	At(s *State, n int) *T
	// Each calls f with all values of a State. Some of them may be zero.
	Each(s *State, f func(n int, v *T))
	// Last returns the value of object n in the last State that was taken or restored.
	Last(n int) *T
	// Serial is the serial of the Stamps at the last State that was taken or restored, or 0 before
	// the first State.
	Serial() uint64
}

// Add adds a column to a store. States save and load columns in the order in which they were
// added. All columns must be added before the first State is taken.
func Add[T any](s *Store, c *Column[T]) Kept[T] {
	c.pool.copy, c.pool.clear, c.pool.flat = c.Copy, c.Clear, c.Flat
	c.at = len(s.columns)
	c.kind = s.kindOf(c.Stamps)
	s.columns, s.kinds = append(s.columns, c), append(s.kinds, c.kind)
	return c
}

func (s *Store) kindOf(of *stamps.Stamps) *kind {
	for _, k := range s.kinds {
		if k.stamps == of {
			return k
		}
	}
	return &kind{stamps: of}
}

// Copied returns the number of pages that have been made or copied.
func (s *Store) Copied() (n int) {
	for _, c := range s.columns {
		n += c.copied()
	}
	return n
}

// State has the values of all columns at one time. The zero State is empty.
type State struct {
	of     *Store // nil if the State is empty or was read from bytes
	tables []values
	size   int
}

// Size is the approximate memory, in bytes, of a State in which all values have changed, without
// the columns whose values hardly ever change.
func (s *State) Size() int { return s.size }

// Drop empties a State.
func (s *State) Drop() {
	for i, v := range s.tables {
		if s.of != nil {
			s.of.columns[i].drop(v)
		}
	}
	*s = State{}
}

// Take stores the present state of the world in a State.
func (s *Store) Take(to *State) {
	if to.of != s {
		to.Drop()
		to.of, to.tables = s, make([]values, len(s.columns))
	}
	for i, c := range s.columns { // the new values use the memory of the old State
		c.reuse(to.tables[i])
	}
	s.begin(false) // false: Take
	for i, end := 0, 0; i < len(s.columns); i = end {
		end = s.group(i)
		for _, r := range s.runs(i) {
			if r.size == blockSize { // saving the whole block takes less time than copying a part of it
				r.changed = ^uint64(0)
			}
			for _, c := range s.columns[i:end] {
				c.take(r)
			}
		}
	}
	to.size = 0
	for i, c := range s.columns {
		c.share(&to.tables[i])
		to.size += c.size()
	}
}

// group returns the end of the columns from i on that have the same kind as column i. They are
// saved and loaded together, page by page, so that the data of an object are still in the cache.
func (s *Store) group(i int) (end int) {
	for end = i; end < len(s.columns) && s.kinds[end] == s.kinds[i]; end++ {
	}
	return end
}

// Put restores the world to a State. It loads only values that differ from the present values. It
// calls Follow of all columns, and then Before of all columns. Then, for one kind after the other,
// it calls Free and Load of the kind's columns.
func (s *Store) Put(from *State) {
	s.begin(true) // true: Put
	for i, c := range s.columns {
		c.differ(from.tables[i])
	}
	for i, c := range s.columns {
		c.before(s, from.tables[i])
	}
	for i, end := 0, 0; i < len(s.columns); i = end {
		end = s.group(i)
		runs := s.runs(i)
		for k := i; k < end; k++ {
			for _, r := range runs {
				s.columns[k].free(r, from.tables[k])
			}
		}
		for _, r := range runs {
			for k := i; k < end; k++ {
				s.columns[k].load(r, from.tables[k])
			}
		}
	}
	for i, c := range s.columns {
		c.loaded(from.tables[i])
	}
}

func (s *Store) begin(puts bool) {
	s.puts = puts
	for _, k := range s.kinds {
		k.ready = false
	}
	for _, c := range s.columns {
		c.follow()
	}
}

// runs returns the runs of a column. It computes them at the first call for a kind, because
// earlier columns may have marked more changes.
func (s *Store) runs(column int) []Run {
	k := s.kinds[column]
	if !k.ready {
		k.runs = k.runs[:0]
		k.stamps.Blocks(k.serial, k.add)
		if s.puts { // all other followers must see the values that are loaded
			for _, r := range k.runs {
				k.stamps.MarkBits(r.first, r.changed)
			}
		}
		k.serial, k.ready = k.stamps.Now(), true
	}
	return k.runs
}

// add adds runs for the changes of 64 objects. It adds the pages with changes, or the whole block
// if most pages have changes.
func (k *kind) add(first int, changed uint64) {
	const most, eachPage = fanOut * 3 / 4, ^uint64(0) / (1<<pageSize - 1)
	pages := changed | changed>>1
	if pages |= pages >> 2; bits.OnesCount64(pages&eachPage) >= most {
		k.runs = append(k.runs, Run{int32(first), blockSize, changed})
		return
	}
	for ; changed != 0; first, changed = first+pageSize, changed>>pageSize {
		if page := changed & (1<<pageSize - 1); page != 0 {
			k.runs = append(k.runs, Run{int32(first), pageSize, page})
		}
	}
}

func (c *Column[T]) At(s *State, n int) *T {
	if v := s.tables[c.at].(*table[T]).at(n); v != nil {
		return v
	}
	return &c.none
}

func (c *Column[T]) Each(s *State, f func(n int, v *T)) {
	var none table[T]
	t := s.tables[c.at].(*table[T])
	none.differences(t, func(first int) {
		for i, values := 0, t.from(first); i < pageSize; i++ {
			f(first+i, &values[i])
		}
	})
}

func (c *Column[T]) Serial() uint64 { return c.kind.serial }

func (c *Column[T]) Last(n int) *T {
	if v := c.now.at(n); v != nil {
		return v
	}
	return &c.none
}

// Read adds the values of the next column to a State that is read from bytes. The parameter list
// has the values by the numbers of objects.
func Read[T any](to *State, list []T) {
	p, t := new(pool[T]), new(table[T])
	for n := range list {
		*t.value(p, n) = list[n]
	}
	to.of, to.tables = nil, append(to.tables, t)
}

func (c *Column[T]) take(r Run) {
	if c.Same != nil && !c.Often {
		r.changed = c.changed(r)
	}
	if unsafe.Sizeof(c.none) <= 8 { // for such small values, a page takes as much memory as a block
		r = r.block()
	}
	if r.changed != 0 {
		c.Save(r, c.now.write(&c.pool, int(r.first), int(r.size), r.changed))
	}
}

// changed returns a bit for each object of a run: 1 if the object's value has changed.
func (c *Column[T]) changed(r Run) (changed uint64) {
	if c.is == nil {
		c.is = make([]T, blockSize)
	}
	c.Save(r, c.is)
	was, from := c.now.from(int(r.first)), 0
	if size := int(r.size); c.Flat && len(was) >= size && bytes.Equal(bytesOf(c.is[:size]), bytesOf(was[:size])) {
		return 0 // most blocks have no change
	}
	for i, n := range r.Things() {
		if i-from >= len(was) {
			from, was = i, c.now.from(n)
		}
		before := &c.none
		if was != nil {
			before = &was[i-from]
		}
		if !c.Same(&c.is[i], before) {
			changed |= 1 << i
		}
	}
	if !c.Flat {
		clear(c.is) // the scratch must not refer to old objects
	}
	return changed
}

func bytesOf[T any](list []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), len(list)*int(unsafe.Sizeof(list[0])))
}

// check panics if a value has changed without a stamp. Race builds call it.
func (c *Column[T]) check() {
	for n := range c.Stamps.Len() {
		if c.changed(Run{int32(n), 1, 1}) != 0 {
			panic(fmt.Sprintf("store: thing %d has changed from %+v to %+v without a mark in the Stamps", n, *c.Last(n), c.is[0]))
		}
	}
}

func (c *Column[T]) share(to *values) {
	if owner.Checked && c.Same != nil {
		c.check()
	}
	if *to == nil {
		*to = new(table[T])
	}
	(*to).(*table[T]).share(&c.now)
	c.pool.trim()
}

func (c *Column[T]) reuse(v values) {
	if v != nil {
		v.(*table[T]).reuse()
	}
}

func (c *Column[T]) drop(v values) { v.(*table[T]).drop() }

func (c *Column[T]) follow() {
	if c.Follow != nil {
		c.Follow()
	}
}

func (c *Column[T]) differ(v values) {
	c.now.differences(v.(*table[T]), func(first int) {
		for n := first; n < first+pageSize; n++ {
			c.Stamps.Mark(int32(n))
		}
	})
}

func (c *Column[T]) before(s *Store, v values) {
	if c.Before != nil {
		for _, r := range s.runs(c.at) {
			c.each(r, v, c.Before)
		}
	}
}

func (c *Column[T]) free(r Run, v values) {
	if c.Free != nil {
		c.each(r, v, c.Free)
	}
}

func (c *Column[T]) load(r Run, v values) { c.each(r, v, c.Load) }

func (c *Column[T]) loaded(v values) { c.now.share(v.(*table[T])) }

func (c *Column[T]) each(r Run, v values, f func(n int, from *T)) {
	var values []T
	from := 0
	for i, n := range r.Things() {
		if i-from >= len(values) {
			from, values = i, v.(*table[T]).from(n)
		}
		if values == nil {
			f(n, &c.none)
		} else {
			f(n, &values[i-from])
		}
	}
}

func (c *Column[T]) copied() int { return c.pool.copied }

func (c *Column[T]) size() int {
	if c.Same != nil { // few values have changed
		return 0
	}
	return c.Stamps.Len() * int(unsafe.Sizeof(c.none))
}
