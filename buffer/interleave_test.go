//go:build interleave

package buffer

import (
	"fmt"
	"slices"
	"testing"

	"halfstep/internal/atomic"
	"halfstep/internal/interleave"
)

// handOver is a hand-over of the exchange: the step of the run at which it happens,
// and the state.
type handOver struct {
	step   int
	serial uint64
}

// The test tries every order of five publishes, one of them an edit, and three
// acquires. The reader's states must be whole, consecutive and the newest, and must
// not change. A reader that is a tick behind must get the pair before.
func TestInterleavedExchangeHandsOverTheNewestWhole(t *testing.T) {
	for _, lags := range []bool{false, true} {
		interleave.Explore(t, func(r *interleave.Run) { handsOverTheNewestWhole(r, lags) })
	}
}

func handsOverTheNewestWhole(r *interleave.Run, lags bool) {
	x := NewExchange[body]()
	for tick := range uint64(3) {
		write(x, tick, 2)
	}
	x.Acquire()
	var published, taken []handOver
	done := func() { published = append(published, handOver{r.Step(), x.w.serial}) }
	r.Go("writer", func() {
		write(x, 3, 2)
		done()
		s := x.Next()
		s.States = append(s.States[:0], body{3, 3, 3, 3})
		s.Meta = Meta{Tick: 3, Revision: 1}
		x.Republish()
		done()
		for tick := uint64(4); tick < 7; tick++ {
			write(x, tick, 2)
			done()
		}
	})
	last := x.Current().Tick
	newest := func() uint64 { return x.r.cur.Serial }
	for range 3 {
		shown := x.Current().Serial
		tick := ^uint64(0)
		if lags {
			if tick, _ = x.Peek(); tick > last+1 {
				tick--
			}
		}
		fresh := x.AcquireUpTo(tick)
		taken = append(taken, handOver{r.Step(), newest()})
		if fresh != (x.Current().Serial != shown) {
			r.Errorf("Acquire says %v; serial %d in hand, then %d", fresh, shown, x.Current().Serial)
		}
		if got := x.Current().Tick; lags && got < tick && newest() > x.Current().Serial {
			r.Errorf("tick %d in hand, with %d there", got, tick)
		}
		if err := wrong(x, last); err != nil {
			r.Errorf("%v", err)
		}
		last = x.Current().Tick
		x.Peek() // at this call the writer may run on
		if err := wrong(x, last); err != nil {
			r.Errorf("later: %v", err)
		}
	}
	r.After(func() {
		for _, got := range taken {
			newest := uint64(3)
			for _, p := range published {
				if p.step < got.step {
					newest = p.serial
				}
			}
			if got.serial < newest && !lags || got.serial > newest {
				r.Errorf("state %d in hand when %d was the newest", got.serial, newest)
			}
		}
	})
}

// updated is the value that updateSome writes to one of two states at a tick. The
// first state changes in every tick, the second in every third tick.
func updated(i int, tick uint64) body {
	if i == 1 {
		tick -= tick % 3
	}
	return body{tick, tick, tick, tick}
}

func updateSome(x *Exchange[body], tick uint64) {
	changed := []int32{0, 1}
	if tick%3 != 0 {
		changed = changed[:1]
	}
	s := x.Next()
	s.Update(2, changed, func(i int, to *body) { *to = updated(i, tick) })
	s.Meta = Meta{Tick: tick}
	if tick == 0 {
		x.Restart()
	} else {
		x.Publish()
	}
}

// wrongSome returns an error if something is wrong with the acquired pair, or with a
// copy of its current state.
func wrongSome(x *Exchange[body], m *mirror) error {
	for _, s := range []*Slot[body]{x.Previous(), x.Current()} {
		for i := range s.States {
			if s.States[i] != updated(i, s.Tick) {
				return fmt.Errorf("tick %d: state %d holds %v", s.Tick, i, s.States[i])
			}
		}
	}
	m.look(x.Current())
	if !slices.Equal(m.states, x.Current().States) {
		return fmt.Errorf("tick %d: a mirror holds %v", x.Current().Tick, m.states)
	}
	return nil
}

