package buffer

import (
	"math/bits"

	"halfstep/buffer/body2d"
	"halfstep/internal/atomic"
	"halfstep/internal/reslice"
	"halfstep/internal/stamps"
)

// The number of slots: three for the states of the reader, three for the newest states in the
// mailbox, and three for states that the writer fills. With eight slots the writer would sometimes
// find no free slot; see buffer/model. Each further reader needs six more slots: three for its
// states, and three for the states in its mailbox.
const (
	ownSlots = 9
	slots    = ownSlots + 6*MaxReaders
)

// A mailbox word is current | previous<<6 | older<<12 | tick<<18. The parts current, previous and
// older are numbers of slots.
const (
	slotBits = 6
	slotMask = 1<<slotBits - 1
	tickAt   = 3 * slotBits

	// none is the mailbox word for "nothing new". The words none, asking and idle are not numbers
	// of slots. Only the mailboxes of further readers contain asking and idle; see readers.go.
	none   = slotMask
	asking = none - 1
	idle   = none - 2
	// empty is the slot that a reader has before its first state. It stays empty.
	empty = slots
)

// Meta describes one published state.
type Meta struct {
	Tick     uint64 // steps done
	Revision uint32 // 0 when the tick is published first, and 1 more each time the tick is published again
	// Serial is the number of the published state: each publication has a higher serial.
	Serial uint64
	// Dt is the length of the step that led to the state, in s.
	Dt float64
	// Structure and Events are the counts of the logs Outbox.Structure and Outbox.Events at this
	// state.
	Structure, Events uint64
	// BeforeStep and AfterStep are the counts of the log of events right before and right after the
	// step to this state. Events up to BeforeStep belong to the tick before. Events after AfterStep
	// belong to commands that were applied after the step.
	BeforeStep, AfterStep uint64
	// Frames is the number of posted frames that are complete. Commands is the number of applied
	// commands.
	Frames, Commands uint64
	// StepNanos is the time that the step took, in ns. It is 0 if the tick was published again
	// without a step.
	StepNanos int64
	Counts    body2d.Counts
	HasDebug  bool // true if Slot.Debug is filled
}

// Slot is one published state with its Meta.
type Slot[S any] struct {
	Meta
	States []S
	// Changes say which of the States have changed since an earlier serial.
	Changes Changes
	Debug   body2d.Debug

	writer *writer
}

// Update updates the n states of a slot from Next. The parameter changed must have the index of
// each state that differs from the state published last; it need not have the indices of new
// states. Update calls write for these indices and for all states that have changed since this slot
// was published, so its cost depends on the number of changes.
//
// If the writer does not call Update, it must set all States.
func (s *Slot[S]) Update(n int, changed []int32, write func(i int, to *S)) {
	w := s.writer
	w.changes.Resize(n)
	for _, i := range changed {
		w.changes.Mark(i)
	}
	held := s.Changes.of.Serial()
	s.Changes.of.Update(&w.changes)
	s.States = reslice.Resize(s.States, n)
	w.update = true
	s.Changes.of.Blocks(held, func(first int, changed uint64) {
		for ; changed != 0; changed &= changed - 1 {
			i := first + bits.TrailingZeros64(changed)
			write(i, &s.States[i])
		}
	})
}

// Exchange passes pairs of consecutive states from one writer to one reader, and to further readers
// (see Reader). No operation waits. No operation allocates once the slots have their final size.
//
// There are nine slots of one state each, and a mailbox, which is one word with the numbers of the
// slots of the newest three states. The writer fills a free slot and swaps a new word into the
// mailbox: that slot is then current, the former current slot is previous, and the former previous
// slot is older. To correct states the writer fills up to three slots and then swaps in a word with
// all of them. The reader swaps "nothing new" into the mailbox. It owns the states of the word that
// it gets until its next Acquire, and shows one of the two pairs of these states. Each state is
// written once and never copied, because the slot that is current at tick k-1 is the previous slot
// at tick k. A slot from Next still has an earlier state, so the writer writes only the changes
// since that state.
//
// The mailbox has three states and not only the newest pair, because two states may be published
// between two calls of Acquire, and a reader that is behind the newest state may need the earlier
// pair. The writer uses the free slot with the lowest number, so without corrections and without
// further readers two of the nine slots stay empty.
//
// The mailbox tells the writer which states the reader has. If the mailbox has "nothing new", the
// reader has the states of the last word. If it has a word, the reader still has the states of an
// earlier word.
//
// An Exchange must be created with NewExchange and must not be copied.
type Exchange[S any] struct {
	_ [64]byte

	// The writer swaps after its last write to a slot, and the reader swaps before its first read
	// of that slot, so the reader never sees a half-written state. The reader also swaps after its
	// last read of its earlier states. The writer loads or swaps the word before its first write to
	// a slot of these states, so a state is never overwritten while it is drawn.
	mailbox atomic.Uint64

	_ [64]byte

	w writer

	_ [64]byte

	r hand[S]

	_ [64]byte

	slot  [slots + 1]Slot[S]
	spare []S // memory for poison, see poison_race.go

	readers readers
}

