package buffer

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"halfstep/test/whole"
)

// body is a state with the size of a body2d.State, filled with one number.
type body [4]uint64

// write publishes the next tick with n bodies. Each body has the tick as its value.
func write(x *Exchange[body], tick uint64, n int) {
	s := x.Next()
	if cap(s.States) < n {
		s.States = make([]body, n)
	}
	s.States = s.States[:n]
	for i := range s.States {
		s.States[i] = body{tick, tick, tick, tick}
	}
	s.Meta = Meta{Tick: tick}
	if tick == 0 {
		x.Restart()
	} else {
		x.Publish()
	}
}

// wrong returns an error if something is wrong with the acquired pair.
func wrong(x *Exchange[body], last uint64) error {
	c, p := x.Current(), x.Previous()
	if c.Tick < last {
		return fmt.Errorf("tick %d after %d: went back", c.Tick, last)
	}
	if p.Tick+1 != c.Tick && c.Tick != 0 {
		return fmt.Errorf("pair %d, %d: not consecutive", p.Tick, c.Tick)
	}
	for _, s := range []*Slot[body]{p, c} {
		for i := range s.States {
			if s.States[i] != (body{s.Tick, s.Tick, s.Tick, s.Tick}) {
				return fmt.Errorf("tick %d: body %d of %d holds %v: torn", s.Tick, i, len(s.States), s.States[i])
			}
		}
	}
	return nil
}

func check(t *testing.T, x *Exchange[body], last uint64) uint64 {
	t.Helper()
	if err := wrong(x, last); err != nil {
		t.Fatal(err)
	}
	return x.Current().Tick
}

// The test fails if a slot is written while the reader has it, if a pair is not consecutive,
// and if the reader never gets the newest state.
func TestPairIsWholeConsecutiveAndNewest(t *testing.T) {
	enough := whole.Rounds(3_000, 600) // the number of pairs that the reader must acquire
	steady := func(uint64) int { return 50 }
	for _, c := range []struct {
		name                       string
		writerYields, readerYields int
		bodies                     func(tick uint64) int
	}{
		{"both flat out", 0, 0, steady},
		{"slow writer", 20, 0, steady},
		{"slow reader", 0, 20, steady},
		{"bodies come and go", 0, 0, func(tick uint64) int { return int(tick*7919) % 90 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := NewExchange[body]()
			var stop atomic.Bool
			var last atomic.Uint64
			var wg sync.WaitGroup
			wg.Go(func() {
				for tick := uint64(0); !stop.Load(); tick++ {
					write(x, tick, c.bodies(tick))
					last.Store(tick)
					if runtime.GOMAXPROCS(0) == 1 {
						runtime.Gosched()
					}
					for range c.writerYields {
						runtime.Gosched()
					}
				}
			})
			seen := uint64(0)
			for taken := 0; taken < enough; {
				upTo := ^uint64(0)
				if taken%3 == 1 { // like a reader that is a tick behind
					upTo, _ = x.Peek()
					upTo = max(upTo, 1) - 1
				}
				if x.AcquireUpTo(upTo) {
					taken++
					seen = check(t, x, seen)
				} else {
					runtime.Gosched()
				}
				for range c.readerYields {
					runtime.Gosched()
				}
			}
			stop.Store(true)
			wg.Wait()
			x.Acquire()
			if seen = check(t, x, seen); seen != last.Load() {
				t.Errorf("the last tick in hand is %d, the last published %d", seen, last.Load())
			}
		})
	}
}

func TestRepublishKeepsPreviousAndReplacesCurrent(t *testing.T) {
	x := NewExchange[body]()
	for tick := range uint64(4) {
		write(x, tick, 3)
	}
	for rev := uint32(1); rev < 20; rev++ {
		s := x.Next()
		s.States = append(s.States[:0], body{3, 3, 3, 3})
		s.Meta = Meta{Tick: 3, Revision: rev}
		x.Republish()
		if rev%3 == 0 {
			continue // there may be several edits between two calls of Acquire
		}
		if !x.Acquire() {
			t.Fatalf("revision %d was not delivered", rev)
		}
		check(t, x, 3)
		if x.Current().Revision != rev || x.Previous().Tick != 2 {
			t.Fatalf("revision %d: got (%d, %d rev %d)", rev, x.Previous().Tick, x.Current().Tick, x.Current().Revision)
		}
	}
}

// Both pairs between which the reader can choose have consecutive ticks, or one state twice.
func TestACorrectionMayEndBeforeTheNewestTick(t *testing.T) {
	for staged := 1; staged <= 2; staged++ {
		for _, upTo := range []uint64{1, 2, 3} {
			x := NewExchange[body]()
			for tick := range uint64(8) {
				write(x, tick, 2)
				if tick == 1 {
					x.Acquire()
				}
			}
			for tick := uint64(4 - staged); tick <= 4; tick++ {
				s := x.Next()
				s.States = append(s.States[:0], body{tick, tick, tick, tick})
				if s.Meta = (Meta{Tick: tick, Revision: 1}); tick < 4 {
					x.Stage()
				} else {
					x.Republish()
				}
			}
			if x.Newest() != 4 {
				t.Errorf("the newest tick is %d, want 4", x.Newest())
			}
			x.AcquireUpTo(upTo)
			if p, c := x.Previous(), x.Current(); p != c && p.Tick+1 != c.Tick {
				t.Errorf("%d staged, up to tick %d: a pair of ticks %d and %d", staged, upTo, p.Tick, c.Tick)
			}
			write(x, 5, 2)
			if x.AcquireUpTo(5); x.Current().Tick != 5 || x.Previous().Tick != 4 || x.Previous().Revision != 1 {
				t.Errorf("%d staged: then ticks %d and %d", staged, x.Previous().Tick, x.Current().Tick)
			}
		}
	}
}

