package buffer

import (
	"math/bits"

	"halfstep/buffer/body2d"
	"halfstep/internal/atomic"
	"halfstep/internal/reslice"
	"halfstep/internal/stamps"
)

// The number of slots. The reader has three states, the newest three wait in the mailbox, and the
// writer fills up to three that replace those. With eight slots no slot would be left for the
// writer in some cases; see buffer/model. Each further reader has three more states, and up to
// three older ones may wait for it.
const (
	ownSlots = 9
	slots    = ownSlots + 6*MaxReaders
)

// A mailbox word is current | previous<<6 | older<<12 | tick<<18. The first three are the numbers
// of slots.
const (
	slotBits = 6
	slotMask = 1<<slotBits - 1
	tickAt   = 3 * slotBits

	// none is the word for "nothing new". It is the number of a slot that does not exist, like asking
	// and idle. Only the mailboxes of further readers contain asking and idle: see readers.go.
	none   = slotMask
	asking = none - 1
	idle   = none - 2
	// empty is the slot that a reader has at first. Nothing is ever written to it.
	empty = slots
)

// Meta describes one published state.
type Meta struct {
	Tick     uint64 // steps done
	Revision uint32 // 0 at first; grows by 1 each time the tick is published again
	// Serial is the number of the published state. States with equal serials are equal.
	Serial uint64
	// Dt is the length of the step that led to the state, s.
	Dt float64
	// Structure and Events are the numbers of records in the two logs up to this state.
	Structure, Events uint64
	// BeforeStep and AfterStep are the numbers of events right before and right after the step to this
	// state. Events up to BeforeStep belong to the tick before. Events after AfterStep belong to
	// commands that have changed this tick.
	BeforeStep, AfterStep uint64
	// Frames is the number of the render side's frames that are complete. Commands is the number of
	// commands that were applied.
	Frames, Commands uint64
	// StepNanos is the time that the step took, ns. It is 0 if the tick was published again without a
	// step.
	StepNanos int64
	Counts    body2d.Counts
	HasDebug  bool // whether Slot.Debug is filled
}

// Slot is one published state with its Meta.
type Slot[S any] struct {
	Meta
	States []S
	// Changes say which of the States have changed since an earlier Slot.
	Changes Changes
	Debug   body2d.Debug

	writer *writer
}

// Update updates the states of a slot from Next. n is the number of states. changed has at least
// the indices of all states that differ from those that were published last; new states need not be
// in it. Update calls write for these indices. It also calls write for all states that have changed
// since the slot was published. So the cost depends on the number of changes.
//
// A writer that does not call Update must set all States.
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

// Exchange hands pairs of consecutive states from one writer to one reader, and to a few more that
// come and go: see Reader. No operation waits, and none allocates after the slots have grown to
// their final size.
//
// There are nine slots of one state each, and a mailbox: one word that names the slots of the newest
// three states. The writer fills a free slot and swaps a new word into the mailbox: that slot as
// current, the former current as previous, and the former previous as older. To correct states it
// fills up to three and swaps in a word that names them all. The reader swaps in "nothing new". It
// owns the states that it gets until its next Acquire, and shows one of their two pairs. A state is
// written once and never copied, because the previous state of tick k is the slot that was current
// at tick k-1. A slot still has the state that was published in it some ticks ago, so the writer
// writes only the changes since then.
//
// If the mailbox had only the newest pair, and the writer filled one slot at a time, five slots
// would be enough. But if two states are published between two calls of Acquire, the pair between
// them would be lost, and a reader that is behind the newest state may need that pair. The writer
// uses the lowest free slot. So a run without corrections and without further readers uses seven
// slots, and the others stay empty.
//
// Two slots are not enough. Whichever slot the reader uses, the writer would have to wait, drop the
// newest state or overwrite a state that is being read. Slots that each hold a pair would work, but
// every state would be written twice.
//
// The writer never asks which states the reader has. It infers that from the mailbox. If the mailbox
// is empty, the reader has the last states. If it is not, the reader still has the states before
// those.
//
// An Exchange must be created with NewExchange and must not be copied.
type Exchange[S any] struct {
	_ [64]byte

	// The writer's Swap follows its last write to the slot, and the reader's Swap comes before its
	// first read. If the processor changed the order of either, the reader would see a half-written
	// state. The reader's Swap also follows its last read of the states that it had before. The
	// writer's Load or Swap that finds "nothing new" comes before its first write to a slot of these
	// states. In another order, a state would be overwritten while it is drawn.
	mailbox atomic.Uint64

	_ [64]byte

	w writer

	_ [64]byte

	r hand[S]

	_ [64]byte

	slot  [slots + 1]Slot[S]
	spare []S // memory that poison (poison_race.go) exchanges with the memory of a slot

	readers readers
}

// hand has the states of a reader: three consecutive states, newest first.
type hand[S any] struct {
	cur, prev, older *Slot[S]
	earlier          bool // the pair that the reader shows is the earlier one: older and prev
}

// writer has the data that only the writer uses. Sets of slots are bits.
type writer struct {
	word    uint64   // the word that was last put into the mailbox
	kept    uint64   // the slots in that word
	held    uint64   // the slots that the reader may be reading
	others  uint64   // the slots that further readers may be reading, or may find in their mailboxes
	staging uint64   // the slots of states that will be published together with the next one
	staged  [2]uint8 // the numbers of these slots, oldest first
	next    uint8    // slot being written
	serial  uint64
	update  bool          // Slot.Update was called since Next
	changes stamps.Stamps // of the states that were published last
}

// wordOf is the mailbox word, without its tick, for the slots of three consecutive states, newest
// first. After Restart some of the slots are the same.
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

