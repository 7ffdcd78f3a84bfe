package buffer

import (
	"halfstep/buffer/body2d"
	"halfstep/internal/atomic"
)

// The reader holds a pair (2 slots), the newest pair waits in the mailbox (2),
// and the writer fills one (1). With four slots the writer would run out; see
// buffer/model.
const slots = 5

// none is the mailbox word for "nothing new". Every other word is
// current | previous<<8 | tick<<16.
const none = 0xff

// Meta describes one published state.
type Meta struct {
	Tick     uint64 // steps done
	Revision uint32 // how many times this tick was published before
	// Serial counts the published states. Equal serials mean equal contents.
	Serial uint64
	// Dt is the length in seconds of the step that led here.
	Dt float64
	// Structure and Events are the number of records in each log that belong
	// to this state or to earlier states.
	Structure, Events uint64
	// BeforeStep and AfterStep are what Events was right before and right after
	// the step that led here. Events up to BeforeStep belong to the tick before,
	// those after AfterStep to edits of this tick.
	BeforeStep, AfterStep uint64
	// Frames is the number of the render side's frames that are complete.
	// Commands is the number of commands applied.
	Frames, Commands uint64
	// StepNanos is the cost of the step in nanoseconds, 0 for a revision.
	StepNanos int64
	Counts    body2d.Counts
	HasDebug  bool // whether Slot.Debug is filled
}

// Slot is one published state with its description.
type Slot[S any] struct {
	Meta
	States []S
	Debug  body2d.Debug
}

// Exchange hands pairs of consecutive states from one writer to one reader.
// Both sides are wait-free. Neither allocates after the slots have grown to
// their final size.
//
// There are five slots of one state each, and a mailbox: one word that names a
// previous and a current slot. The writer fills a free slot and swaps a new pair
// into the mailbox: that slot as current, and the former current as previous.
// The reader swaps in "nothing new" and owns the pair it gets until its next
// Acquire. A state is written once and never copied, because the previous state
// of tick k is the slot that was current at tick k-1.
//
// Two slots are not enough. Whichever slot the reader uses, the writer would
// have to wait, drop the newest state or overwrite a state that is being read.
// Three slots that each hold a pair would work, but every state would be written
// twice.
//
// The writer never asks which pair the reader holds. It infers that from the
// mailbox: if it is empty, the reader has taken the last pair; if not, the reader
// still holds the pair it held before.
//
// An Exchange must be created with NewExchange and must not be copied.
type Exchange[S any] struct {
	_ [64]byte

	// The writer's Swap follows its last write to the slot, and the reader's
	// Swap comes before its first read. If either were reordered, the reader
	// would see a half-written state. The reader's Swap also follows its last
	// read of the pair it held, and the writer's Load or Swap that finds
	// "nothing new" comes before its first write to a slot of that pair. If
	// these were reordered, a state would be overwritten while it is drawn.
	mailbox atomic.Uint64

	_ [64]byte

	w struct {
		cur, prev         uint8 // last published pair
		heldCur, heldPrev uint8 // pair the reader may be reading
		next              uint8 // slot being written
		serial            uint64
	}

	_ [64]byte

	r struct{ cur, prev uint8 }

	_ [64]byte

	slot [slots]Slot[S]
}

// NewExchange returns an exchange in which both sides hold one empty state of
// tick 0, as previous and as current.
func NewExchange[S any]() *Exchange[S] {
	e := &Exchange[S]{}
	e.mailbox.Store(none)
	return e
}

// Next returns the slot for the next state. It still has the contents of an
// earlier state. Writer only.
func (e *Exchange[S]) Next() *Slot[S] {
	w := &e.w
	// Checking the mailbox before choosing spreads the writes over fewer slots,
	// which stay in the cache.
	if e.mailbox.Load() == none {
		w.heldCur, w.heldPrev = w.cur, w.prev
	}
	for i := uint8(0); ; i++ {
		if i != w.cur && i != w.prev && i != w.heldCur && i != w.heldPrev {
			w.next = i
			if poison {
				clear(e.slot[i].States)
			}
			return &e.slot[i]
		}
	}
}

// Publish makes the slot from Next the current state and the former current
// state the previous one. Writer only.
func (e *Exchange[S]) Publish() { e.publish(e.w.cur) }

// Republish replaces the current state with the slot from Next: an edited state
// of the same tick. The previous state stays. Writer only.
func (e *Exchange[S]) Republish() { e.publish(e.w.prev) }

func (e *Exchange[S]) publish(prev uint8) {
	w := &e.w
	w.serial++
	s := &e.slot[w.next]
	s.Serial = w.serial
	if e.mailbox.Swap(uint64(w.next)|uint64(prev)<<8|s.Tick<<16) == none {
		w.heldCur, w.heldPrev = w.cur, w.prev
	}
	w.cur, w.prev = w.next, prev
}

// Restart makes the slot from Next both previous and current. It is for the
// first state, and for a state that must not be blended with the one before.
// Writer only.
func (e *Exchange[S]) Restart() { e.publish(e.w.next) }

// Acquire takes the newest pair if the reader does not have it yet, and reports
// whether it did. Acquire gives back the pair held before, so slices of that
// pair must not be kept. Its cost does not depend on the number of bodies.
// Reader only.
func (e *Exchange[S]) Acquire() bool {
	// Only the reader empties the mailbox, so a pair that Load sees stays.
	if e.mailbox.Load() == none {
		return false
	}
	word := e.mailbox.Swap(none)
	e.r.cur, e.r.prev = uint8(word), uint8(word>>8)
	return true
}

// Peek reports whether Acquire would take a pair, and the tick of its current
// state (modulo 2^48). A later Acquire may take a newer pair. Reader only.
func (e *Exchange[S]) Peek() (tick uint64, ok bool) {
	word := e.mailbox.Load()
	return word >> 16, word != none
}

// Current is the newer state of the acquired pair. Reader only; do not write to
// it.
func (e *Exchange[S]) Current() *Slot[S] { return &e.slot[e.r.cur] }

// Previous is the older state of the acquired pair. Reader only; do not write to
// it.
func (e *Exchange[S]) Previous() *Slot[S] { return &e.slot[e.r.prev] }
