package history

import (
	"cmp"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"halfstep/internal/monotime"
	"halfstep/world"
)

const defaultSeekMemory = 64 << 20

// Two keyframes are at least KeyframeGap of step time apart, and at least KeyframeCost times the time that it
// takes to take a keyframe. So keyframes cost a few per cent of the time for playing, and seeking back takes
// little longer. Both are variables so that tests can change them.
var (
	KeyframeGap                = 10 * time.Millisecond
	KeyframeCost time.Duration = 25
)

// keyframe is a state to which a replay can return. The replay has reached its tick before.
type keyframe struct {
	tick  uint64
	next  int             // the index in the File's Entries of the entry that follows
	state *world.Snapshot // nil once the state has been compressed
	kept  *Kept           // the snapshots that commands had kept at the tick of the keyframe
	size  int64           // size in memory, in bytes

	packed  []byte   // compressed bytes of the state; then the field state is nil
	picture *picture // replaces state in a recording of states
	foreign bool     // state belongs to the black box's world and must be read again for this world
}

// keyframes are the states to which a replay can return. They are close together where steps are slow. If the
// list takes more memory than limit, the keyframe is dropped whose neighbours are the least step time apart. A
// goroutine compresses all keyframes except the first to a third of their size or less.
type keyframes struct {
	limit, size int64           // the number of bytes that list may take, and the number that it takes
	err         error           // the reason why there can be no keyframes
	first       uint64          // the first tick of the recording
	list        []*keyframe     // in the order of ticks; the first keyframe is never dropped
	until       []time.Duration // by tick, from first on: the total cost of the steps up to the tick
	usual       time.Duration   // usual cost of a step
	taking      time.Duration   // usual cost of taking a keyframe
	spare       *world.Snapshot // the state of the keyframe that was compressed last, or nil

	closest time.Duration // the step time between the neighbours of the keyframe that was dropped last

	// path has more keyframes, a few ticks apart. A replay that has gone back takes them on the way forward to its
	// target, because it may next go back tick by tick.
	path  []*keyframe
	every uint64            // the number of ticks between two keyframes of path; with 0, path gets no keyframes
	free  []*world.Snapshot // states of path that are no longer needed

	packing *keyframe   // the keyframe that is being compressed, or nil
	packed  chan []byte // receives the compressed bytes of packing

	ticks atomic.Pointer[[]uint64] // the ticks of list, for other goroutines
}

func newKeyframes(f *File, memory int64) *keyframes {
	k := &keyframes{limit: cmp.Or(memory, defaultSeekMemory), first: f.First, until: []time.Duration{0}, packed: make(chan []byte, 1)}
	if memory < 0 {
		k.err = errors.New("it keeps no keyframes")
	} else if len(f.keys) > 0 {
		for _, key := range f.keys {
			k.list = append(k.list, new(*key))
		}
		k.until, k.taking = slices.Clone(f.spent), f.taking
	}
	k.publish()
	return k
}

// publish gives other goroutines the ticks of the keyframes. Player.Keyframe reads them.
func (k *keyframes) publish() {
	ticks := make([]uint64, len(k.list))
	for i, f := range k.list {
		ticks[i] = f.tick
	}
	k.ticks.Store(&ticks)
}

// Keyframes returns the ticks of the keyframes, and their size in bytes. Tests use it.
func (p *Player) Keyframes() (ticks []uint64, bytes int64) {
	k := p.keys
	k.finish(andWait)
	return *k.ticks.Load(), k.size
}

// ForgetKeyframes drops the keyframes after a tick. Tests use it.
func (p *Player) ForgetKeyframes(after uint64) {
	k := p.keys
	k.finish(andWait)
	k.list = k.list[:k.after(after)]
	k.publish()
}

// dropFirst removes the keyframes of the first n entries. A recording of states has dropped these entries (see
// File.dropOldest).
func (k *keyframes) dropFirst(f *File, n int) {
	k.finish(andWait)
	k.dropPath(func(*keyframe) bool { return true })
	k.every = 0 // path gets no more keyframes
	i := min(int(f.First-k.first), len(k.until)-1)
	k.until, k.first = slices.Clone(k.until[i:]), f.First
	if len(k.list) == 0 {
		return
	}
	first := &keyframe{tick: f.First, picture: f.base, size: f.base.size()}
	list := []*keyframe{first}
	k.size = first.size
	for _, key := range k.list {
		if key.tick > f.First {
			key.next -= n
			k.size += key.size
			list = append(list, key)
		}
	}
	k.list = list
	k.publish()
}

// spent records the cost of the step to a tick, if the step is done for the first time.
func (k *keyframes) spent(tick uint64, d time.Duration) {
	n := len(k.until)
	if tick != k.first+uint64(n) {
		return
	}
	k.usual = smoothed(k.usual, d)
	k.until = append(k.until, k.until[n-1]+min(d, 4*k.usual))
}

// smoothed returns the usual cost, updated with a new cost d. It never takes d as more than four times the
// usual cost, because the operating system may have interrupted the work.
func smoothed(usual, d time.Duration) time.Duration {
	if usual == 0 {
		return d
	}
	return usual + (min(d, 4*usual)-usual)/16
}

// at returns the cost of all steps up to a tick. The replay must have reached the tick before.
func (k *keyframes) at(tick uint64) time.Duration { return k.until[tick-k.first] }