// names reports whether a mailbox word contains slots.
func names(word uint64) bool { return word&slotMask < empty }

// NewExchange returns an exchange in which both sides hold one empty state of
// tick 0, as previous and as current.
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

// Next returns the slot for the next state. The slot still has an earlier state: see Slot.Update.
// Only the writer may call it.
func (e *Exchange[S]) Next() *Slot[S] {
	w := &e.w
	// If the mailbox is empty, the reader has the states that were published last, and more slots are
	// free. With the Load before the choice, the writer uses fewer slots, which stay in the cache.
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

// Published returns a published state, which must not be changed. With before = 0 it is the current
// one, and otherwise the one that many states earlier, at most 2. Only the writer may call it.
func (e *Exchange[S]) Published(before int) *Slot[S] {
	h := e.named(e.w.word)
	return [...]*Slot[S]{h.cur, h.prev, h.older}[before]
}

// Stage stores the slot from Next for the next Republish or Restart. That call publishes the slot,
// too, in the same swap, as the state before its own. It publishes up to two staged slots, which
// must be consecutive states. Only the writer may call it.
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

// Publish makes the slot from Next the current state and the state that was current the previous
// one. Only the writer may call it.
func (e *Exchange[S]) Publish() { e.publish(e.w.word << slotBits) }

// Republish replaces the current state with the slot from Next: a changed state of the same tick.
// The states before it stay, unless slots were staged in their place. With staged slots, the new
// state may have an earlier tick than the current one. Only the writer may call it.
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

// Restart makes the slot from Next the current state. It also makes it the previous state, unless a
// slot was staged for that. It is for the first state, and for a state that must not be blended
// with the states before. Only the writer may call it.
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

// Withdraw removes the newest state, so that the state before is the current one again. Only the
// writer may call it.
func (e *Exchange[S]) Withdraw() {
	_, prev, older := slotsOf(e.w.word)
	e.swap(wordOf(prev, older, older), e.slot[prev].Tick)
}

// seal gives the slot from Next its serial, after the last write to its states.
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

// publish publishes the slot from Next. before is the part of the mailbox word for the two states
// before it.
func (e *Exchange[S]) publish(before uint64) {
	s := &e.slot[e.w.next]
	s.seal()
	e.swap(uint64(e.w.next)|before&^slotMask, s.Tick)
}

// swap puts the states that a word names into the mailbox, with the tick of the newest state.
func (e *Exchange[S]) swap(word, tick uint64) {
	w := &e.w
	word = word&(1<<tickAt-1) | tick<<tickAt
	places := int(e.readers.places.Load()) // a reader that joins after this is served before physics sleeps
	if places > 0 {
		e.readers.pass(places) // after the publication, records are taken and cleared
	}
	if e.mailbox.Swap(word) == none {
		w.held = w.kept
	}
	w.word, w.kept, w.staging = word, bitsOf(word), 0
	if places > 0 {
		e.tell(places)
	}
}

// Acquire gives the reader the newest pair, and reports whether it is new to the reader. It
// releases the pair that the reader had, so slices of that pair must not be kept. The cost does not
// depend on the number of bodies. Only the reader may call it.
func (e *Exchange[S]) Acquire() bool { return e.AcquireUpTo(^uint64(0)) }

// AcquireUpTo is Acquire for a reader that is behind the newest state. Of the newest two pairs and
// the reader's own pair, it chooses the one whose current state has the given tick, or the nearest
// tick. It never goes back to an earlier tick than that of the reader's pair, unless the writer has
// withdrawn that tick. The reader keeps its pair if the pair has the tick and was corrected, but
// the state before is no longer published. Only the reader may call it.
func (e *Exchange[S]) AcquireUpTo(tick uint64) bool {
	r, word := &e.r, e.mailbox.Load()
	if word == none && !r.earlier {
		return false // as in most frames
	}
	before := r.current()
	held, dt := before.Tick, before.Dt // read before the Swap, which releases the slot
	if word != none && wanted(word, held, tick) {
		*r = e.named(e.mailbox.Swap(none))
		replaced := r.cur.Tick < held || r.cur.Dt != dt // another tick may be the right one
		r.earlier = r.cur.Tick > tick && (r.prev.Tick >= held || replaced)
	} else if r.earlier {
		r.earlier = r.cur.Tick > tick
	}
	return r.current() != before
}

// wanted reports whether a reader that has some tick takes the states of a mailbox word. Only the
// reader empties its mailbox, so these states, or newer ones, are still there. The reader keeps its
// pair if only the current state of the pair is among them.
func wanted(word, held, tick uint64) bool {
	_, prev, older := slotsOf(word)
	lacks := held == tick && word>>tickAt == tick+1 && prev == older
	return held < tick || word>>tickAt <= tick+1 && !lacks
}

// Peek reports whether Acquire would take a pair, and the tick of its current state (modulo 2^46).
// A later Acquire may find a newer pair. Only the reader may call it.
func (e *Exchange[S]) Peek() (tick uint64, ok bool) {
	if word := e.mailbox.Load(); word != none {
		return word >> tickAt, true
	}
	return e.r.cur.Tick, e.r.earlier
}

// Newest is the tick of the newest state that was published (modulo 2^46). Only the reader may call
// it.
func (e *Exchange[S]) Newest() uint64 {
	if word := e.mailbox.Load(); word != none {
		return word >> tickAt
	}
	return e.r.cur.Tick
}

// Current is the newer state of the pair that the reader has. Only the reader may call it, and it
// must not write to the state.
func (e *Exchange[S]) Current() *Slot[S] { return e.r.current() }

// Previous is the older state of the pair that the reader has. Only the reader may call it, and it
// must not write to the state.
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
