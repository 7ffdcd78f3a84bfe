package buffer

import (
	"iter"

	"halfstep/internal/atomic"
)

// chunkLen is the number of records in a chunk. The writer and the reader use an atomic word of the
// Log only once per chunk.
const chunkLen = 128

type chunk[T any] struct {
	records [chunkLen]T
	next    atomic.Pointer[chunk[T]]
}

// Log is a queue with one writer and one reader. It grows as needed, so it never blocks and never
// loses a record. Records are stored in chunks. The writer uses a chunk again once the reader has
// read all of its records, so a steady stream of records allocates nothing.
//
// Append publishes nothing. After Append, the writer must publish Count by an atomic store or swap,
// together with the state or frame to which the records belong. The reader loads that count and
// reads the records up to it. So the reader never reads a record before it is written, and gets a
// state together with its events.
//
// A Log must be created with NewLog and must not be copied.
type Log[T any] struct {
	// Only the writer uses these fields, except old.
	tail         *chunk[T]                // the chunk that is being filled
	old          atomic.Pointer[chunk[T]] // the oldest chunk that was not used again; nil after End
	count        uint64                   // the number of appended records
	freedRecords uint64                   // the number of records in the chunks before old
	peak         uint64                   // a recent maximum of Unread, for Trim

	_ [64]byte // puts the reader's fields on another cache line than the writer's

	// Only the reader uses these fields.
	head  *chunk[T]
	taken uint64 // the number of records that the reader has taken

	_ [64]byte

	// left is the number of records in chunks that the reader has finished. The reader stores left
	// after its last access to such a chunk, and the writer loads left before it uses such a chunk
	// again. So the writer never overwrites a record that is being read.
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

// Next appends a record and returns a pointer to the record. The caller must set all fields of the
// record, because they may still have the values of an earlier record. Only the writer may call
// Next.
func (l *Log[T]) Next() *T {
	i := l.count % chunkLen
	if i == 0 && l.count > 0 {
		l.grow()
	}
	l.count++
	return &l.tail.records[i]
}

// grow links the next chunk to be filled: the oldest chunk if the reader has finished it, and
// otherwise a new chunk.
func (l *Log[T]) grow() {
	var c *chunk[T]
	if l.left.Load() >= l.freedRecords+chunkLen {
		c = l.oldest()
	}
	if c == nil {
		c = &chunk[T]{}
	}
	l.tail.next.Store(c)
	if l.old.Load() == nil { // End may have come to the tail before grow has set the link
		l.tail.next.Store(nil)
	}
	l.tail = c
}

// oldest removes the oldest chunk, which the reader must have finished, and returns this chunk. It
// returns nil after End.
func (l *Log[T]) oldest() *chunk[T] {
	c := l.old.Load()
	if c == nil || !l.old.CompareAndSwap(c, c.next.Load()) {
		return nil
	}
	l.freedRecords += chunkLen
	c.next.Store(nil)
	return c
}

// Trim frees chunks after a burst of records, once the reader has taken these records. It keeps
// chunks for twice the recent maximum of Unread, so that a steady stream of records still allocates
// nothing. Without new bursts this maximum decreases over some hundred calls of Trim. Call Trim
// once a tick. Only the writer may call Trim.
func (l *Log[T]) Trim() {
	left := l.left.Load()
	l.peak = max(l.count-left, l.peak-l.peak/64)
	for left-l.freedRecords > 2*l.peak+2*chunkLen && l.oldest() != nil {
	}
}

// End frees the records of a log that is no longer needed. The writer and the reader may still use
// the log and keep one chunk each. The reader gets at most the records up to the end of its chunk.
// Records that the writer appends after End are also freed, chunk by chunk. Any goroutine may call
// End.
func (l *Log[T]) End() {
	// This removes the link from each chunk to the next chunk, so the writer or the reader of one
	// chunk keeps only that chunk in memory. If the writer links a new chunk at the same time,
	// either this loop removes the new link, or grow sees that the log has ended.
	for c := l.old.Swap(nil); c != nil; c = c.next.Swap(nil) {
	}
}

// EndTaken frees the records that the reader has taken, and each other record as soon as the reader
// takes it. After EndTaken the writer must not append records. Any goroutine may call EndTaken.
func (l *Log[T]) EndTaken() { l.old.Store(nil) } // then only the reader keeps chunks in memory, and only chunks that it has not finished

// Since yields the records after the first count records. The reader must not have taken any of
// these records, so the writer must not have published a higher count. Since must not be called
// after End or EndTaken. Only the writer may call Since.
func (l *Log[T]) Since(count uint64) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		c, first := l.old.Load(), l.freedRecords // first is the number of records before the chunk c
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

// Count returns the number of records that were appended so far. Only the writer may call Count.
func (l *Log[T]) Count() uint64 { return l.count }

// Peek returns the oldest record that was not taken yet, which must be one of the first limit
// records. The parameter limit is a published Count. Peek returns nil if the first limit records
// are all taken, or if End has freed the record. The record is valid until Take. Only the reader
// may call Peek.
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

// Take removes the record that Peek has returned. Take clears the record, so that its pointers keep
// nothing in memory. Only the reader may call Take.
func (l *Log[T]) Take() {
	var zero T
	l.head.records[l.taken%chunkLen] = zero
	l.taken++
}

// DropOldest removes the oldest records until at most keep of the first limit records are left. The
// parameter limit is a published Count. DropOldest returns the number of removed records. Only the
// reader may call DropOldest.
func (l *Log[T]) DropOldest(limit, keep uint64) (dropped uint64) {
	for l.taken+keep < limit && l.Peek(limit) != nil {
		l.Take()
		dropped++
	}
	return dropped
}

// Unread returns the number of records that the reader has not taken, or up to chunkLen more. Only
// the writer may call Unread.
func (l *Log[T]) Unread() uint64 { return l.count - l.left.Load() }
