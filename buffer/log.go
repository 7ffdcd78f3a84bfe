package buffer

import (
	"iter"

	"halfstep/internal/atomic"
)

// chunkLen is the number of records in a chunk. The two sides touch shared
// memory once per chunk.
const chunkLen = 128

type chunk[T any] struct {
	records [chunkLen]T
	next    atomic.Pointer[chunk[T]]
}

// Log is a queue with one writer and one reader. It grows as needed, so it never
// blocks and never loses a record. A ring of fixed size would lose records, or
// deadlock on a tick with more records than it holds. Records live in chunks.
// The writer reuses the chunks that the reader has left, so a steady stream
// allocates nothing.
//
// A log publishes nothing by itself. The writer publishes Count together with
// the state or frame that the records belong to, by an atomic store or swap
// after Append. The reader reads up to the count it received. That store orders
// the writes of a record before the reader's reads, and it is the reason why a
// state and its events cannot disagree.
//
// A Log must be created with NewLog and must not be copied.
type Log[T any] struct {
	// Writer's side.
	tail  *chunk[T]                // being filled
	old   atomic.Pointer[chunk[T]] // oldest chunk that is not reused yet; nil after End
	count uint64                   // records appended
	freed uint64                   // records in chunks before old
	peak  uint64                   // the recent peak of Unread, see Trim

	_ [64]byte // keeps the two sides on separate cache lines

	// Reader's side.
	head  *chunk[T]
	taken uint64 // records read

	_ [64]byte

	// left is the number of records in chunks that the reader will not touch
	// again. The reader stores it after its last access to such a chunk; the
	// writer loads it before its first. Without that order the writer could
	// overwrite a record that is being read.
	left atomic.Uint64
}

// NewLog returns an empty log.
func NewLog[T any]() *Log[T] {
	c := &chunk[T]{}
	l := &Log[T]{tail: c, head: c}
	l.old.Store(c)
	return l
}

// Append adds one record. Writer only.
func (l *Log[T]) Append(r T) { *l.Next() = r }

// Next appends a record and returns it, to be filled in place. It may still have
// the contents of an earlier record. Writer only.
func (l *Log[T]) Next() *T {
	i := l.count % chunkLen
	if i == 0 && l.count > 0 {
		l.grow()
	}
	l.count++
	return &l.tail.records[i]
}

// grow links the chunk to be filled next: the oldest one, if the reader has left it.
func (l *Log[T]) grow() {
	var c *chunk[T]
	if l.left.Load() >= l.freed+chunkLen {
		c = l.oldest()
	}
	if c == nil {
		c = &chunk[T]{}
	}
	l.tail.next.Store(c)
	if l.old.Load() == nil { // End may have passed the tail before it had a link
		l.tail.next.Store(nil)
	}
	l.tail = c
}

// oldest removes the oldest chunk, which the reader has left, and returns it, or nil after
// End.
func (l *Log[T]) oldest() *chunk[T] {
	c := l.old.Load()
	if c == nil || !l.old.CompareAndSwap(c, c.next.Load()) {
		return nil
	}
	l.freed += chunkLen
	c.next.Store(nil)
	return c
}

// Trim frees the memory of a burst of records that the reader has taken. It keeps room for
// twice the recent peak of Unread, so that a steady stream still allocates nothing; the peak
// decays over some hundred calls. Call it once a tick. Writer only.
func (l *Log[T]) Trim() {
	left := l.left.Load()
	l.peak = max(l.count-left, l.peak-l.peak/64)
	for left-l.freed > 2*l.peak+2*chunkLen && l.oldest() != nil {
	}
}

// End frees all records when they are no longer needed. Both sides may go on using the log:
// each keeps the chunk that it is in. The reader gets at most to the end of its chunk. Records
// that the writer appends later are freed, too, a chunk at a time. Any goroutine may call End.
func (l *Log[T]) End() {
	// Unlink each chunk from the next, so that a side that is still in a chunk keeps only that chunk
	// alive. A chunk that the writer links meanwhile is unlinked here or in grow: either End reaches the
	// link, or grow sees that the log has ended.
	for c := l.old.Swap(nil); c != nil; c = c.next.Swap(nil) {
	}
}

// EndTaken frees the records that the reader has taken or takes later. The writer must
// append no more. Any goroutine may call EndTaken.
func (l *Log[T]) EndTaken() { l.old.Store(nil) } // only the reader refers to the rest, and it drops each chunk that it leaves

// Since yields the records after the first count. The reader must not have taken any of
// them: no higher count may have been published. Not after End or EndTaken. Writer only.
func (l *Log[T]) Since(count uint64) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		c, first := l.old.Load(), l.freed // the count before the chunk
		for ; count < l.count; count++ {
			for count-first >= chunkLen {
				c, first = c.next.Load(), first+chunkLen
			}
			if !yield(&c.records[count-first]) {
				return
			}
		}
	}
}

// Count is the number of records appended so far. Writer only.
func (l *Log[T]) Count() uint64 { return l.count }

// Peek returns the oldest record not yet taken. It returns nil if none of the first
// limit records is left, or if End has freed it. limit is a count that the reader
// received. The record is valid until Take. Reader only.
func (l *Log[T]) Peek(limit uint64) *T {
	if l.taken >= limit {
		return nil
	}
	i := l.taken % chunkLen
	if i == 0 && l.taken > 0 && l.left.Load() != l.taken {
		next := l.head.next.Load()
		if next == nil {
			return nil
		}
		l.head = next
		l.left.Store(l.taken)
	}
	return &l.head.records[i]
}

// Take removes the record that Peek returned and clears it, so that it holds no
// pointers. Reader only.
func (l *Log[T]) Take() {
	var zero T
	l.head.records[l.taken%chunkLen] = zero
	l.taken++
}

// DropOldest removes the oldest of the first limit records until at most keep
// of them are left, and returns how many it removed. limit is a count that
// the reader received. Reader only.
func (l *Log[T]) DropOldest(limit, keep uint64) (dropped uint64) {
	for l.taken+keep < limit && l.Peek(limit) != nil {
		l.Take()
		dropped++
	}
	return dropped
}

// Unread is an upper bound on the number of records not yet taken. It is at most
// one chunk too high. Writer only.
func (l *Log[T]) Unread() uint64 { return l.count - l.left.Load() }
