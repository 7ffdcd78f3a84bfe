package buffer

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/test/attack"
)

// perRound is the number of states in a round of TestAttackHandOvers.
const perRound = 200_000

// pace is the number of operations after which a side yields, or 0 if it never does.
func pace(r *rand.Rand) (every int) { return []int{0, 0, 1, 3, 50, 1000}[r.IntN(6)] }

func giveWay(i, every int) {
	if every > 0 && i%every == 0 || runtime.GOMAXPROCS(0) == 1 {
		runtime.Gosched()
	}
}

// Both sides run at full speed, or one of them is slower. States have any size, and
// there are edits of the same tick, restarts, and a log with records of the states.
// The test finds a state that is torn, late or lost, a pair that is not consecutive,
// and a record that comes twice, too early or not at all.
func TestAttackHandOvers(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		x, log := NewExchange[body](), NewLog[uint64]()
		most, writes, reads := r.IntN(1+[]int{2, 2, 8, 60}[r.IntN(4)]), pace(r), pace(r)
		edits := r.IntN(3) == 0
		choices := rand.New(rand.NewPCG(r.Uint64(), 1))
		var wg sync.WaitGroup
		ended := make(chan struct{})
		wg.Go(func() {
			defer close(ended)
			tick, revision, before := uint64(0), uint32(0), uint64(0)
			for i := range perRound {
				what := 3
				if edits {
					what = choices.IntN(16)
				}
				switch {
				case i == 0:
				case what == 0:
					revision++
				default:
					before, tick, revision = tick, tick+1, 0
				}
				if what == 15 {
					before = tick
				}
				s, n := x.Next(), 1
				if most > 1 {
					n += int(tick*7919) % most
				}
				if cap(s.States) < n {
					s.States = make([]body, n)
				}
				s.States = s.States[:n]
				mark := tick<<8 | uint64(revision)&0xff
				for k := range s.States {
					s.States[k] = body{mark, mark, mark, mark}
				}
				for range what & 3 {
					log.Append(log.Count())
				}
				// Structure is used for the number of states, and Commands for the tick before.
				s.Meta = Meta{Tick: tick, Revision: revision, Events: log.Count(), Structure: mark, Commands: before}
				switch {
				case i == 0, what == 15:
					x.Restart()
				case what == 0:
					x.Republish()
				default:
					x.Publish()
				}
				giveWay(i, writes)
			}
		})
		next, serial, taken := uint64(0), uint64(0), uint64(0)
		look := func() {
			if !x.Acquire() {
				return
			}
			taken++
			c, p := x.Current(), x.Previous()
			if c.Serial <= serial {
				t.Fatalf("state %d after %d", c.Serial, serial)
			}
			serial = c.Serial
			if p.Tick != c.Commands {
				t.Fatalf("a pair of ticks %d and %d", p.Tick, c.Tick)
			}
			for _, s := range []*Slot[body]{p, c} {
				for _, b := range s.States {
					if m := s.Structure; b != (body{m, m, m, m}) {
						t.Fatalf("tick %d holds %v, not %d: torn", s.Tick, b, m)
					}
				}
			}
			for rec := log.Peek(c.Events); rec != nil; rec = log.Peek(c.Events) {
				if *rec != next {
					t.Fatalf("record %d where %d was due", *rec, next)
				}
				next++
				log.Take()
			}
			if next != c.Events {
				t.Fatalf("%d records came with a state that has %d", next, c.Events)
			}
		}
		for i := 0; ; i++ {
			look()
			select {
			case <-ended:
			default:
				giveWay(i, reads)
				continue
			}
			break
		}
		wg.Wait()
		look()
		if serial != perRound {
			t.Fatalf("the last state in hand is %d of %d: the newest was lost", serial, perRound)
		}
		a.Count("handed over", perRound)
		a.Count("taken", taken)
	}
}