// The writer goes back to the tick that is shown. If the exchange no longer has the state before that
// tick, the pair of the tick is not there. With another pair, the picture would jump to the end of the
// tick and stand still.
func TestAPairInHandStaysWhereItsCorrectionLacksTheStateBefore(t *testing.T) {
	x := NewExchange[body]()
	for tick := range uint64(6) {
		if write(x, tick, 2); tick == 2 {
			x.Acquire()
		}
	}
	for tick := uint64(2); tick <= 3; tick++ {
		s := x.Next()
		s.States = append(s.States[:0], body{tick, tick, tick, tick})
		if s.Meta = (Meta{Tick: tick, Revision: 1}); tick == 2 {
			x.Stage()
		} else {
			x.Republish()
		}
	}
	x.AcquireUpTo(2)
	if p, c := x.Previous(), x.Current(); p.Tick != 1 || c.Tick != 2 {
		t.Errorf("want ticks 1 and 2 as before, got %d and %d", p.Tick, c.Tick)
	}
	x.AcquireUpTo(3)
	if p, c := x.Previous(), x.Current(); p.Tick != 2 || p.Revision != 1 || c.Tick != 3 {
		t.Errorf("then want ticks 2, corrected, and 3, got %d of revision %d and %d", p.Tick, p.Revision, c.Tick)
	}
}

func TestPairInHandStaysWhileTheWriterGoesOn(t *testing.T) {
	x := NewExchange[body]()
	write(x, 0, 8)
	write(x, 1, 8)
	x.Acquire()
	for tick := uint64(2); tick < 50; tick++ {
		write(x, tick, 8)
		if got := check(t, x, 0); got != 1 {
			t.Fatalf("the pair in hand became %d", got)
		}
	}
	if tick, ok := x.Peek(); !ok || tick != 49 {
		t.Fatalf("Peek = %d, %v", tick, ok)
	}
	x.Acquire()
	if got := check(t, x, 1); got != 49 {
		t.Fatalf("got tick %d, want 49", got)
	}
}

// Otherwise a state that is published and replaced between two calls of Acquire would be lost. A
// picture that is a tick behind would then jump over that state.
func TestAReaderThatLagsGetsThePairBetween(t *testing.T) {
	x := NewExchange[body]()
	for tick := range uint64(3) {
		write(x, tick, 8)
	}
	x.Acquire()
	look := func(upTo, want uint64, fresh bool) {
		t.Helper()
		if got := x.AcquireUpTo(upTo); got != fresh {
			t.Errorf("up to %d: fresh is %v", upTo, got)
		}
		if got := check(t, x, 0); got != want {
			t.Errorf("up to %d: got tick %d, want %d", upTo, got, want)
		}
	}
	write(x, 3, 8)
	write(x, 4, 8)
	look(2, 2, false) // the pair held
	look(3, 3, true)
	if tick, ok := x.Peek(); tick != 4 || !ok {
		t.Errorf("Peek = %d, %v: the newest tick is 4", tick, ok)
	}
	look(3, 3, false)
	look(4, 4, true) // the reader got this with the pair before
	if tick, ok := x.Peek(); ok {
		t.Errorf("Peek = %d: the reader has all", tick)
	}
	look(3, 4, false) // never back
	s := x.Next()
	s.States = append(s.States[:0], body{4, 4, 4, 4})
	s.Meta = Meta{Tick: 4, Revision: 1}
	x.Republish()
	look(3, 4, true) // an edit of the shown state becomes visible
	if x.Current().Revision != 1 {
		t.Error("the edit was not delivered")
	}
	for tick := uint64(5); tick < 9; tick++ {
		write(x, tick, 8)
	}
	look(6, 7, true) // 6 is gone
	look(9, 8, true)
}

func TestPreviousIsTheSameMemoryThatWasCurrent(t *testing.T) {
	x := NewExchange[body]()
	write(x, 0, 1)
	write(x, 1, 1)
	x.Acquire()
	was, serial := &x.Current().States[0], x.Current().Serial
	write(x, 2, 1)
	x.Acquire()
	if &x.Previous().States[0] != was || x.Previous().Serial != serial {
		t.Error("previous of tick 2 is a copy of current of tick 1, not the slot itself")
	}
}

func TestExchangeAllocatesNothingOnceGrown(t *testing.T) {
	x := NewExchange[body]()
	tick := uint64(0)
	step := func() {
		write(x, tick, 1000)
		tick++
		x.Acquire()
	}
	for range 20 {
		step()
	}
	if n := testing.AllocsPerRun(100, step); n != 0 {
		t.Errorf("%v allocations a publish and acquire", n)
	}
}