// The test tries every order of six updates and three acquires. Although no slot is
// written as a whole, the reader must get each state as it was published. So must a
// copy that is updated by the stamps.
func TestInterleavedUpdatesReachTheReaderWhole(t *testing.T) {
	interleave.Explore(t, func(r *interleave.Run) {
		x := NewExchange[body]()
		for tick := range uint64(3) {
			updateSome(x, tick)
		}
		var m mirror
		x.Acquire()
		r.Go("writer", func() {
			for tick := uint64(3); tick < 9; tick++ {
				updateSome(x, tick)
			}
		})
		for range 3 {
			x.Acquire()
			for range 2 {
				if err := wrongSome(x, &m); err != nil {
					r.Errorf("%v", err)
				}
				x.Peek() // at this call the writer may run on
			}
		}
	})
}

// The test tries every order of corrections and acquires. A correction replaces all
// its states in one swap, so the reader must never have a pair with only one corrected
// state, and its states must not change. The second correction may come while the
// reader has the states of the first.
func TestInterleavedCorrectionsReplaceAPairAsAWhole(t *testing.T) {
	interleave.Explore(t, func(r *interleave.Run) {
		x := NewExchange[body]()
		for tick := range uint64(5) {
			write(x, tick, 2)
		}
		x.Acquire()
		put := func(tick uint64, revision uint32) {
			s := x.Next()
			if x.w.next >= ownSlots {
				r.Errorf("slot %d, without further readers", x.w.next)
			}
			v := tick*10 + uint64(revision)
			s.States = append(s.States[:0], body{v, v, v, v})
			s.Meta = Meta{Tick: tick, Revision: revision}
		}
		r.Go("writer", func() {
			for revision := range uint32(3) {
				for tick := uint64(2); tick < 4; tick++ {
					put(tick, revision+1)
					x.Stage()
				}
				put(4, revision+1)
				x.Republish()
			}
			x.Withdraw()
		})
		for range 3 {
			x.Acquire()
			for range 2 {
				cur, prev := x.Current(), x.Previous()
				if cur.Revision != prev.Revision || cur.Tick != prev.Tick+1 {
					r.Errorf("the pair is of ticks %d and %d, of revisions %d and %d", prev.Tick, cur.Tick, prev.Revision, cur.Revision)
				}
				for _, s := range []*Slot[body]{cur, prev} {
					if v := s.Tick*10 + uint64(s.Revision); s.Revision > 0 && s.States[0] != (body{v, v, v, v}) {
						r.Errorf("tick %d, revision %d holds %v", s.Tick, s.Revision, s.States[0])
					}
				}
				x.Peek() // at this call the writer may run on
			}
		}
	})
}

// onlooking makes a reader that acquires a few times and closes.
func onlooking(r *interleave.Run, w *things, looks int) {
	from := w.link.NewReader()
	if from == nil {
		r.Errorf("no place")
		return
	}
	o := &onlooker{Reader: from}
	for range looks {
		if err := o.look(); err != nil {
			r.Errorf("%v", err)
		}
		w.link.Tick() // at this call the writer may run on
		if err := o.wrong(); err != nil {
			r.Errorf("later: %v", err)
		}
	}
	o.Close()
}

// edit adds an object. Now and then it removes one.
func (w *things) edit(tick uint64) {
	if w.add(); tick%2 == 0 {
		w.remove()
	}
	w.publish(tick)
}

// The test tries every order of publishes and of two readers that join, acquire and
// leave.
func TestInterleavedReadersComeAndGo(t *testing.T) {
	interleave.Explore(t, func(r *interleave.Run) {
		w := newThings()
		w.publish(1)
		r.Go("first", func() { onlooking(r, w, 1) })
		r.Go("second", func() { onlooking(r, w, 1) })
		w.edit(2)
		w.link.Exchange.Serve()
		w.edit(3)
	})
}