// hand has the states of a reader: three consecutive states, newest first.
type hand[S any] struct {
	cur, prev, older *Slot[S]
	earlier          bool // true if the reader shows the pair of older and prev, false if it shows the pair of prev and cur
}

// writer has the data that only the writer uses. In a set of slots, bit i stands for slot i.
type writer struct {
	word    uint64   // the last word that the writer has put into the mailbox
	kept    uint64   // the slots in the field word
	held    uint64   // the slots that the reader may be reading
	others  uint64   // the slots that further readers may be reading or may get from their mailboxes
	staging uint64   // the slots that will be published together with the next slot
	staged  [2]uint8 // the numbers of the slots in staging, oldest first
	next    uint8    // the slot that Next has returned
	serial  uint64
	update  bool          // true if Slot.Update was called since Next
	changes stamps.Stamps // the changes of the states that were published last
}

// wordOf returns the mailbox word, without a tick, for the slots of three consecutive states. After
// Restart some of these slots are the same.
func wordOf(cur, prev, older uint8) uint64 {
	return uint64(cur) | uint64(prev)<<slotBits | uint64(older)<<(2*slotBits)
}

func slotsOf(word uint64) (cur, prev, older uint8) {
	return uint8(word & slotMask), uint8(word >> slotBits & slotMask), uint8(word >> (2 * slotBits) & slotMask)
}

func bitsOf(word uint64) uint64 {
	cur, prev, older := slotsOf(word)
	return bit(cur) | bit(prev) | bit(older)
}

func bit(slot uint8) uint64 { return 1 << (slot & slotMask) }

// names reports whether a mailbox word has the numbers of slots.
func names(word uint64) bool { return word&slotMask < empty }

// NewExchange returns an exchange in which all states of the reader and of the writer are one empty
// state of tick 0.
func NewExchange[S any]() *Exchange[S] {
	e := &Exchange[S]{}
	for i := range e.slot {
		e.slot[i].writer = &e.w
	}
	e.w.kept = bitsOf(e.w.word)
	e.w.held = e.w.kept
	e.r = e.named(0)
	e.mailbox.Store(none)
	e.readers.init()
	return e
}

// named returns the states in the slots of a mailbox word.
func (e *Exchange[S]) named(word uint64) hand[S] {
	cur, prev, older := slotsOf(word)
	return hand[S]{cur: &e.slot[cur], prev: &e.slot[prev], older: &e.slot[older]}
}

// Next returns the slot for the next state. The slot still has an earlier state, see Slot.Update.
// Only the writer may call Next.
func (e *Exchange[S]) Next() *Slot[S] {
	w := &e.w
	// If the mailbox has "nothing new", the reader has the states that were published last, so more
	// slots are free. The writer then uses fewer slots, which stay in the cache.
	taken := w.kept | w.others | w.staging
	if e.mailbox.Load() == none {
		w.held = w.kept
	} else {
		taken |= w.held
	}
	w.next, w.update = uint8(bits.TrailingZeros64(^taken)), false
	s := &e.slot[w.next]
	if poison {
		e.spare = append(e.spare[:0], s.States...)
		clear(s.States)
		s.States, e.spare = e.spare, s.States
	}
	return s
}

// Published returns a published state, which must not be changed: the current state if before is 0,
// the previous state if it is 1, and the older state if it is 2. Only the writer may call
// Published.
func (e *Exchange[S]) Published(before int) *Slot[S] {
	h := e.named(e.w.word)
	return [...]*Slot[S]{h.cur, h.prev, h.older}[before]
}

// Stage stages the slot from Next: the next Republish or Restart publishes the staged slots in the
// same swap, as the states before its own state. At most two slots can be staged, and they must be
// consecutive states. Only the writer may call Stage.
func (e *Exchange[S]) Stage() {
	w := &e.w
	e.slot[w.next].seal()
	if w.stages() == len(w.staged) {
		w.staging &^= bit(w.staged[0])
		w.staged[0] = w.staged[1]
	}
	w.staged[w.stages()] = w.next
	w.staging |= bit(w.next)
}

func (w *writer) stages() int { return bits.OnesCount64(w.staging) }

// Unstage drops the staged slots. Only the writer may call it.
func (e *Exchange[S]) Unstage() { e.w.staging = 0 }

// Publish makes the slot from Next the current state. The state that was current becomes the
// previous state. Only the writer may call Publish.
func (e *Exchange[S]) Publish() { e.publish(e.w.word << slotBits) }

// Republish replaces the current state with the slot from Next: a changed state of the same tick.
// Staged slots replace the states before it. With staged slots, the new state may have an earlier
// tick than the replaced state. Only the writer may call Republish.
func (e *Exchange[S]) Republish() {
	_, prev, older := slotsOf(e.w.word)
	switch s := &e.w.staged; e.w.stages() {
	case 1:
		if prev = s[0]; e.slot[older].Tick >= e.slot[prev].Tick {
			older = prev
		}
	case 2:
		prev, older = s[1], s[0]
	}
	e.publish(wordOf(0, prev, older))
}

