package buffer

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/test/whole"
)

// things are the existing objects, which records add and remove. A slot is the slot
// of an object.
type things struct {
	link *Link[body, int, int]
	has  []int32
	made int32
	size int // bodies of a state
}

// newThings returns things with a link whose writer has published one empty state of
// tick 0.
func newThings() *things {
	w := &things{link: NewLink[body, int, int](), size: 2}
	w.link.Announce(func(to *Log[body2d.Structure]) {
		for _, slot := range w.has {
			to.Append(body2d.Structure{Kind: body2d.BodyAdded, Slot: slot})
		}
	})
	w.publish(0)
	return w
}

func (w *things) add() {
	w.has = append(w.has, w.made)
	w.link.Structure.Append(body2d.Structure{Kind: body2d.BodyAdded, Slot: w.made})
	w.made++
}

func (w *things) remove() {
	w.link.Structure.Append(body2d.Structure{Kind: body2d.BodyRemoved, Slot: w.has[0]})
	w.has = slices.Delete(w.has, 0, 1)
}

// publish publishes a state that describes the objects: each body has the tick, and
// the first one also has the number of the oldest object and that of the next.
func (w *things) publish(tick uint64) {
	s := w.link.Exchange.Next()
	oldest := w.made
	if len(w.has) > 0 {
		oldest = w.has[0]
	}
	s.States = append(s.States[:0], body{tick, uint64(oldest), uint64(w.made), tick})
	for len(s.States) < w.size {
		s.States = append(s.States, body{tick, tick, tick, tick})
	}
	s.Meta = Meta{Tick: tick, Structure: w.link.Structure.Count()}
	if tick == 0 {
		w.link.Exchange.Restart()
	} else {
		w.link.Exchange.Publish()
	}
}

// onlooker is a reader that learns from the records which objects exist.
type onlooker struct {
	*Reader[body]
	log  *Log[body2d.Structure]
	has  map[int32]bool
	last uint64
}

// look acquires the newest pair. It returns an error if something is wrong with the
// pair.
func (o *onlooker) look() error {
	fresh := o.Acquire()
	log, limit := o.Structure()
	if log == nil {
		if o.Current().States != nil || fresh {
			return fmt.Errorf("states without structure")
		}
		return nil
	}
	if log != o.log {
		o.log, o.has = log, map[int32]bool{}
	}
	for r := log.Peek(limit); r != nil; r = log.Peek(limit) {
		if had := o.has[r.Slot]; had != (r.Kind == body2d.BodyRemoved) {
			return fmt.Errorf("record %v of %d, which was there: %v", r.Kind, r.Slot, had)
		}
		if o.has[r.Slot] = true; r.Kind == body2d.BodyRemoved {
			delete(o.has, r.Slot)
		}
		log.Take()
	}
	return o.wrong()
}

func (o *onlooker) wrong() error {
	c, p := o.Current(), o.Previous()
	if c.States == nil {
		return nil
	}
	if c.Tick < o.last {
		return fmt.Errorf("tick %d after %d", c.Tick, o.last)
	}
	o.last = c.Tick
	if p.Tick+1 != c.Tick && c.Tick != 0 {
		return fmt.Errorf("a pair of ticks %d and %d", p.Tick, c.Tick)
	}
	for _, s := range []*Slot[body]{p, c} {
		t := s.Tick
		if len(s.States) < 2 || s.States[0][0] != t || s.States[0][3] != t {
			return fmt.Errorf("tick %d holds %v: torn", t, s.States)
		}
		for _, b := range s.States[1:] {
			if b != (body{t, t, t, t}) {
				return fmt.Errorf("tick %d holds %v: torn", t, s.States)
			}
		}
	}
	oldest, made := int32(c.States[0][1]), int32(c.States[0][2])
	if len(o.has) != int(made-oldest) || made > oldest && (!o.has[oldest] || !o.has[made-1]) {
		return fmt.Errorf("tick %d has things %d to %d; known are %v", c.Tick, oldest, made, o.has)
	}
	return nil
}

func (w *things) reader(t testing.TB) *onlooker {
	r := w.link.NewReader()
	if r == nil {
		t.Fatal("no place")
	}
	return &onlooker{Reader: r}
}

func (o *onlooker) mustSee(t *testing.T, tick uint64) {
	t.Helper()
	if err := o.look(); err != nil {
		t.Fatal(err)
	}
	if got := o.Current().Tick; got != tick {
		t.Fatalf("tick %d in hand, want %d", got, tick)
	}
}

func TestAReaderThatComesLaterKnowsWhatExists(t *testing.T) {
	w := newThings()
	w.add()
	w.add()
	w.remove()
	w.publish(1)
	o := w.reader(t)
	o.mustSee(t, 0) // nothing yet
	w.link.Exchange.Serve()
	o.mustSee(t, 1)
	w.add()
	late := w.reader(t)
	w.link.Exchange.Serve()
	late.mustSee(t, 0) // the objects that exist now are not those of tick 1
	w.publish(2)
	late.mustSee(t, 2)
	o.mustSee(t, 2)
	if len(o.has) != 2 || len(late.has) != 2 {
		t.Errorf("%v, %v", o.has, late.has)
	}
}

func TestThereAreNoMoreReadersThanPlacesAndTheseAreUsedAgain(t *testing.T) {
	w := newThings()
	tick := uint64(0)
	for range 3 {
		var all []*onlooker
		for range MaxReaders {
			all = append(all, w.reader(t))
		}
		if w.link.NewReader() != nil {
			t.Fatal("one reader too many")
		}
		for range 20 {
			tick++
			w.add()
			w.publish(tick)
			for i, o := range all {
				if tick%uint64(i+1) == 0 {
					o.mustSee(t, tick)
				}
			}
		}
		for _, o := range all {
			o.Close()
			o.Close()
			if o.Acquire() || o.Current().States != nil {
				t.Fatal("a closed reader holds states")
			}
		}
	}
}

