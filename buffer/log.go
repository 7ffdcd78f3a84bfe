package buffer

import (
	"iter"

	"halfstep/internal/atomic"
)

// chunkLen is the number of records in a chunk. Each side touches shared memory only once in each
// chunk.
const chunkLen = 128

type chunk[T any] struct {
	records [chunkLen]T
	next    atomic.Pointer[chunk[T]]
}

// Log is a queue with one writer and one reader. It grows as needed, so it never blocks and never
// loses a record. A ring of fixed size would lose records, or would deadlock in a tick with more
// records than the ring can have. Records are stored in chunks. The writer uses the chunks that the
// reader has left again, so a steady stream allocates nothing.
//
// A log publishes nothing by itself. The writer publishes Count together with the state or frame to
// which the records belong, by an atomic store or swap after Append. The reader reads up to the
// count that it has received. Because of that store, the reader's reads come after the writes of a
// record, and a state and its events cannot disagree.
//
// A Log must be created with NewLog and must not be copied.
type Log[T any] struct {
	// Writer's side.
	tail         *chunk[T]                // being filled
	old          atomic.Pointer[chunk[T]] // the oldest chunk, unless it was used again; nil after End
	count        uint64                   // records appended
	freedRecords uint64                   // the number of records in chunks before old
	peak         uint64                   // a recent maximum of Unread, see Trim

	_ [64]byte // keeps the two sides on separate cache lines

	// Reader's side.
	head  *chunk[T]
	taken uint64 // records read

	_ [64]byte

	// left is the number of records in chunks that the reader will not touch again. The reader stores
	// it after its last access to such a chunk. The writer loads it before its first access. Without
	// that order the writer could overwrite a record that is being read.
	left atomic.Uint64
}

// NewLog returns an empty log.
func NewLog[T any]() *Log[T] {
	c := &chunk[T]{}
	l := &Log[T]{tail: c, head: c}
	l.old.Store(c)
	return l
}

// Append appends a record. Only the writer may call it.
func (l *Log[T]) Append(r T) { *l.Next() = r }

// Next appends a record and returns a pointer to it. The caller must set all of it, because it may
// have the contents of an earlier record. Only the writer may call it.
func (l *Log[T]) Next() *T {
	i := l.count % chunkLen
	if i == 0 && l.count > 0 {
		l.grow()
	}
	l.count++
	return &l.tail.records[i]
}

// grow links the next chunk to be filled. This is the oldest chunk, if the reader has left it, or a
// new one.
func (l *Log[T]) grow() {
	var c *chunk[T]
	if l.left.Load() >= l.freedRecords+chunkLen {
		c = l.oldest()
	}
	if c == nil {
		c = &chunk[T]{}
	}
	l.tail.next.Store(c)
	if l.old.Load() == nil { // End may have passed the tail before the tail had a link
		l.tail.next.Store(nil)
	}
	l.tail = c
}

// oldest removes the oldest chunk, which the reader has left, and returns the chunk, or nil after
// End.
func (l *Log[T]) oldest() *chunk[T] {
	c := l.old.Load()
	if c == nil || !l.old.CompareAndSwap(c, c.next.Load()) {
		return nil
	}
	l.freedRecords += chunkLen
	c.next.Store(nil)
	return c
}

// Trim frees memory after a burst of records, once the reader has taken them. It keeps memory for
// twice the recent maximum of Unread, so that a steady stream still allocates nothing. The maximum
// decreases over some hundred calls. Call it once a tick. Only the writer may call it.
func (l *Log[T]) Trim() {
	left := l.left.Load()
	l.peak = max(l.count-left, l.peak-l.peak/64)
	for left-l.freedRecords > 2*l.peak+2*chunkLen && l.oldest() != nil {
	}
}

// End frees all records when they are no longer needed. Both sides may still use the log. Each side
// keeps the chunk in which it is. The reader gets at most the records up to the end of its chunk.
// Records that the writer appends later are also freed, one chunk after the other. Any goroutine
// may call End.
func (l *Log[T]) End() {
	// Remove the link from each chunk to the next, so that a side that is still in a chunk keeps only
	// that chunk in memory. If the writer links another chunk at the same time, either this loop reaches
	// the link, or grow sees that the log has ended.
	for c := l.old.Swap(nil); c != nil; c = c.next.Swap(nil) {
	}
}

// EndTaken frees the records that the reader has taken or will take. The writer must not append any
// more records. Any goroutine may call EndTaken.
func (l *Log[T]) EndTaken() { l.old.Store(nil) } // only the reader refers to the other records, and it drops each chunk that it leaves

// Since yields the records after the first count. The reader must not have taken any of them, so no
// higher count may have been published. It must not be called after End or EndTaken. Only the
// writer may call it.
func (l *Log[T]) Since(count uint64) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		c, first := l.old.Load(), l.freedRecords // the number of records before the chunk
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

// Count is the number of records that were appended so far. Only the writer may call it.
func (l *Log[T]) Count() uint64 { return l.count }

// Peek returns the oldest record that was not taken yet. limit is a count that the reader has
// received. Peek returns nil if none of the first limit records is left, or if End has freed the
// record. The result is valid until Take. Only the reader may call it.
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

// Take removes the record that Peek has returned. It clears the record, so that nothing stays in
// memory because of its pointers. Only the reader may call it.
func (l *Log[T]) Take() {
	var zero T
	l.head.records[l.taken%chunkLen] = zero
	l.taken++
}

// DropOldest removes the oldest of the first limit records until at most keep of them are left. It
// returns the number of records that it has removed. limit is a count that the reader has received.
// Only the reader may call it.
func (l *Log[T]) DropOldest(limit, keep uint64) (dropped uint64) {
	for l.taken+keep < limit && l.Peek(limit) != nil {
		l.Take()
		dropped++
	}
	return dropped
}

// Unread is the number of records that were not taken yet, or up to a chunk more. Only the writer
// may call it.
func (l *Log[T]) Unread() uint64 { return l.count - l.left.Load() }
