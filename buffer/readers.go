package buffer

import (
	"halfstep/buffer/body2d"
	"halfstep/internal/atomic"
)

// MaxReaders is the greatest number of Readers that a link can have at the same time.
const MaxReaders = 8

// patience is a number of structure records: a feed is cut when more records are waiting in it than
// patience plus twice the number of records at its beginning.
const patience = 1 << 12

// readers has a place for each Reader.
//
// A place has a mailbox. The writer puts each word of the exchange's mailbox also into the
// mailboxes of the places. So each state is written only once, and each reader costs the writer one
// compare-and-swap.
//
// Each reader needs all structure records, so each reader has a log of its own, its feed. A feed
// begins with records of all objects that exist when the reader joins. A feed that is too long,
// because its reader does not read, is cut. The place then keeps the word with the last states for
// which the feed has all records. A reader that has taken these states asks for a new feed.
//
//	idle ──(reader comes)──► asking ──(writer)──► word ──(reader)──► none
//	none ──(writer)──► word ──(writer)──► word
//	none ──(reader, its feed is cut)──► asking
//	any  ──(reader goes)──► idle
//
// A reader may leave at any time, and a new reader may take the place. The writer uses
// compare-and-swap, so that a word for the old reader never reaches the new reader, which has no
// feed yet.
type readers struct {
	places atomic.Uint32 // the number of places that were ever in use
	place  [MaxReaders]place

	// Only the writer uses the fields below.
	structure *Log[body2d.Structure]          // the structure log of the link; nil if Link.Announce was not called
	announce  func(to *Log[body2d.Structure]) // appends records of all existing objects to a log
	at        *chunk[body2d.Structure]        // the chunk with the last record that was passed on, or with the next record
	passed    uint64                          // the number of records that were passed on to feeds
	patience  uint64                          // the constant patience, or a smaller number in tests
}

// place is the place of one reader in readers.
type place struct {
	_   [64]byte
	box atomic.Uint64
	_   [64]byte

	// held has the slots that the reader may be reading, and waiting the slots of the last word of
	// the writer. Only the writer uses the two fields.
	held, waiting uint64
	// The writer sets feed while the word in the mailbox is asking. The reader reads feed after it
	// has taken the next word.
	feed *feed
}

// feed is the structure log of one reader.
type feed struct {
	log   *Log[body2d.Structure]
	first uint64      // the number of records of existing objects at the beginning of the feed
	from  uint64      // the count of readers.structure when the feed began
	full  bool        // true once the writer appends no more records; only the writer uses it
	cut   atomic.Bool // the same as full, for the reader
}

func (r *readers) init() {
	r.patience = patience
	for i := range r.place {
		r.place[i].box.Store(idle)
	}
}

// has returns the slots that readers may be reading or may get from their places, one bit per slot.
func (r *readers) has(places int) (slots uint64) {
	for i := range r.place[:places] {
		slots |= r.place[i].held | r.place[i].waiting
	}
	return slots
}

// pass appends the new records of readers.structure to all feeds.
func (r *readers) pass(places int) {
	if r.at == nil {
		return // no reader has had a feed yet
	}
	for ; r.passed < r.structure.count; r.passed++ {
		if r.passed%chunkLen == 0 && r.passed > 0 {
			r.at = r.at.next.Load()
		}
		for i := range r.place[:places] {
			if f := r.place[i].feed; f != nil && !f.full {
				f.log.Append(r.at.records[r.passed%chunkLen])
			}
		}
	}
	for i := range r.place[:places] {
		f := r.place[i].feed
		if f == nil || f.full {
			continue
		}
		if f.log.Trim(); f.log.Unread() > 2*f.first+r.patience {
			f.full = true
			f.cut.Store(true)
		}
	}
}

// begin returns a feed that begins with records of all existing objects.
func (r *readers) begin() *feed {
	if r.at == nil {
		r.at, r.passed = r.structure.tail, r.structure.count
	}
	f := &feed{log: NewLog[body2d.Structure](), from: r.structure.count}
	r.announce(f.log)
	f.first = f.log.count
	return f
}

// tell puts the word of the last published states into all places. Only the writer may call tell.
func (e *Exchange[S]) tell(places int) {
	r := &e.readers
	for i := range r.place[:places] {
		e.put(&r.place[i])
	}
	e.w.others = r.has(places)
}

