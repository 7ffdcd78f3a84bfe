package renderloop

// virtual plays physics' part in time when the clock is injected: it says at
// which virtual instant each demanded tick is done, so that a run with
// simulated step costs is the same run every time, however long the real steps
// take.
type virtual struct {
	now  int64 // ns of virtual real time
	free int64 // when the last demanded tick is done
	done uint64
	last uint64 // demanded

	// finish[k] is when tick done+1+k is done.
	finish []int64
	// posted[k] is the demand of frame frames+1+k.
	posted []uint64
	frames uint64

	// cost is the virtual cost of a step in ns; nil means none.
	cost func(tick uint64) int64
}

// advance lets virtual time pass and settles which ticks are done by now.
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

// settle counts the frames whose ticks are all done.
func (v *virtual) settle() {
	n := 0
	for n < len(v.posted) && v.posted[n] <= v.done {
		n++
	}
	v.frames += uint64(n)
	v.posted = v.posted[:copy(v.posted, v.posted[n:])]
}

// demand notes that a frame was posted that asks for ticks up to demand.
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

// finishAll makes everything demanded done, as a Lockstep frame does by
// waiting.
func (v *virtual) finishAll() {
	v.done += uint64(len(v.finish))
	v.finish = v.finish[:0]
	v.free = min(v.free, v.now)
	v.settle()
}
