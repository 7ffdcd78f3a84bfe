package phasetrace

import (
	"sync/atomic"
	"unsafe"

	"halfstep/internal/timing"
)

// ring has the newest spans of one writer. Any number of readers may read it.
// Neither side waits. A reader skips a span that is overwritten while it is
// being read.
type ring struct {
	written atomic.Uint64
	slots   [timing.MaxSpans]slot
}

// slot stores a span in atomic words, so that reading during a write is not a
// data race. The serial is 0 during a write. A reader that finds the same serial
// before and after reading the words has read the words of one span.
type slot struct {
	serial atomic.Uint64
	words  [len(words{})]atomic.Uintptr
}

// words is the size of a span in words. A span contains no pointers.
type words [unsafe.Sizeof(timing.Span{}) / unsafe.Sizeof(uintptr(0))]uintptr

func (r *ring) put(s *timing.Span) {
	n := r.written.Load()
	to := &r.slots[n%timing.MaxSpans]
	to.serial.Store(0)
	for i, w := range (*words)(unsafe.Pointer(s)) {
		to.words[i].Store(w)
	}
	to.serial.Store(n + 1)
	r.written.Store(n + 1)
}

func (r *ring) read(dst []timing.Span) []timing.Span {
	end := r.written.Load()
	n := min(end, timing.MaxSpans, uint64(cap(dst)-len(dst)))
	for i := end - n; i < end; i++ {
		if s, ok := r.get(i); ok {
			dst = append(dst, s)
		}
	}
	return dst
}

func (r *ring) get(i uint64) (s timing.Span, ok bool) {
	from := &r.slots[i%timing.MaxSpans]
	if from.serial.Load() != i+1 {
		return s, false
	}
	to := (*words)(unsafe.Pointer(&s))
	for j := range to {
		to[j] = from.words[j].Load()
	}
	return s, from.serial.Load() == i+1
}