// Serve gives the newest states to each Reader that has joined since these states were published.
// Only the writer may call Serve, and must call it before it sleeps.
func (e *Exchange[S]) Serve() {
	r := &e.readers
	places := int(r.places.Load())
	for i := range r.place[:places] {
		if p := &r.place[i]; p.box.Load() == asking {
			e.put(p)
			e.w.others = r.has(places)
		}
	}
}

// put puts the word of the last published states into a place, if the place has a reader. If the
// reader asks for a feed, put also sets a new feed.
func (e *Exchange[S]) put(p *place) {
	for {
		old := p.box.Load()
		switch old {
		case idle:
			p.held, p.waiting, p.feed = 0, 0, nil
			return
		case none, asking:
			p.held = p.waiting
		}
		switch {
		case old != asking && p.feed != nil && p.feed.full:
			return
		case old != asking || e.readers.structure == nil:
		case e.readers.structure.count != e.slot[e.w.word&slotMask].Structure:
			return // the records of existing bodies do not belong to these states
		default:
			p.feed = e.readers.begin()
		}
		if p.box.CompareAndSwap(old, e.w.word) {
			p.waiting = e.w.kept
			return
		}
	}
}

// Reader gives the published states to one further goroutine that is not the render thread. No
// method of a Reader waits. Only that goroutine may call the methods.
type Reader[S any] struct {
	e    *Exchange[S]
	p    *place
	ring func() // wakes the writer
	hand[S]
	feed *feed
}

// NewReader returns a reader, which first has an empty state of tick 0. The reader gets its first
// states when the writer publishes states, or before the writer sleeps. NewReader returns nil if
// there are MaxReaders readers already. Any goroutine may call NewReader.
func (l *Link[S, E, C]) NewReader() *Reader[S] { return l.Exchange.reader(l.Demand.Ring) }

func (e *Exchange[S]) reader(ring func()) *Reader[S] {
	for i := range e.readers.place {
		p := &e.readers.place[i]
		if !p.box.CompareAndSwap(idle, asking) {
			continue
		}
		for n := e.readers.places.Load(); n <= uint32(i) && !e.readers.places.CompareAndSwap(n, uint32(i)+1); {
			n = e.readers.places.Load()
		}
		ring()
		return &Reader[S]{e: e, p: p, ring: ring, hand: e.nothing()}
	}
	return nil
}

// nothing returns the states of a reader that has got no states yet.
func (e *Exchange[S]) nothing() hand[S] {
	return e.named(empty | empty<<slotBits | empty<<(2*slotBits))
}

// Acquire gives the reader the newest pair, and reports whether the reader did not have this pair
// yet; see Exchange.Acquire.
func (r *Reader[S]) Acquire() bool { return r.AcquireUpTo(^uint64(0)) }

// AcquireUpTo gives the reader the pair whose current state has the given tick, or the nearest
// available tick; see Exchange.AcquireUpTo. Here the tick may decrease.
func (r *Reader[S]) AcquireUpTo(tick uint64) bool {
	if r.p == nil {
		return false
	}
	before, word := r.current(), r.p.box.Load()
	if names(word) && (r.feed == nil || wanted(word, before.Tick, tick)) {
		r.hand, r.feed = r.e.named(r.p.box.Swap(none)), r.p.feed
	}
	// The reader must not show states from before the beginning of its feed.
	r.earlier = r.cur.Tick > tick && (r.feed == nil || r.prev.Structure >= r.feed.from)
	if r.feed != nil && r.feed.cut.Load() && r.p.box.CompareAndSwap(none, asking) {
		r.ring()
	}
	return r.current() != before
}

// Current returns the newer state of the reader's pair. The state is valid until the next Acquire
// or Close, and must not be changed.
func (r *Reader[S]) Current() *Slot[S] { return r.current() }

// Previous returns the older state of the reader's pair, see Current.
func (r *Reader[S]) Previous() *Slot[S] { return r.previous() }

// Structure returns the log that belongs to the acquired states, and the count of that log at these
// states. After Acquire the log may be a new log, which begins with records of all existing
// objects. The log is nil before the first Acquire that gets states.
func (r *Reader[S]) Structure() (log *Log[body2d.Structure], limit uint64) {
	f := r.feed
	if f == nil {
		return nil, 0
	}
	limit = f.first
	if n := r.Current().Structure; n > f.from {
		limit += n - f.from
	}
	return f.log, limit
}

// Close releases the reader's states. The reader then has an empty state. Close may be called more
// than once.
func (r *Reader[S]) Close() {
	if r.p != nil {
		r.hand, r.feed = r.e.nothing(), nil
		r.p.box.Store(idle)
		r.p = nil
	}
}