// There are enough slots even if every reader has three states, if three older states
// wait for each reader, and if a correction is staged.
func TestTheSlotsSufficeWhateverReadersHold(t *testing.T) {
	w := newThings()
	tick := uint64(0)
	publish := func(n int) {
		for range n {
			tick++
			w.publish(tick)
		}
	}
	w.link.Exchange.Acquire()
	var all []*onlooker
	for range MaxReaders {
		all = append(all, w.reader(t))
	}
	for range MaxReaders {
		publish(4)
		o := all[0]
		all = all[1:]
		o.mustSee(t, tick) // it holds these
		publish(4)
		// The feed of this reader is cut, but not the feeds of the readers that acquire.
		for range patience / 50 {
			for range 100 {
				w.add()
				w.remove()
			}
			publish(1)
			for _, o := range all {
				o.mustSee(t, tick)
			}
		}
		if !o.feed.full {
			t.Fatal("a reader that sleeps still has a feed")
		}
	}
	w.link.Exchange.Acquire()
	publish(4)
	for range 2 {
		w.link.Exchange.Next()
		w.link.Exchange.Stage()
	}
	w.link.Exchange.Next()
	free := 0
	for i := range slots {
		x := w.link.Exchange
		if (x.w.kept|x.w.held|x.w.others)>>i&1 == 0 {
			free++
		}
	}
	if free != 3 {
		t.Errorf("%d slots are free for three states", free)
	}
}

// The feed of a reader that does not acquire grows up to a limit. When the reader
// acquires again, it first gets the last states for which it has all records, and
// then the newest.
func TestTheFeedOfAReaderThatSleepsIsBounded(t *testing.T) {
	w := newThings()
	o := w.reader(t)
	w.publish(1)
	o.mustSee(t, 1)
	tick := uint64(1)
	for range 5 * patience {
		tick++
		w.add()
		w.remove()
		w.publish(tick)
	}
	f := o.feed
	if n := f.log.Unread(); n > patience+2*chunkLen {
		t.Errorf("%d records wait", n)
	}
	if err := o.look(); err != nil {
		t.Fatal(err)
	}
	if got := o.Current().Tick; got <= 1 || got >= tick {
		t.Errorf("tick %d after the sleep", got)
	}
	w.link.Demand.Wait() // it has rung
	w.link.Exchange.Serve()
	o.mustSee(t, tick)
	if o.feed == f {
		t.Error("the feed is the same")
	}
}

// The test finds a feed that is cut again and again because there are more objects
// than it may contain.
func TestAReaderOfAWorldThatGrowsAtOnceCatchesUp(t *testing.T) {
	w := newThings()
	o := w.reader(t)
	w.publish(1)
	o.mustSee(t, 1)
	for range 10 * patience {
		w.add()
	}
	w.publish(2)
	o.look()
	w.publish(3)
	o.mustSee(t, 3)
	w.publish(4)
	o.mustSee(t, 4)
}

func TestAReaderMayGoBackWithinWhatItHolds(t *testing.T) {
	w := newThings()
	o := w.reader(t)
	for tick := range uint64(5) {
		w.publish(tick + 1)
	}
	o.mustSee(t, 5)
	for _, tick := range []uint64{4, 5, 4, 9, 3} {
		o.AcquireUpTo(tick)
		if got := o.Current().Tick; got != min(max(tick, 4), 5) {
			t.Errorf("asked for %d, got %d", tick, got)
		}
	}
}

func TestWithoutReadersNothingIsKeptForThem(t *testing.T) {
	w := newThings()
	used := map[uint8]bool{}
	for tick := range uint64(100) {
		w.publish(tick + 1)
		if tick%3 == 0 {
			w.link.Exchange.Acquire()
		}
		used[uint8(w.link.Exchange.w.word&slotMask)] = true
	}
	if len(used) > 7 || w.link.Exchange.readers.at != nil {
		t.Errorf("%d slots are in use", len(used))
	}
}

func TestPublishingToReadersAllocatesNothing(t *testing.T) {
	w := newThings()
	var all []*onlooker
	for range MaxReaders {
		all = append(all, w.reader(t))
	}
	tick := uint64(0)
	round := func() {
		for range 50 {
			tick++
			w.publish(tick)
			for i, o := range all {
				if tick%uint64(i+1) == 0 {
					o.Acquire()
				}
			}
		}
	}
	for range 10 {
		round()
	}
	if n := testing.AllocsPerRun(10, round); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// Readers join, acquire and leave on their own goroutines while the writer publishes.
func TestReadersOfManyGoroutinesSeeWholeStates(t *testing.T) {
	ticks := uint64(whole.Rounds(20_000, 4_000))
	w := newThings()
	var over atomic.Bool
	var looks atomic.Int64
	var all sync.WaitGroup
	for i := range MaxReaders {
		all.Go(func() {
			for !over.Load() {
				o := w.reader(t)
				for range 300 * (i + 1) {
					if err := o.look(); err != nil {
						t.Error(err)
						return
					}
					looks.Add(1)
					runtime.Gosched()
					if err := o.wrong(); err != nil {
						t.Errorf("later: %v", err)
						return
					}
				}
				o.Close()
			}
		})
	}
	for tick := uint64(1); tick <= ticks; tick++ {
		if tick%3 == 0 {
			w.add()
		}
		if tick%3 == 1 && len(w.has) > 0 {
			w.remove()
		}
		w.publish(tick)
		if tick%7 == 0 {
			runtime.Gosched()
		}
	}
	over.Store(true)
	all.Wait()
	t.Logf("%d looks", looks.Load())
}
