//go:build interleave

package physicsloop

import (
	"errors"
	"slices"
	"testing"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/atomic"
	"halfstep/internal/interleave"
)

// tally is a simulation whose state is the number of its steps and commands.
// It makes an event at each tick.
type tally struct {
	steps, applied uint64
	order          []int  // of the commands
	boom           uint64 // the tick at which Step panics
	out            *buffer.Outbox[uint64]
}

func (s *tally) Start(out *buffer.Outbox[uint64]) { s.out = out }
func (s *tally) BeginFrame()                      {}
func (s *tally) EndFrame()                        {}
func (s *tally) Apply(_ uint64, c *int, _ bool) {
	s.applied++
	s.order = append(s.order, *c)
}
func (s *tally) Step(tick uint64, _ float64) {
	if tick == s.boom {
		panic(errors.New("boom"))
	}
	s.steps++
	s.out.Events.Append(tick)
}
func (s *tally) Capture(dst [][2]uint64) [][2]uint64 {
	return append(dst, [2]uint64{s.steps, s.applied})
}
func (s *tally) Counts() body2d.Counts { return body2d.Counts{} }

// table has the link and the loop of one run, and what the render side does
// with them.
type table struct {
	*interleave.Run
	sim  *tally
	link *buffer.Link[[2]uint64, uint64, int]
	loop *Loop[[2]uint64, uint64, int]

	given  int    // commands
	events uint64 // taken
}

func lay(r *interleave.Run, sim *tally) *table {
	l := buffer.NewLink[[2]uint64, uint64, int]()
	return &table{Run: r, sim: sim, link: l, loop: Start(sim, l, Options{})}
}

// post demands a tick, after the given number of commands.
func (t *table) post(demand uint64, commands int) {
	for range commands {
		t.given++
		t.link.Commands.Append(buffer.Scheduled[int]{Command: t.given})
	}
	t.link.Demand.Post(buffer.Frame{Demand: demand, Dt: .1, Commands: t.link.Commands.Count()})
}

// look acquires the newest state, and reads its events.
func (t *table) look() {
	x := t.link.Exchange
	x.Acquire()
	for _, s := range []*buffer.Slot[[2]uint64]{x.Previous(), x.Current()} {
		if len(s.States) != 1 || s.States[0] != [2]uint64{s.Tick, s.Commands} || s.Events != s.Tick {
			t.Errorf("tick %d with %d commands and %d events holds %v", s.Tick, s.Commands, s.Events, s.States)
		}
	}
	for e := t.link.Events.Peek(x.Current().Events); e != nil; e = t.link.Events.Peek(x.Current().Events) {
		if t.events++; *e != t.events {
			t.Errorf("event %d where %d was due", *e, t.events)
		}
		t.link.Events.Take()
	}
	if t.events != x.Current().Tick {
		t.Errorf("%d events at tick %d", t.events, x.Current().Tick)
	}
}

// ended checks, after Close, that physics has done the given tick and numbers
// of frames and commands.
func (t *table) ended(tick, frames uint64) {
	t.look()
	if f := t.link.Failure(); f != nil {
		t.Errorf("%v\n%s", f, f.Stack)
	}
	if got := t.link.Exchange.Current().Tick; got != tick || t.link.Tick() != tick || t.link.Frames() != frames {
		t.Errorf("ended with tick %d, said to be %d, and %d frames done; want %d and %d", got, t.link.Tick(), t.link.Frames(), tick, frames)
	}
	t.inOrder(t.given)
}

func (t *table) inOrder(n int) {
	if len(t.sim.order) != n || !slices.IsSorted(t.sim.order) || len(slices.Compact(t.sim.order)) != n {
		t.Errorf("commands 1 to %d were applied as %v", n, t.sim.order)
	}
}

func TestInterleavedCloseFinishesWhatWasPosted(t *testing.T) {
	for _, c := range []struct {
		name    string
		demands []uint64
	}{
		{"one frame", []uint64{1}},
		{"a step and an edit", []uint64{1, 1}},
		{"two frames", []uint64{1, 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			interleave.Explore(t, func(r *interleave.Run) {
				p := lay(r, &tally{})
				for _, d := range c.demands {
					p.post(d, 1)
				}
				p.loop.Close()
				p.ended(c.demands[len(c.demands)-1], uint64(len(c.demands)))
			})
		})
	}
}

// A limit below the demanded tick rises just before the end. Physics must do
// the steps that are then allowed, and no more.
func TestInterleavedCloseFinishesWhatTheLimitAllowed(t *testing.T) {
	interleave.Explore(t, func(r *interleave.Run) {
		p := lay(r, &tally{})
		p.link.Demand.SetLimit(0)
		p.post(2, 1)
		p.link.Demand.SetLimit(1)
		p.loop.Close()
		p.look()
		if got := p.link.Tick(); got != 1 {
			r.Errorf("closed at tick %d with the limit at 1", got)
		}
	})
}

