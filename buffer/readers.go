package buffer

import (
	"halfstep/buffer/body2d"
	"halfstep/internal/atomic"
)

// MaxReaders is the greatest number of Readers that a link has at one time.
const MaxReaders = 8

// patience is the number of structure records that may wait for a reader, beyond twice the number
// of records with which its feed began.
const patience = 1 << 12

// readers has a place for each Reader.
//
// A place is a mailbox. The writer puts every word of the exchange's mailbox into each place. So a
// state is written once, and each reader costs the writer one compare-and-swap.
//
// A reader needs every structure record, so it has a log of its own, called its feed. The feed
// begins with records of all objects that exist when the reader joins. If the reader sleeps, its
// feed must not grow for ever, so a feed that is too long is cut. The place then keeps the word for
// the last states of which the feed has all records. Once the reader has these states, it asks for
// another feed.
//
//	idle ──(reader comes)──► asking ──(writer)──► word ──(reader)──► none
//	none ──(writer)──► word ──(writer)──► word
//	none ──(reader, its feed is cut)──► asking
//	any  ──(reader goes)──► idle
//
// A reader may leave at any time, and another may take its place. So the writer uses
// compare-and-swap, because a word for the old reader must not reach the new one without a feed.
// The writer tries again only if a reader has changed the place.
type readers struct {
	places atomic.Uint32 // the number of places, from the first, that were ever in use
	place  [MaxReaders]place

	// Only the writer uses the other fields.
	structure *Log[body2d.Structure]          // the common log; nil without a call of Link.Announce
	announce  func(to *Log[body2d.Structure]) // appends records of all existing objects
	at        *chunk[body2d.Structure]        // the chunk with the next record for the feeds, or the chunk before that
	passed    uint64                          // records passed on
	patience  uint64                          // the constant patience, or less in tests
}

// place is where the writer puts states for one reader.
type place struct {
	_   [64]byte
	box atomic.Uint64
	_   [64]byte

	// held has the slots that the reader may be reading. waiting has the slots of the present word, or
	// of the last one. Only the writer uses it.
	held, waiting uint64
	// The writer sets feed while the word is asking. The goroutine that takes the next word reads it.
	feed *feed
}

// feed is the structure log of one reader.
type feed struct {
	log   *Log[body2d.Structure]
	first uint64      // the number of records at the beginning, which are of the existing objects
	from  uint64      // the count of the common log when the feed began
	full  bool        // the feed gets no more records; used by the writer only
	cut   atomic.Bool // the same, for the reader
}

func (r *readers) init() {
	r.patience = patience
	for i := range r.place {
		r.place[i].box.Store(idle)
	}
}

// has returns, as bits, the slots that further readers may be reading or may find in their places.
func (r *readers) has(places int) (slots uint64) {
	for i := range r.place[:places] {
		slots |= r.place[i].held | r.place[i].waiting
	}
	return slots
}

// pass appends the new records of the common log to all feeds. A record that is not published yet is
// in a chunk that the writer does not use again yet.
func (r *readers) pass(places int) {
	if r.at == nil {
		return // no reader has a feed yet
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

// tell gives all readers the states that were published last. Only the writer may call it.
func (e *Exchange[S]) tell(places int) {
	r := &e.readers
	for i := range r.place[:places] {
		e.put(&r.place[i])
	}
	e.w.others = r.has(places)
}

// Serve gives the newest states to Readers that have joined since these states were published. The
// writer calls it before it sleeps. Only the writer may call it.
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

// put gives the states published last to the reader of a place, if there is one. If the reader asks
// for a new feed, put also gives it one.
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

// Reader gives the published states to one more goroutine, besides the one that draws. That
// goroutine can take the newest states at any time, and never waits. All methods belong to one
// goroutine.
type Reader[S any] struct {
	e    *Exchange[S]
	p    *place
	ring func() // wakes the writer
	hand[S]
	feed *feed
}

// NewReader returns a reader, which has an empty state of tick 0 at first. The writer gives the
// reader the newest states when it publishes the next ones, or before it sleeps. NewReader returns
// nil if there are MaxReaders already. Any goroutine may call it.
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

// nothing is the hand of a reader that has no states yet.
func (e *Exchange[S]) nothing() hand[S] {
	return e.named(empty | empty<<slotBits | empty<<(2*slotBits))
}

// Acquire gives the reader the newest pair, and reports whether it is new to the reader. See
// Exchange.Acquire.
func (r *Reader[S]) Acquire() bool { return r.AcquireUpTo(^uint64(0)) }

// AcquireUpTo gives the reader the pair whose current state has the given tick, or the nearest
// available tick; see Exchange.AcquireUpTo. It may go back to an earlier tick.
func (r *Reader[S]) AcquireUpTo(tick uint64) bool {
	if r.p == nil {
		return false
	}
	before, word := r.current(), r.p.box.Load()
	if names(word) && (r.feed == nil || wanted(word, before.Tick, tick)) {
		r.hand, r.feed = r.e.named(r.p.box.Swap(none)), r.p.feed
	}
	// A feed begins with the records for some state. States before that one must not be shown.
	r.earlier = r.cur.Tick > tick && (r.feed == nil || r.prev.Structure >= r.feed.from)
	if r.feed != nil && r.feed.cut.Load() && r.p.box.CompareAndSwap(none, asking) {
		r.ring()
	}
	return r.current() != before
}

// Current is the newer state of the pair that the reader has. It is valid until the next Acquire or
// Close. Do not write to it.
func (r *Reader[S]) Current() *Slot[S] { return r.current() }

// Previous is the older state of the pair that the reader has, see Current.
func (r *Reader[S]) Previous() *Slot[S] { return r.previous() }

// Structure returns the log that belongs to the acquired states, and the number of its records up
// to them. The log may be a new one, which begins with records of all existing objects. It is nil
// before the first states.
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

// Close releases the reader's states. From then on the reader has an empty state. Close may be
// called more than once.
func (r *Reader[S]) Close() {
	if r.p != nil {
		r.hand, r.feed = r.e.nothing(), nil
		r.p.box.Store(idle)
		r.p = nil
	}
}