// Readers other than the one that draws run at their own pace: some leave and join
// again, and some sleep until their feed is cut. The test finds a state that is
// torn, a state that is older than the newest one at the time of Acquire, a newest
// state that a reader never gets, and an object that a reader gets without its
// state.
func TestAttackReaders(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		w := newThings()
		number, writes, changes := []int{1, 2, MaxReaders}[r.IntN(3)], pace(r), 1+r.IntN(50)
		states := uint64(perRound)
		if writes > 0 && writes < 100 {
			states /= 20 // the states wait for the readers
		}
		w.size = 2 + r.IntN([]int{1, 1, 7, 60}[r.IntN(4)])
		var published atomic.Uint64 // the last tick that was published
		var writing, reading sync.WaitGroup
		var over atomic.Bool // the readers are done
		writing.Go(func() {
			for tick := uint64(1); tick <= states; tick++ {
				if tick%uint64(changes) == 0 {
					w.add()
					if len(w.has) > 5 {
						w.remove()
					}
					w.link.Exchange.Serve() // the readers have no state yet
				}
				w.publish(tick)
				published.Store(tick)
				giveWay(int(tick), writes)
			}
			for !over.Load() { // as physics does when no work is due
				w.link.Demand.Wait()
				w.link.Exchange.Serve()
			}
		})
		var looks, taken atomic.Uint64
		for range number {
			reads, stays, sleeps := pace(r), []int{0, 100, 10_000}[r.IntN(3)], []int{0, 0, 1000}[r.IntN(3)]
			reading.Go(func() {
				o := w.reader(t)
				before, took, i, stale := uint64(0), uint64(0), 0, 0
				for ; ; i++ {
					if stays > 0 && i%stays == stays-1 && published.Load() < states {
						o.Close()
						o = w.reader(t)
					}
					least, known := published.Load(), o.log != nil
					if err := o.look(); err != nil {
						t.Errorf("%d readers: %v", number, err)
						return
					}
					tick := o.Current().Tick
					if known && tick < least && !o.feed.cut.Load() {
						t.Errorf("%d readers: tick %d in hand, and %d was published before", number, tick, least)
						return
					}
					stale++
					if tick != before {
						took, stale = took+1, 0
						before = tick
					}
					if tick == states { // otherwise the reader waits for ever
						break
					}
					if stale > 50 { // the reader yields the processor to the writer
						time.Sleep(20 * time.Microsecond)
					}
					giveWay(i, reads)
					if sleeps > 0 && i%sleeps == 0 {
						time.Sleep(time.Millisecond)
					}
				}
				looks.Add(uint64(i))
				taken.Add(took)
				o.Close()
			})
		}
		for last := uint64(0); last < states && !t.Failed(); time.Sleep(20 * time.Microsecond) { // the one that draws
			w.link.Exchange.Acquire()
			s := w.link.Exchange.Current()
			last = s.Tick
			w.link.Structure.DropOldest(s.Structure, 0)
		}
		reading.Wait()
		over.Store(true)
		w.link.Demand.Ring()
		writing.Wait()
		a.Count(fmt.Sprintf("states handed over to %d readers", number), states)
		a.Count("taken", taken.Load())
		a.Count("looks", looks.Load())
	}
}

// A render side posts and waits at random, and a physics side answers. After a lost
// wake-up, the test hangs. Work that is posted before the call of Quit must be done.
func TestAttackDoorbells(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		l := NewLink[body, int, int]()
		frames, ahead := 20_000, 1+r.IntN(3)
		rests := pace(r)
		var wg sync.WaitGroup
		wg.Go(func() {
			defer l.Stop(nil)
			done, tick := uint64(0), uint64(0)
			for i := 0; ; i++ {
				f, quit := l.Demand.Next()
				switch {
				case f != nil:
					tick = f.Demand
					done++
					l.Demand.FinishFrame()
					l.Advance(tick, done)
				case quit:
					return
				default:
					l.Demand.Wait()
				}
				giveWay(i, rests)
			}
		})
		for n := uint64(1); n <= uint64(frames); n++ {
			l.Demand.Post(Frame{Demand: n})
			if r.IntN(ahead) == 0 && !l.Await(n, n) {
				t.Fatalf("frame %d was not done", n)
			}
		}
		l.Demand.Quit()
		wg.Wait()
		if !l.Await(uint64(frames), uint64(frames)) {
			t.Fatalf("frames that were posted before quitting were not done")
		}
		a.Count("frames", uint64(frames))
	}
}