// The test tries every order of a reader that joins and a writer that falls asleep.
// The reader must get states, but no records that are not published yet.
func TestInterleavedAReaderThatComesIsServed(t *testing.T) {
	interleave.Explore(t, func(r *interleave.Run) {
		w := newThings()
		w.publish(1)
		served := newBell()
		r.Go("writer", func() {
			w.edit(2)
			w.add()
			w.link.Exchange.Serve()
			w.publish(3)
			for p := &w.link.Exchange.readers.place[0]; ; w.link.Demand.Wait() {
				if w.link.Exchange.Serve(); p.feed != nil {
					served.ring()
					return
				}
			}
		})
		o := &onlooker{Reader: w.link.NewReader()}
		for range 2 {
			if err := o.look(); err != nil {
				r.Errorf("%v", err)
			}
		}
		served.wait()
		if err := o.look(); err != nil || o.Current().Tick != 3 {
			r.Errorf("tick %d in the end: %v", o.Current().Tick, err)
		}
	})
}

// The test tries every order of publishes and of a reader that joins, acquires, leaves
// and joins again. The reader may get its old place.
func TestInterleavedAReaderKeepsWhatItHolds(t *testing.T) {
	interleave.Explore(t, func(r *interleave.Run) {
		w := newThings()
		w.publish(1)
		r.Go("reader", func() {
			onlooking(r, w, 3)
			onlooking(r, w, 1)
		})
		for tick := range uint64(5) {
			w.edit(tick + 2)
		}
	})
}

// The test tries every order of publishes and of acquires by a reader whose feed is
// cut. The reader asks for a new feed and rings, so after the last publish it must get
// the newest state.
func TestInterleavedAReaderThatSleptCatchesUp(t *testing.T) {
	interleave.Explore(t, func(r *interleave.Run) {
		w := newThings()
		w.link.Exchange.readers.patience = 4
		o := &onlooker{Reader: w.link.NewReader()}
		for tick := range uint64(4) {
			w.edit(tick + 1)
		}
		o.look()
		const newest = 13
		published, served := newBell(), newBell()
		var over atomic.Bool
		r.Go("writer", func() {
			for tick := uint64(5); tick <= newest; tick++ {
				w.edit(tick)
			}
			published.ring()
			for done := false; !done; {
				done = over.Load()
				before := w.link.Exchange.readers.place[0].feed
				if w.link.Exchange.Serve(); w.link.Exchange.readers.place[0].feed != before {
					served.ring()
				}
				if !done {
					w.link.Demand.Wait()
				}
			}
		})
		look := func() {
			if err := o.look(); err != nil {
				r.Errorf("%v", err)
			}
			w.link.Tick() // at this call the writer may run on
			if err := o.wrong(); err != nil {
				r.Errorf("later: %v", err)
			}
		}
		look()
		look()
		published.wait()
		if look(); o.Current().Tick != newest {
			served.wait()
			look()
		}
		if got := o.Current().Tick; got != newest {
			r.Errorf("tick %d in the end", got)
		}
		over.Store(true)
		w.link.Demand.Ring()
	})
}

// The reader is at the end of one chunk while the writer uses the chunk before again.
// This is where the two sides of a log meet.
func TestInterleavedLogGivesEachRecordOnceAcrossItsChunks(t *testing.T) {
	for _, c := range []struct {
		name               string
		appended, taken, n uint64
	}{
		{"first end", chunkLen - 1, chunkLen - 1, 4},
		{"a chunk behind", 2*chunkLen - 1, chunkLen - 1, 4},
		{"a chunk again", 2*chunkLen - 1, chunkLen + 1, 4},
		{"two chunks behind", 3*chunkLen - 1, chunkLen - 1, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			interleave.Explore(t, func(r *interleave.Run) {
				l := NewLog[uint64]()
				var count atomic.Uint64
				for range c.appended {
					l.Append(l.Count())
				}
				for range c.taken {
					l.Peek(l.Count())
					l.Take()
				}
				count.Store(l.Count())
				r.Go("writer", func() {
					for range c.n {
						l.Append(l.Count())
						count.Store(l.Count())
					}
				})
				want, limit := c.taken, uint64(0)
				for looks := 0; looks < 4; looks++ {
					limit = count.Load()
					for p := l.Peek(limit); p != nil; p = l.Peek(limit) {
						if again := l.Peek(limit); again != p {
							r.Errorf("record %d lies elsewhere at the second look", want)
						}
						if *p != want {
							r.Errorf("record %d where %d was due", *p, want)
						}
						want++
						l.Take()
					}
					if want != limit {
						r.Errorf("%d records of %d", want, limit)
					}
				}
			})
		})
	}
}