// Restart makes the slot from Next the current state. The previous state is then a staged slot, or
// the same slot if no slot was staged. Restart is for the first state, and for a state that must
// not be blended with the states before. Only the writer may call Restart.
func (e *Exchange[S]) Restart() {
	prev, older := e.w.next, e.w.next
	switch s := &e.w.staged; e.w.stages() {
	case 1:
		prev, older = s[0], s[0]
	case 2:
		prev, older = s[1], s[0]
	}
	e.publish(wordOf(0, prev, older))
}

// Withdraw removes the current state. The previous state becomes current again. Only the writer may
// call Withdraw.
func (e *Exchange[S]) Withdraw() {
	_, prev, older := slotsOf(e.w.word)
	e.swap(wordOf(prev, older, older), e.slot[prev].Tick)
}

// seal gives the slot from Next its serial. It is called after the last write to the states of the
// slot.
func (s *Slot[S]) seal() {
	w := s.writer
	serial := w.serial + 1
	if !w.update {
		w.changes.Resize(len(s.States))
		w.changes.MarkAll(len(s.States))
		s.Changes.of.Update(&w.changes)
	}
	w.changes.Advance(serial)
	s.Changes.of.Advance(serial)
	w.serial, s.Serial = serial, serial
}

// publish publishes the slot from Next. The parameter before is the mailbox word with only the
// previous and the older slot.
func (e *Exchange[S]) publish(before uint64) {
	s := &e.slot[e.w.next]
	s.seal()
	e.swap(uint64(e.w.next)|before&^slotMask, s.Tick)
}

// swap puts a word with the given tick into the mailbox and into the places of all Readers.
func (e *Exchange[S]) swap(word, tick uint64) {
	w := &e.w
	word = word&(1<<tickAt-1) | tick<<tickAt
	places := int(e.readers.places.Load()) // Serve serves a reader that joins after this Load
	if places > 0 {
		e.readers.pass(places) // before the Swap, because the render side may take and clear records after it
	}
	if e.mailbox.Swap(word) == none {
		w.held = w.kept
	}
	w.word, w.kept, w.staging = word, bitsOf(word), 0
	if places > 0 {
		e.tell(places)
	}
}

// Acquire gives the reader the newest pair, and reports whether the reader did not have this pair
// yet. Acquire releases the earlier pair of the reader, so the reader must not keep slices of it.
// The cost does not depend on the number of bodies. Only the reader may call Acquire.
func (e *Exchange[S]) Acquire() bool { return e.AcquireUpTo(^uint64(0)) }

// AcquireUpTo is Acquire for a reader that is behind the newest state. From the newest two pairs
// and the reader's present pair, it chooses the pair whose current state has the given tick, or the
// nearest tick. The tick of the reader never decreases, unless the writer has withdrawn or
// corrected states. Only the reader may call AcquireUpTo.
func (e *Exchange[S]) AcquireUpTo(tick uint64) bool {
	r, word := &e.r, e.mailbox.Load()
	if word == none && !r.earlier {
		return false // true in most frames
	}
	before := r.current()
	held, dt := before.Tick, before.Dt // read here, because the Swap releases the slot
	if word != none && wanted(word, held, tick) {
		*r = e.named(e.mailbox.Swap(none))
		replaced := r.cur.Tick < held || r.cur.Dt != dt // the state of the reader's tick was withdrawn, or computed again with another length of the step
		r.earlier = r.cur.Tick > tick && (r.prev.Tick >= held || replaced)
	} else if r.earlier {
		r.earlier = r.cur.Tick > tick
	}
	return r.current() != before
}

// wanted reports whether a reader that has the tick held, and asks for the given tick, takes the
// states of a mailbox word.
func wanted(word, held, tick uint64) bool {
	_, prev, older := slotsOf(word)
	lacks := held == tick && word>>tickAt == tick+1 && prev == older
	return held < tick || word>>tickAt <= tick+1 && !lacks
}

// Peek reports whether Acquire would give the reader a new pair, and the tick of the current state
// of that pair (modulo 2^46). Only the reader may call Peek.
func (e *Exchange[S]) Peek() (tick uint64, ok bool) {
	if word := e.mailbox.Load(); word != none {
		return word >> tickAt, true
	}
	return e.r.cur.Tick, e.r.earlier
}

// Newest returns the tick of the newest published state (modulo 2^46). Only the reader may call
// Newest.
func (e *Exchange[S]) Newest() uint64 {
	if word := e.mailbox.Load(); word != none {
		return word >> tickAt
	}
	return e.r.cur.Tick
}

// Current returns the newer state of the reader's pair. Only the reader may call Current. It must
// not write to the state.
func (e *Exchange[S]) Current() *Slot[S] { return e.r.current() }

// Previous returns the older state of the reader's pair. Only the reader may call Previous. It must
// not write to the state.
func (e *Exchange[S]) Previous() *Slot[S] { return e.r.previous() }

func (h *hand[S]) current() *Slot[S] {
	if h.earlier {
		return h.prev
	}
	return h.cur
}

func (h *hand[S]) previous() *Slot[S] {
	if h.earlier {
		return h.older
	}
	return h.prev
}
