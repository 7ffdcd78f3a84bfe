package engine

import (
	"errors"
	"slices"
	"time"

	"halfstep/world"
)

// defaultSeekMemory is how many bytes the keyframes of a replay take at most.
const defaultSeekMemory = 64 << 20

// Two keyframes are at least so much step time apart, and at least so many times
// what a keyframe costs: seeking back costs little more, and playing costs a few
// per cent. They are variables for the tests' sake.
var (
	keyframeGap                = 10 * time.Millisecond
	keyframeCost time.Duration = 25
)

// keyframe is a world at a tick of a recording, at the beginning of a frame.
type keyframe struct {
	tick  uint64
	next  int // op
	state *world.Snapshot
	size  int64
}

// keyframes are what a replay goes back to. They lie close where steps cost much:
// as soon as they take more memory than they may, the one goes without which it
// takes the least time to reach the next.
type keyframes struct {
	limit, size int64
	err         error // why there can be none
	first       uint64
	list        []keyframe      // by tick; the first one stays
	until       []time.Duration // what the steps to tick first+i cost, in all
	cost        time.Duration   // of taking one, about
	spare       *world.Snapshot // of one that went
}

func newKeyframes(first uint64, memory int64) *keyframes {
	if memory == 0 {
		memory = defaultSeekMemory
	}
	k := &keyframes{limit: memory, first: first, until: []time.Duration{0}}
	if memory < 0 {
		k.err = errors.New("it keeps no keyframes")
	}
	return k
}

// spent notes what a step cost, the first time it is done.
func (k *keyframes) spent(tick uint64, d time.Duration) {
	if n := len(k.until); tick == k.first+uint64(n) {
		k.until = append(k.until, k.until[n-1]+d)
	}
}

// at is the cost of all steps up to a tick that has been reached before.
func (k *keyframes) at(tick uint64) time.Duration { return k.until[tick-k.first] }

// after returns the index of the first keyframe after a tick.
func (k *keyframes) after(tick uint64) int {
	i, found := slices.BinarySearchFunc(k.list, tick, func(f keyframe, t uint64) int {
		switch {
		case f.tick < t:
			return -1
		case f.tick > t:
			return 1
		}
		return 0
	})
	if found {
		i++
	}
	return i
}

// nearest returns the last keyframe up to a tick, or nil.
func (k *keyframes) nearest(tick uint64) *keyframe {
	if i := k.after(tick); i > 0 {
		return &k.list[i-1]
	}
	return nil
}

// add takes a keyframe of a replay where it is, if there is none near.
func (k *keyframes) add(r *replayer) {
	i := k.after(r.tick)
	if k.err != nil || i > 0 && !k.far(i, r.tick) {
		return
	}
	began := time.Now()
	state := k.spare
	k.spare = nil
	if state == nil {
		state = new(world.Snapshot)
	}
	if err := r.World().Snapshot(state); err != nil {
		k.err = err
		return
	}
	f := keyframe{r.tick, r.next, state, int64(state.Size())}
	k.cost = time.Since(began)
	k.list = slices.Insert(k.list, i, f)
	k.size += f.size
	for k.size > k.limit && len(k.list) > 2 {
		k.drop()
	}
}

// far reports whether a tick is far enough from the keyframes before and after
// it, of which i is the latter.
func (k *keyframes) far(i int, tick uint64) bool {
	gap := max(keyframeGap, keyframeCost*k.cost)
	if k.at(tick)-k.at(k.list[i-1].tick) < gap {
		return false
	}
	return i == len(k.list) || k.at(k.list[i].tick)-k.at(tick) >= gap
}

// drop removes the keyframe whose neighbours are the closest. The first one
// stays, and so does the last.
func (k *keyframes) drop() {
	least := 1
	closest := time.Duration(1<<63 - 1)
	for i := 1; i < len(k.list)-1; i++ {
		if d := k.at(k.list[i+1].tick) - k.at(k.list[i-1].tick); d < closest {
			least, closest = i, d
		}
	}
	k.size -= k.list[least].size
	k.spare = k.list[least].state
	k.list = slices.Delete(k.list, least, least+1)
}

// betweenFrames reports whether a replay is where it begins, or between two frames
// with no command since the last step.
func (r *replayer) betweenFrames() bool {
	ops, n := r.recording.ops, r.next
	return n == 0 || n >= 2 && n < len(ops) && ops[n].Kind == opBegin && ops[n-1].Kind == opEnd && ops[n-2].Kind == opStep
}