// A third goroutine ends the log while both sides change from one chunk to the next.
func TestInterleavedAnEndedLogGivesNothingTwiceAndKeepsNoChunk(t *testing.T) {
	for _, c := range []struct {
		name            string
		appended, taken uint64
	}{
		{"both at a first end", chunkLen - 1, chunkLen - 1},
		{"a chunk again", 2*chunkLen - 1, chunkLen + 1},
		{"two chunks behind", 3*chunkLen - 1, chunkLen - 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			interleave.Explore(t, func(r *interleave.Run) {
				l := NewLog[uint64]()
				var count atomic.Uint64
				for range c.appended {
					l.Append(l.Count())
				}
				for range c.taken {
					l.Peek(l.Count())
					l.Take()
				}
				count.Store(l.Count())
				r.Go("writer", func() {
					for range 2 {
						l.Append(l.Count())
						count.Store(l.Count())
					}
					l.Trim()
				})
				r.Go("end", l.End)
				want := c.taken
				for range 2 {
					limit := count.Load()
					for p := l.Peek(limit); p != nil; p = l.Peek(limit) {
						if *p != want {
							r.Errorf("record %d where %d was due", *p, want)
						}
						want++
						l.Take()
					}
				}
				r.After(func() {
					if l.old.Load() != nil {
						r.Errorf("the log has its oldest chunk still")
					}
					if l.head.next.Load() != nil {
						r.Errorf("the reader has more than its chunk")
					}
					for range 2 * chunkLen {
						l.Append(0)
					}
					if l.head.next.Load() != nil {
						r.Errorf("the reader has what was appended after the end")
					}
				})
			})
		})
	}
}

// Physics reaches two ticks and stops, in either order. The render side waits for one
// tick after the other.
func TestInterleavedAwaitEndsAndTellsTheTruth(t *testing.T) {
	for _, failure := range []*Failure{nil, {Value: "boom"}} {
		interleave.Explore(t, func(r *interleave.Run) {
			l := NewLink[body, int, int]()
			const reached = 2
			r.Go("physics", func() {
				for tick := uint64(0); tick <= reached; tick++ {
					write(l.Exchange, tick, 1)
					l.Advance(tick, tick)
				}
				l.Stop(failure)
			})
			for tick := uint64(1); tick <= reached+1; tick++ {
				done := l.Await(tick, tick)
				if done != (tick <= reached) {
					r.Errorf("Await(%d) says %v", tick, done)
				}
				l.Exchange.Acquire()
				if got := l.Exchange.Current().Tick; done && got < tick {
					r.Errorf("waited for tick %d and found %d", tick, got)
				}
			}
			if !l.Stopped() || l.Failure() != failure {
				r.Errorf("stopped %v, failure %v", l.Stopped(), l.Failure())
			}
		})
	}
}

// The bell is the same for frames, for a limit that moves and for the end. The
// goroutine that sleeps is physics without steps. It must see all frames that were
// posted before the call of Quit.
func TestInterleavedDemandLosesNothingBeforeQuitting(t *testing.T) {
	interleave.Explore(t, func(r *interleave.Run) {
		const frames = 3
		d := NewDemand()
		d.SetLimit(0)
		served := uint64(0)
		r.Go("physics", func() {
			for {
				f, quit := d.Next()
				switch {
				case f != nil:
					if served++; f.Demand != served {
						r.Errorf("frame %d where %d was due", f.Demand, served)
					}
					d.FinishFrame()
				case quit:
					return
				default:
					d.Wait()
				}
			}
		})
		for n := uint64(1); n <= frames; n++ {
			d.Post(Frame{Demand: n})
			d.SetLimit(n % 2)
		}
		d.Quit()
		r.After(func() {
			if served != frames {
				r.Errorf("%d frames of %d were served", served, frames)
			}
		})
	})
}
