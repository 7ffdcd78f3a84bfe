package renderloop

import "slices"

// simulatedPhysics is the timing of physics on a simulated clock: when each demanded
// tick is done, at the simulated cost of a step. So a run is always the same, however
// long the real steps take.
type simulatedPhysics struct {
	now  int64  // the sum of the frame times, ns
	free int64  // time at which the last demanded tick is done, ns
	done uint64 // ticks done by now
	last uint64 // last tick demanded

	// finish[k] is the time at which tick done+1+k is done.
	finish []int64
	// posted[k] is the tick demanded by frame frames+1+k.
	posted []uint64
	frames uint64

	cost func(tick uint64) int64 // of a step, ns
}

// advance lets time pass and determines which ticks are done.
func (p *simulatedPhysics) advance(ns int64) {
	p.now += ns
	n := 0
	for n < len(p.finish) && p.finish[n] <= p.now {
		n++
	}
	p.settle(n)
}

// settle counts n ticks more as done, and the frames whose ticks are all done.
func (p *simulatedPhysics) settle(n int) {
	p.done += uint64(n)
	p.finish = slices.Delete(p.finish, 0, n)
	n = 0
	for n < len(p.posted) && p.posted[n] <= p.done {
		n++
	}
	p.frames += uint64(n)
	p.posted = slices.Delete(p.posted, 0, n)
}

func (p *simulatedPhysics) demand(demand uint64) {
	for ; p.last < demand; p.last++ {
		p.free = max(p.free, p.now) + max(0, p.cost(p.last+1))
		p.finish = append(p.finish, p.free)
	}
	p.posted = append(p.posted, demand)
}

// restart goes on from a tick that is done, with so many frames posted and done.
func (p *simulatedPhysics) restart(tick, frames uint64) {
	p.done, p.last, p.frames, p.free = tick, tick, frames, p.now
	p.finish, p.posted = p.finish[:0], p.posted[:0]
}

// skip counts all ticks up to the demand as done, at no cost.
func (p *simulatedPhysics) skip(demand uint64) {
	p.finishAll()
	p.done, p.last = demand, demand
}

// wait completes the steps up to the tick, as a frame does that waits for them, if
// they are done within so many nanoseconds, and otherwise those that are. It
// returns how long the wait was. The frame times of a simulated clock do not have
// that time, so it does not pass here either.
func (p *simulatedPhysics) wait(tick uint64, most int64) (ns int64, done bool) {
	n := 0
	for n < len(p.finish) && p.done+uint64(n) < tick && p.finish[n]-p.now <= most {
		ns = max(p.finish[n]-p.now, 0)
		n++
	}
	if done = p.done+uint64(n) >= tick; !done {
		ns = most
	} else if n == len(p.finish) {
		p.free = min(p.free, p.now)
	}
	p.settle(n)
	return ns, done
}

// finishAll completes everything demanded, as a Lockstep frame does by waiting.
func (p *simulatedPhysics) finishAll() {
	p.free = min(p.free, p.now)
	p.settle(len(p.finish))
}