// One goroutine closes the loop while a frame of another, on a simulated
// clock, moves the limit. All frames that were posted before Close must be
// done.
func TestInterleavedCloseLiftsTheLimitThatAFrameMoves(t *testing.T) {
	interleave.Explore(t, func(r *interleave.Run) {
		p := lay(r, &tally{})
		d := p.link.Demand
		p.post(1, 0)
		r.Go("closer", func() {
			d.RemoveLimit()
			p.loop.Close()
			if got := p.link.Tick(); got != 1 {
				r.Errorf("closed at tick %d of 1", got)
			}
		})
		d.SetLimit(0)
		interleave.Receive(p.loop.done)
	})
}

// The limit jumps ahead, as when the engine changes to Lockstep, and falls
// again.
func TestInterleavedLimitJumpsAndFallsAndIsNeverPassed(t *testing.T) {
	interleave.Explore(t, func(r *interleave.Run) {
		p := lay(r, &tally{})
		d := p.link.Demand
		d.SetLimit(0)
		p.post(2, 0)
		d.SetLimit(1) // jumps
		if !p.link.Await(1, 0) {
			r.Errorf("physics stopped")
		}
		d.SetLimit(0) // now the limit is below the steps that physics has done
		p.look()
		if got := p.link.Exchange.Current().Tick; got != 1 {
			r.Errorf("tick %d with the limit at 1", got)
		}
		d.SetLimit(2)
		p.loop.Close()
		p.ended(2, 1)
	})
}

func TestInterleavedFramesCommandsAndEventsComeOnceInOrder(t *testing.T) {
	interleave.Explore(t, func(r *interleave.Run) {
		p := lay(r, &tally{})
		p.post(1, 2)
		p.look()
		p.post(2, 1)
		p.look()
		if !p.link.Await(2, 2) {
			r.Errorf("physics stopped")
		}
		p.look()
		if got := p.link.Exchange.Current().Tick; got != 2 {
			r.Errorf("waited for tick 2 and found %d", got)
		}
		p.loop.Close()
		p.ended(2, 2)
	})
}

func TestInterleavedEditIsThereOnceItWasAwaited(t *testing.T) {
	interleave.Explore(t, func(r *interleave.Run) {
		p := lay(r, &tally{})
		p.post(1, 0)
		p.post(1, 1)
		if !p.link.Await(1, 2) {
			r.Errorf("physics stopped")
		}
		p.look()
		if c := p.link.Exchange.Current(); c.Commands != 1 {
			r.Errorf("the frame with the edit is done, and the state is revision %d of tick %d", c.Revision, c.Tick)
		}
		p.loop.Close()
		p.ended(1, 2)
	})
}

// There are as many commands as fill a chunk of their log, and some more.
func TestInterleavedCommandsComeOnceInOrderAcrossChunks(t *testing.T) {
	interleave.Explore(t, func(r *interleave.Run) {
		p := lay(r, &tally{})
		p.post(1, 127)
		p.link.Await(1, 1)
		p.post(2, 1)
		p.post(2, 2)
		p.loop.Close()
		p.ended(2, 3)
	})
}

// One goroutine closes the loop while the render side posts and waits. No
// goroutine may wait for ever, and the frames that were posted before Close
// must be done.
func TestInterleavedCloseBesideAFrame(t *testing.T) {
	interleave.Explore(t, func(r *interleave.Run) {
		p := lay(r, &tally{})
		var posted atomic.Bool
		r.Go("closer", func() {
			before := posted.Load()
			p.loop.Close()
			if before && p.link.Tick() < 1 {
				r.Errorf("closed at tick %d after a frame that asked for 1", p.link.Tick())
			}
		})
		p.post(1, 1)
		posted.Store(true)
		done := p.link.Await(1, 1)
		p.look()
		if got := p.link.Exchange.Current().Tick; done != (got == 1) {
			r.Errorf("Await says %v, and the newest tick is %d", done, got)
		}
		p.loop.Close()
		p.inOrder(int(p.link.Exchange.Current().Commands))
	})
}

func TestInterleavedPanicReleasesAwaitAndClose(t *testing.T) {
	interleave.Explore(t, func(r *interleave.Run) {
		p := lay(r, &tally{boom: 2})
		p.post(1, 0)
		p.post(3, 0)
		if !p.link.Await(1, 1) {
			r.Errorf("tick 1 is denied")
		}
		if p.link.Await(2, 2) {
			r.Errorf("tick 2 is said to be done")
		}
		if f := p.link.Failure(); f == nil || f.Tick != 1 {
			r.Errorf("failure %+v", f)
		}
		p.look()
		p.loop.Close()
	})
}

// A long session does all operations in a random order, because it has more
// frames than can be tried in every order.
func TestInterleavedSessionAtRandom(t *testing.T) {
	interleave.Sample(t, func(r *interleave.Run) {
		p := lay(r, &tally{})
		d := p.link.Demand
		for frame := uint64(1); frame <= 40; frame++ {
			p.post(frame+frame%3, int(frame%5))
			switch frame % 4 {
			case 0:
				d.SetLimit(frame)
			case 1:
				d.SetLimit(^uint64(0))
			case 2:
				if !p.link.Await(frame+frame%3, frame) {
					r.Errorf("physics stopped")
				}
			}
			p.look()
		}
		d.SetLimit(^uint64(0))
		p.loop.Close()
		p.ended(41, 40)
	})
}
