package renderloop

// virtual simulates the timing of physics for a simulated clock. It computes the
// virtual time at which each demanded tick is done. So a run with simulated step
// costs is always the same, however long the real steps take.
type virtual struct {
	now  int64  // virtual real time, ns
	free int64  // time at which the last demanded tick is done, ns
	done uint64 // ticks done by now
	last uint64 // last tick demanded

	// finish[k] is the time at which tick done+1+k is done.
	finish []int64
	// posted[k] is the tick demanded by frame frames+1+k.
	posted []uint64
	frames uint64

	// cost is the virtual cost of a step in ns; nil means 0.
	cost func(tick uint64) int64
}

// advance lets virtual time pass and determines which ticks are done.
func (v *virtual) advance(ns int64) {
	v.now += ns
	n := 0
	for n < len(v.finish) && v.finish[n] <= v.now {
		n++
	}
	v.done += uint64(n)
	v.finish = v.finish[:copy(v.finish, v.finish[n:])]
	v.settle()
}

// settle updates the number of frames whose ticks are all done.
func (v *virtual) settle() {
	n := 0
	for n < len(v.posted) && v.posted[n] <= v.done {
		n++
	}
	v.frames += uint64(n)
	v.posted = v.posted[:copy(v.posted, v.posted[n:])]
}

// demand records a posted frame that demands ticks up to demand.
func (v *virtual) demand(demand uint64) {
	for ; v.last < demand; v.last++ {
		v.free = max(v.free, v.now)
		if v.cost != nil {
			v.free += max(0, v.cost(v.last+1))
		}
		v.finish = append(v.finish, v.free)
	}
	v.posted = append(v.posted, demand)
}

// restart goes on from a tick that is done, with so many frames posted and done.
func (v *virtual) restart(tick, frames uint64) {
	v.done, v.last, v.frames, v.free = tick, tick, frames, v.now
	v.finish, v.posted = v.finish[:0], v.posted[:0]
}

// skip counts all ticks up to the demand as done, at no cost.
func (v *virtual) skip(demand uint64) {
	v.finishAll()
	v.done, v.last = demand, demand
}

// wait completes the steps up to the tick, as a frame does that waits for them, if
// they are done within so many nanoseconds, and otherwise those that are. It
// returns how long the wait was. The frame times of a simulated clock do not have
// that time, so it does not pass here either.
func (v *virtual) wait(tick uint64, most int64) (ns int64, done bool) {
	n := 0
	for n < len(v.finish) && v.done+uint64(n) < tick && v.finish[n]-v.now <= most {
		ns = max(v.finish[n]-v.now, 0)
		n++
	}
	if done = v.done+uint64(n) >= tick; !done {
		ns = most
	} else if n == len(v.finish) {
		v.free = min(v.free, v.now)
	}
	v.done += uint64(n)
	v.finish = v.finish[:copy(v.finish, v.finish[n:])]
	v.settle()
	return ns, done
}

// finishAll completes everything demanded, as a Lockstep frame does by waiting.
func (v *virtual) finishAll() {
	v.done += uint64(len(v.finish))
	v.finish = v.finish[:0]
	v.free = min(v.free, v.now)
	v.settle()
}
