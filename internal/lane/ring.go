package lane

import (
	"sync/atomic"

	"halfstep/buffer/phase"
)

// ring holds the newest spans of one writer for any number of readers. Neither
// side waits. A reader skips a span that is overwritten while it reads it.
type ring struct {
	written atomic.Uint64
	slots   [phase.MaxSpans]slot
}

// slot holds a span in atomic words, so that reading it during a write is not a
// data race. The serial is 0 during a write. A reader that finds the same serial
// before and after reading the words has words of one span.
type slot struct {
	serial atomic.Uint64
	number atomic.Uint64
	tick   atomic.Uint64 // times 2, plus 1 if fresh
	thread atomic.Uint32
	times  [3 + phase.PerThread]atomic.Int64
	stages [phase.Stages]atomic.Int64
	more   [moreWords]atomic.Uint64 // Work and Usage
}

const moreWords = 9

// pack and unpack turn Work and Usage into words and back.
func pack(s *phase.Span) [moreWords]uint64 {
	w, u := &s.Work, &s.Usage
	two := func(a, b uint32) uint64 { return uint64(a)<<32 | uint64(b) }
	known := uint32(0)
	if u.Known {
		known = 1
	}
	return [moreWords]uint64{
		two(w.Commands, w.Bodies), two(w.Contacts, w.Islands), two(w.Largest, known),
		uint64(u.CPU), uint64(u.System), two(u.Faults, u.MajorFaults), two(u.Preempted, u.Blocked),
		uint64(s.GPU), s.GPUFrame,
	}
}

func unpack(s *phase.Span, words *[moreWords]uint64) {
	two := func(i int) (uint32, uint32) { return uint32(words[i] >> 32), uint32(words[i]) }
	w, u := &s.Work, &s.Usage
	var known uint32
	w.Commands, w.Bodies = two(0)
	w.Contacts, w.Islands = two(1)
	w.Largest, known = two(2)
	u.Known, u.CPU, u.System = known == 1, int64(words[3]), int64(words[4])
	u.Faults, u.MajorFaults = two(5)
	u.Preempted, u.Blocked = two(6)
	s.GPU, s.GPUFrame = int64(words[7]), words[8]
}

func (r *ring) put(s *phase.Span) {
	n := r.written.Load()
	to := &r.slots[n%phase.MaxSpans]
	to.serial.Store(0)
	to.number.Store(s.Number)
	tick := s.Tick << 1
	if s.Fresh {
		tick |= 1
	}
	to.tick.Store(tick)
	to.thread.Store(uint32(s.Thread))
	to.times[0].Store(s.Start)
	to.times[1].Store(s.End)
	to.times[2].Store(s.PlannedSleep)
	for i, d := range s.Spent {
		to.times[3+i].Store(d)
	}
	for i, d := range s.Stages {
		to.stages[i].Store(d)
	}
	for i, word := range pack(s) {
		to.more[i].Store(word)
	}
	to.serial.Store(n + 1)
	r.written.Store(n + 1)
}

func (r *ring) read(dst []phase.Span) []phase.Span {
	end := r.written.Load()
	n := min(end, phase.MaxSpans, uint64(cap(dst)-len(dst)))
	for i := end - n; i < end; i++ {
		if s, ok := r.get(i); ok {
			dst = append(dst, s)
		}
	}
	return dst
}

func (r *ring) get(i uint64) (s phase.Span, ok bool) {
	from := &r.slots[i%phase.MaxSpans]
	if from.serial.Load() != i+1 {
		return s, false
	}
	s.Number, s.Thread = from.number.Load(), phase.Thread(from.thread.Load())
	tick := from.tick.Load()
	s.Tick, s.Fresh = tick>>1, tick&1 == 1
	s.Start, s.End, s.PlannedSleep = from.times[0].Load(), from.times[1].Load(), from.times[2].Load()
	for j := range s.Spent {
		s.Spent[j] = from.times[3+j].Load()
	}
	for j := range s.Stages {
		s.Stages[j] = from.stages[j].Load()
	}
	var words [moreWords]uint64
	for j := range words {
		words[j] = from.more[j].Load()
	}
	unpack(&s, &words)
	return s, from.serial.Load() == i+1
}
