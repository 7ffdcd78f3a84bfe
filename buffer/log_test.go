package buffer

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

func TestEveryRecordArrivesOnceAndInOrder(t *testing.T) {
	const total = 200_000
	l := NewLog[uint64]()
	var published atomic.Uint64
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := uint64(0); i < total; {
			for range i%700 + 1 {
				if i < total {
					l.Append(i)
					i++
				}
			}
			published.Store(l.Count())
			if i%3 == 0 {
				runtime.Gosched()
			}
		}
	})
	want := uint64(0)
	for want < total {
		limit := published.Load()
		if limit == want {
			runtime.Gosched() // js/wasm has one thread, which is never preempted
		}
		for r := l.Peek(limit); r != nil; r = l.Peek(limit) {
			if *r != want {
				t.Fatalf("record %d came where %d was due", *r, want)
			}
			want++
			l.Take()
		}
	}
	wg.Wait()
	if l.Peek(published.Load()) != nil {
		t.Error("a record came after the last one")
	}
}

func TestTheWriterReadsWhatItHasNotPublished(t *testing.T) {
	const total = 200_000
	l := NewLog[uint64]()
	var published atomic.Uint64
	var wg sync.WaitGroup
	wg.Go(func() {
		for l.Count() < total {
			before := l.Count()
			for range before%700 + 1 {
				l.Append(l.Count())
			}
			next := before
			for r := range l.Since(before) {
				if *r != next {
					t.Errorf("record %d came where %d was due", *r, next)
				}
				next++
			}
			if next != l.Count() {
				t.Errorf("it ends before record %d of %d", next, l.Count())
			}
			l.Trim()
			published.Store(l.Count())
			runtime.Gosched()
		}
	})
	for taken := uint64(0); taken < total; runtime.Gosched() {
		for limit := published.Load(); l.Peek(limit) != nil; taken++ {
			l.Take()
		}
	}
	wg.Wait()
}

func TestReaderSeesNothingBeyondItsLimit(t *testing.T) {
	l := NewLog[int]()
	for i := range 5 {
		l.Append(i)
	}
	for i := range 3 {
		if r := l.Peek(3); r == nil || *r != i {
			t.Fatalf("Peek(3) = %v", r)
		}
		l.Take()
	}
	if l.Peek(3) != nil {
		t.Error("a record beyond the limit was shown")
	}
	if r := l.Peek(5); r == nil || *r != 3 {
		t.Error("the rest is lost")
	}
}

// The test finds a log that grows for ever, or that loses records.
func TestSteadyStreamUsesItsChunksAgain(t *testing.T) {
	l := NewLog[[8]uint64]()
	n := uint64(0)
	burst := func() {
		for range 3 * chunkLen {
			l.Append([8]uint64{n})
			n++
		}
		for l.Peek(l.Count()) != nil {
			l.Take()
		}
	}
	burst()
	burst()
	if a := testing.AllocsPerRun(100, burst); a != 0 {
		t.Errorf("%v allocations a burst", a)
	}
}

// The test finds a log that keeps the memory of its largest burst.
func TestTrimLetsGoOfABurstAndKeepsASteadyStream(t *testing.T) {
	l := NewLog[int]()
	tick := func(records, ticks int) { // the reader reads once in several ticks
		for range ticks {
			for range records {
				l.Append(1)
			}
			l.Trim()
		}
		for l.Peek(l.Count()) != nil {
			l.Take()
		}
	}
	chunks := func() (n int) {
		for c := l.old.Load(); c != nil; c = c.next.Load() {
			n++
		}
		return n
	}
	tick(100*chunkLen, 1)
	for range 500 {
		tick(10, 1)
	}
	if n := chunks(); n > 4 {
		t.Errorf("%d chunks are kept", n)
	}
	for range 10 {
		tick(3*chunkLen, 8)
	}
	if a := testing.AllocsPerRun(100, func() { tick(3*chunkLen, 8) }); a != 0 {
		t.Errorf("%v allocations in a steady stream", a)
	}
}

func TestTakeLetsGoOfWhatARecordPointsTo(t *testing.T) {
	l := NewLog[*int]()
	l.Append(new(int))
	r := l.Peek(1)
	l.Take()
	if *r != nil {
		t.Error("a taken record keeps its pointer")
	}
}

func TestShedLeavesTheNewestInOrder(t *testing.T) {
	l := NewLog[int]()
	for i := range 1000 {
		l.Append(i)
	}
	if n := l.DropOldest(900, 300); n != 600 || l.taken != 600 {
		t.Errorf("%d records dropped, %d taken", n, l.taken)
	}
	if n := l.DropOldest(900, 300) + l.DropOldest(10, 300) + l.DropOldest(0, 0); n != 0 {
		t.Errorf("%d more records dropped", n)
	}
	for want := 600; want < 900; want++ {
		if r := l.Peek(900); r == nil || *r != want {
			t.Fatalf("record %v came where %d was due", r, want)
		}
		l.Take()
	}
}

func TestBehindIsAtMostAChunkMoreThanThereIs(t *testing.T) {
	l := NewLog[int]()
	for i := range 5000 {
		l.Append(i)
		if i%3 == 0 {
			for range i % 7 {
				if l.Peek(l.Count()) != nil {
					l.Take()
				}
			}
		}
		if waits := l.Count() - l.taken; l.Unread() < waits || l.Unread() > waits+chunkLen {
			t.Fatalf("%d records wait, and Unread is %d", waits, l.Unread())
		}
	}
}
