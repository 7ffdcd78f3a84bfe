package buffer

import (
	"halfstep/buffer/body2d"
	"halfstep/internal/atomic"
)

// slots: the reader holds a pair (2), the newest pair waits in the mailbox (2),
// one is being written (1). With four the writer runs out (buffer/model).
const slots = 5

// none is the mailbox word for "nothing new"; every other word is
// current | previous<<8 | tick<<16.
const none = 0xff

// Meta describes one published state.
type Meta struct {
	Tick     uint64 // steps done
	Revision uint32 // how often this tick was published before
	// Serial numbers the published states; equal serials are equal contents.
	Serial uint64
	// Dt is seconds per tick of the step that led here.
	Dt float64
	// Structure and Events are how many records of each log belong to this
	// state or to earlier ones.
	Structure, Events uint64
	// Frames and Commands are how many of the render side's frames are wholly
	// done, and how many commands were applied.
	Frames, Commands uint64
	// StepNanos is what the step cost, in nanoseconds; 0 for a revision.
	StepNanos int64
	Counts    body2d.Counts
	HasDebug  bool // Slot.Debug is filled
}

// Slot is one state with its description.
type Slot[S any] struct {
	Meta
	States []S
	Debug  body2d.Debug
}

// Exchange hands pairs of consecutive states from one writer to one reader.
// Both sides are wait-free; neither allocates once the slots have grown to
// their size.
//
// There are five slots of one state each and a mailbox of one word that names
// two of them, previous and current. The writer fills a free slot and swaps
// (it, what was current) into the mailbox; the reader swaps "nothing new" in
// and owns the pair it gets until its next acquire. A state is written once
// and never copied: the previous of tick k is the slot that was the current
// of tick k-1.
//
// Two slots cannot work: whichever one the reader sits in, the writer must
// wait, drop the newest or tear what is being read. Three slots that hold a
// pair each do work, with every state written twice.
//
// The writer never asks what the reader holds. It knows: if the mailbox is
// empty when it looks, the reader has taken the pair last put there; if not,
// the reader still holds the pair that it held before.
//
// An Exchange must be created with NewExchange and must not be copied.
type Exchange[S any] struct {
	_ [64]byte

	// The writer's Swap follows its last write to the slot, the reader's Swap
	// comes before its first read: were either reordered, a half-written state
	// would be seen. The reader's Swap also follows its last read of the pair
	// it held, and the writer's Load or Swap that finds "nothing new" comes
	// before its first write to a slot of that pair: were these reordered, a
	// state would be overwritten while it is drawn.
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

// NewExchange returns an exchange in which both sides hold one empty state,
// tick 0, as previous and current.
func NewExchange[S any]() *Exchange[S] {
	e := &Exchange[S]{}
	e.mailbox.Store(none)
	return e
}

// Next returns a slot to write the next state into; it holds what some earlier
// state left there. Writer only.
func (e *Exchange[S]) Next() *Slot[S] {
	w := &e.w
	// Looking before choosing spreads the writes over fewer slots, which stay
	// warm in the cache.
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

// Publish makes the slot from Next the newest state, one tick after the state
// that was current. Writer only.
func (e *Exchange[S]) Publish() { e.publish(e.w.cur) }

// Republish replaces the newest state by the slot from Next: the same tick,
// edited. The state before it stays previous. Writer only.
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

// Restart makes the slot from Next both previous and current: the first state,
// or one that follows from nothing before it. Writer only.
func (e *Exchange[S]) Restart() { e.publish(e.w.next) }

// Acquire takes the newest pair if there is one that the reader has not had,
// and reports whether it did. The pair held before is given back: slices into
// it must not be kept. Its cost does not depend on the number of bodies.
// Reader only.
func (e *Exchange[S]) Acquire() bool {
	// Only the reader ever empties the mailbox, so what Load sees stays.
	if e.mailbox.Load() == none {
		return false
	}
	word := e.mailbox.Swap(none)
	e.r.cur, e.r.prev = uint8(word), uint8(word>>8)
	return true
}

// Peek reports whether Acquire would take a pair, and the tick of its current
// state (modulo 2^48). By the time of Acquire it may be a newer one. Reader
// only.
func (e *Exchange[S]) Peek() (tick uint64, ok bool) {
	word := e.mailbox.Load()
	return word >> 16, word != none
}

// Current is the newer state of the pair in hand. Reader only; read only.
func (e *Exchange[S]) Current() *Slot[S] { return &e.slot[e.r.cur] }

// Previous is the older state of the pair in hand. Reader only; read only.
func (e *Exchange[S]) Previous() *Slot[S] { return &e.slot[e.r.prev] }