// after returns the index in list of the first keyframe after a tick.
func (k *keyframes) after(tick uint64) int {
	i, _ := slices.BinarySearchFunc(k.list, tick+1, func(f *keyframe, t uint64) int { return cmp.Compare(f.tick, t) })
	return i
}

// nearest returns the last keyframe at or before a tick, from list or path. It returns nil if there is none.
func (k *keyframes) nearest(tick uint64) (near *keyframe) {
	if i := k.after(tick); i > 0 {
		near = k.list[i-1]
	}
	for _, f := range k.path {
		if f.tick <= tick && (near == nil || f.tick > near.tick) {
			near = f
		}
	}
	return near
}

const (
	shortPath        = 4  // up to this number of ticks between a keyframe and a target, path gets no keyframes
	maxPathKeyframes = 16 // the greatest number of keyframes on a longer path
)

// preparePath is called before a replay goes back to a tick. The replay starts at the keyframe that is given by
// the parameter from.
func (k *keyframes) preparePath(from *keyframe, tick uint64) {
	k.every = 0
	k.dropPath(func(f *keyframe) bool { return f.tick > tick })
	if far := tick - from.tick; far > shortPath && k.err == nil {
		k.dropPath(func(*keyframe) bool { return true })
		k.every = far/uint64(max(min(maxPathKeyframes, k.limit/4/max(from.size, 1)), 1)) + 1
	}
}

// dropPath drops the keyframes of k.path for which gone returns true. It keeps their memory for new keyframes.
func (k *keyframes) dropPath(gone func(*keyframe) bool) {
	k.path = slices.DeleteFunc(k.path, func(f *keyframe) bool {
		if gone(f) && f.state != nil {
			k.free = append(k.free, f.state)
		}
		return gone(f)
	})
}

// addToPath takes a keyframe for path at the present tick of the replay, if the last one is far enough away. The
// parameter next is the index of the next entry.
func (k *keyframes) addToPath(replayed replayTarget, next int) {
	if k.every == 0 || replayed.Tick()%k.every != 0 {
		return
	}
	f := &keyframe{next: next}
	f.state, k.free = reused(k.free)
	if err := replayed.save(f); err != nil {
		k.err, k.every = err, 0
		return
	}
	k.path = append(k.path, f)
}

// add takes a keyframe for list at the present tick of the replay, unless another keyframe is near.
// The parameter next is the index of the next entry.
func (k *keyframes) add(replayed replayTarget, next int) {
	i := k.after(replayed.Tick())
	if k.err != nil || i > 0 && !k.far(i, replayed.Tick()) {
		return
	}
	if k.finish(KeyframeGap == 0); k.packing != nil { // a test that sets no gap waits
		return // the last keyframe is still being compressed; the next frame tries again
	}
	began := monotime.Now()
	f := &keyframe{next: next, state: k.spare}
	k.spare = nil
	if err := replayed.save(f); err != nil {
		k.err = err
		return
	}
	k.taking = smoothed(k.taking, monotime.Since(began))
	k.list = slices.Insert(k.list, i, f)
	k.size += f.size
	if i > 0 && f.state != nil {
		k.packing = f
		go func() {
			data, _ := packedState(f.state) // nil after an error
			k.packed <- data
		}()
	}
	for k.size > k.limit && len(k.list) > 2 {
		k.drop()
	}
	k.publish()
}

// far reports whether a tick is far enough from the previous and the next keyframe. The parameter i is the index
// of the next keyframe.
func (k *keyframes) far(i int, tick uint64) bool {
	before := k.list[i-1].tick
	if before == tick {
		return false
	}
	gap := max(KeyframeGap, KeyframeCost*k.taking, k.closest/2) // a keyframe that is closer would soon be dropped
	if k.at(tick)-k.at(before) < gap {
		return false
	}
	return i == len(k.list) || k.at(k.list[i].tick)-k.at(tick) >= gap
}

// drop removes the keyframe whose neighbours are the least step time apart. It never removes the first or the
// last keyframe.
func (k *keyframes) drop() {
	least := 1
	closest := time.Duration(1<<63 - 1)
	for i := 1; i < len(k.list)-1; i++ {
		if d := k.at(k.list[i+1].tick) - k.at(k.list[i-1].tick); d < closest {
			least, closest = i, d
		}
	}
	k.closest = closest
	k.size -= k.list[least].size
	k.list = slices.Delete(k.list, least, least+1)
}

// andWait makes the method finish wait until packing is compressed.
const andWait = true

// finish stores the compressed bytes of packing if they are ready. If wait is true, it waits until they are ready.
func (k *keyframes) finish(wait bool) {
	f := k.packing
	if f == nil || !wait && len(k.packed) == 0 {
		return
	}
	data := <-k.packed
	if k.packing = nil; len(data) == 0 {
		return // the list does not change
	}
	if i := k.after(f.tick); i > 0 && k.list[i-1] == f { // the keyframe was not dropped meanwhile
		k.size += int64(len(data)) - f.size
	}
	k.spare, f.state, f.packed, f.size = f.state, nil, data, int64(len(data))
}

// snapshot returns the state of a keyframe, uncompressed. A foreign state is read again from its bytes, so that it
// belongs to this world.
func (f *keyframe) snapshot() (*world.Snapshot, error) {
	if f.foreign {
		data, err := f.state.AppendBinary(nil)
		if err == nil {
			f.state, err = world.LoadSnapshot(data)
		}
		f.foreign = err != nil
		return f.state, err
	}
	if f.state != nil {
		return f.state, nil
	}
	return unpackedState(f.packed)
}
