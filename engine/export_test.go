package engine

import (
	"testing"
	"time"
)

// FlushEvery has recordings flushed that often until the test is over.
func FlushEvery(t testing.TB, d time.Duration) { set(t, &flushEvery, d) }

// LimitBacklog and LimitRecording set limits until the test is over.
func LimitBacklog(t testing.TB, bytes int64)   { set(t, &maxBacklog, bytes) }
func LimitRecording(t testing.TB, bytes int64) { set(t, &maxRecording, bytes) }

func set[T any](t testing.TB, to *T, v T) {
	old := *to
	*to = v
	t.Cleanup(func() { *to = old })
}

// Written is closed when the newest recording is written.
func (e *Engine) Written() <-chan struct{} { return e.recordings.newest().done }

// DenseKeyframes has a keyframe taken in every frame until the test is over.
func DenseKeyframes(t testing.TB) {
	set(t, &keyframeGap, 0)
	set(t, &keyframeCost, 0)
}

// Keyframes returns the ticks of a player's keyframes and their size in bytes.
func (p *Player) Keyframes() (ticks []uint64, bytes int64) {
	p.replay.keys.close()
	p.replay.keys.harvest(0)
	for _, k := range p.replay.keys.list {
		ticks = append(ticks, k.tick)
	}
	return ticks, p.replay.keys.size
}

// Forget drops a player's keyframes after a tick.
func (p *Player) Forget(after uint64) {
	k := p.replay.keys
	k.harvest(0)
	k.list = k.list[:k.after(after)]
}

// Operations are the names of the commands in a recording.
func (r *Recording) Operations() map[string]int {
	all := map[string]int{}
	for i := range r.ops {
		if c := r.ops[i].Command; c != nil {
			all[c.Op.String()]++
		}
	}
	return all
}

// SlowBlackBox has the next file of a black box wait: begun is closed when it is
// to be written, and it is written once there is something in going.
func SlowBlackBox(e *Engine) (begun, going chan struct{}) {
	begun, going = make(chan struct{}), make(chan struct{}, 1)
	b := e.recorder.box
	b.write = func(name string, data []byte) (string, error) {
		close(begun)
		<-going
		return b.put(name, data)
	}
	return begun, going
}
