package history

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"halfstep/internal/monotime"
	"halfstep/world"
)

// defaultSeekMemory is how many bytes the keyframes of a replay take at most.
const defaultSeekMemory = 64 << 20

// Two keyframes are at least so much step time apart, and at least so many times
// what taking one costs: seeking back costs little more, and playing costs a few per
// cent. They are variables for the tests' sake.
var (
	KeyframeGap                = 10 * time.Millisecond
	KeyframeCost time.Duration = 25
)

// mostPacking is how many keyframes are being packed at once.
const mostPacking = 3

// keyframe is a world at a tick of a recording, at the beginning of a frame.
type keyframe struct {
	tick  uint64
	next  int             // op
	state *world.Snapshot // or nil, once it is packed
	size  int64           // of memory

	packed []byte // the state's bytes, compressed
	done   chan []byte
}

// keyframes are what a replay goes back to. They lie close where steps cost much:
// as soon as they take more memory than they may, the one goes without which it
// takes the least time to reach the next. All but the first are compressed, on a
// goroutine of their own, to a third or less.
type keyframes struct {
	limit, size int64
	err         error // why there can be none
	first       uint64
	list        []*keyframe       // by tick; the first one stays
	until       []time.Duration   // what the steps to tick first+i cost, in all
	usual       time.Duration     // cost of a step
	taking      time.Duration     // usual cost of taking one
	spare       []*world.Snapshot // of those that went

	closest time.Duration // between the neighbours of the last that went

	pending []*keyframe // being packed
	wg      sync.WaitGroup
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

// Keyframes returns the ticks of the keyframes and their size in bytes, for tests.
func (p *Past) Keyframes() (ticks []uint64, bytes int64) {
	k := p.replay.keys
	k.close()
	k.harvest(0)
	for _, f := range k.list {
		ticks = append(ticks, f.tick)
	}
	return ticks, k.size
}

// ForgetKeyframes drops those after a tick, for tests.
func (p *Past) ForgetKeyframes(after uint64) {
	k := p.replay.keys
	k.harvest(0)
	k.list = k.list[:k.after(after)]
}

// close waits for the goroutines.
func (k *keyframes) close() { k.wg.Wait() }

// spent notes what a step cost, the first time it is done.
func (k *keyframes) spent(tick uint64, d time.Duration) {
	n := len(k.until)
	if tick != k.first+uint64(n) {
		return
	}
	k.usual = smoothed(k.usual, d)
	k.until = append(k.until, k.until[n-1]+min(d, 4*k.usual))
}

// smoothed is what something usually costs, given what it cost again. Now and then it
// costs much more, because it is kept from running.
func smoothed(usual, d time.Duration) time.Duration {
	if usual == 0 {
		return d
	}
	return usual + (min(d, 4*usual)-usual)/16
}

// at is the cost of all steps up to a tick that has been reached before.
func (k *keyframes) at(tick uint64) time.Duration { return k.until[tick-k.first] }

// after returns the index of the first keyframe after a tick.
func (k *keyframes) after(tick uint64) int {
	i, _ := slices.BinarySearchFunc(k.list, tick+1, func(f *keyframe, t uint64) int {
		if f.tick < t {
			return -1
		}
		return 1
	})
	return i
}

// nearest returns the last keyframe up to a tick, or nil.
func (k *keyframes) nearest(tick uint64) *keyframe {
	if i := k.after(tick); i > 0 {
		return k.list[i-1]
	}
	return nil
}

// add takes a keyframe of a replay where it is, if there is none near.
func (k *keyframes) add(p *Past, r *replay) {
	i := k.after(p.tick)
	if k.err != nil || i > 0 && !k.far(i, p.tick) {
		return
	}
	k.harvest(mostPacking - 1)
	began := monotime.Now()
	state := new(world.Snapshot)
	if n := len(k.spare); n > 0 {
		state, k.spare = k.spare[n-1], k.spare[:n-1]
	}
	if err := p.World().Snapshot(state); err != nil {
		k.err = err
		return
	}
	f := &keyframe{tick: p.tick, next: r.next, state: state, size: int64(state.Size()), done: make(chan []byte, 1)}
	k.taking = smoothed(k.taking, monotime.Since(began))
	k.list = slices.Insert(k.list, i, f)
	k.size += f.size
	if i > 0 {
		k.pending = append(k.pending, f)
		k.wg.Go(func() { k.compress(f) })
	}
	for k.size > k.limit && len(k.list) > 2 {
		k.drop()
	}
}

// far reports whether a tick is far enough from the keyframes before and after
// it, of which i is the latter.
func (k *keyframes) far(i int, tick uint64) bool {
	before := k.list[i-1].tick
	if before == tick {
		return false
	}
	gap := max(KeyframeGap, KeyframeCost*k.taking, k.closest/2) // closer ones would soon go
	if k.at(tick)-k.at(before) < gap {
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
	k.closest = closest
	k.size -= k.list[least].size
	k.list = slices.Delete(k.list, least, least+1)
}

// compress packs a keyframe, on a goroutine of its own.
func (k *keyframes) compress(f *keyframe) {
	var packed bytes.Buffer
	if data, err := f.state.AppendBinary(nil); err == nil {
		w, _ := flate.NewWriter(&packed, flate.BestSpeed) // the level is one
		_, _ = w.Write(data)                              // to memory
		_ = w.Close()
	}
	f.done <- bytes.Clone(packed.Bytes()) // without the room to grow
}

// harvest takes what has been packed, and waits until no more than so many keyframes
// are left to be.
func (k *keyframes) harvest(most int) {
	for len(k.pending) > 0 {
		f := k.pending[0]
		var data []byte
		if len(k.pending) > most {
			data = <-f.done
		} else {
			select {
			case data = <-f.done:
			default:
				return
			}
		}
		k.pending = slices.Delete(k.pending, 0, 1)
		if len(data) == 0 {
			continue // it stays as it is
		}
		if i := k.after(f.tick); i > 0 && k.list[i-1] == f { // not dropped meanwhile
			k.size += int64(len(data)) - f.size
		}
		if len(k.spare) < mostPacking {
			k.spare = append(k.spare, f.state)
		}
		f.state, f.packed, f.size = nil, data, int64(len(data))
	}
}

// snapshot is the world of a keyframe.
func (f *keyframe) snapshot() (*world.Snapshot, error) {
	if f.state != nil {
		return f.state, nil
	}
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(f.packed)))
	if err != nil {
		return nil, err
	}
	return world.LoadSnapshot(data)
}
