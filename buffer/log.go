package buffer

import "halfstep/internal/atomic"

// chunkLen records make a chunk. Writing, reading and recycling touch shared
// memory once per chunk.
const chunkLen = 128

type chunk[T any] struct {
	records [chunkLen]T
	next    *chunk[T]
}

// Log is a queue with one writer and one reader that never fills, never waits
// and never drops: a ring that can fill either loses records or, if the writer
// waits, deadlocks on a tick with more records than it holds. Records live in
// chunks; chunks that the reader has left are used again, so that a steady
// stream allocates nothing.
//
// A log publishes nothing by itself. The writer passes Count along with
// whatever else it publishes (a snapshot, a frame), by an atomic store or swap
// that follows Append; the reader reads up to the count it received. That
// store is what orders a record's bytes before the reader's look at them, and
// it is why a snapshot and its events can never disagree.
//
// A Log must be created with NewLog and must not be copied.
type Log[T any] struct {
	// Writer's side.
	tail  *chunk[T] // being filled
	old   *chunk[T] // oldest chunk not yet used again
	count uint64    // records appended
	freed uint64    // records in chunks before old

	_ [64]byte // the sides write on cache lines of their own

	// Reader's side.
	head  *chunk[T]
	taken uint64 // records read

	_ [64]byte

	// left is how many records lie in chunks that the reader will not touch
	// again. Its store follows the reader's last access to such a chunk, its
	// load comes before the writer's first: without that order a record could
	// be overwritten while it is being read.
	left atomic.Uint64
}

// NewLog returns an empty log.
func NewLog[T any]() *Log[T] {
	c := &chunk[T]{}
	return &Log[T]{tail: c, old: c, head: c}
}

// Append adds one record. Writer only.
func (l *Log[T]) Append(r T) { *l.Next() = r }

// Next appends a record and returns it for filling in place; it may hold what
// an earlier record left there. Writer only.
func (l *Log[T]) Next() *T {
	i := l.count % chunkLen
	if i == 0 && l.count > 0 {
		l.grow()
	}
	l.count++
	return &l.tail.records[i]
}

func (l *Log[T]) grow() {
	var c *chunk[T]
	if l.left.Load() >= l.freed+chunkLen {
		c = l.old
		l.old = c.next
		l.freed += chunkLen
		c.next = nil
	} else {
		c = &chunk[T]{}
	}
	l.tail.next = c
	l.tail = c
}

// Count is the number of records appended so far. Writer only.
func (l *Log[T]) Count() uint64 { return l.count }

// Peek returns the oldest record not yet taken, or nil if there is none below
// limit, a count the reader received. It stays valid until Take. Reader only.
func (l *Log[T]) Peek(limit uint64) *T {
	if l.taken >= limit {
		return nil
	}
	i := l.taken % chunkLen
	if i == 0 && l.taken > 0 && l.left.Load() != l.taken {
		l.head = l.head.next
		l.left.Store(l.taken)
	}
	return &l.head.records[i]
}

// Take drops the record that Peek returned and lets go of what it points to.
// Reader only.
func (l *Log[T]) Take() {
	var zero T
	l.head.records[l.taken%chunkLen] = zero
	l.taken++
}

// Shed takes the oldest records below limit, a count the reader received, until
// no more than keep of them are left, and returns how many it took. Reader only.
func (l *Log[T]) Shed(limit, keep uint64) (shed uint64) {
	for l.taken+keep < limit {
		l.Peek(limit)
		l.Take()
		shed++
	}
	return shed
}

// Behind is how many records the reader may still have to take: at most a chunk
// more than there are. Writer only.
func (l *Log[T]) Behind() uint64 { return l.count - l.left.Load() }
