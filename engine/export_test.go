package engine

import (
	"testing"
	"time"

	"halfstep/internal/history"
)

// FlushEvery has recordings flushed that often until the test is over.
func FlushEvery(t testing.TB, d time.Duration) { set(t, &history.FlushEvery, d) }

// LimitBacklog and LimitRecording set limits until the test is over.
func LimitBacklog(t testing.TB, bytes int64)   { set(t, &history.MaxBacklog, bytes) }
func LimitRecording(t testing.TB, bytes int64) { set(t, &history.MaxFile, bytes) }

// FeedEvery has streams written that often until the test is over.
func FeedEvery(t testing.TB, d time.Duration) { set(t, &history.FeedEvery, d) }

// LimitUnread limits what a watcher may leave unread until the test is over.
func LimitUnread(t testing.TB, bytes int) { set(t, &history.MaxUnread, bytes) }

// Watched reports whether a stream is written. Physics must be at rest.
func Watched(e *Engine) bool { return e.past.Watched() }

func set[T any](t testing.TB, to *T, v T) {
	old := *to
	*to = v
	t.Cleanup(func() { *to = old })
}

// Written is closed when the newest recording is written.
func (e *Engine) Written() <-chan struct{} { return e.recordings.newest().Done() }

// DenseKeyframes has a keyframe taken in every frame until the test is over.
func DenseKeyframes(t testing.TB) {
	set(t, &history.KeyframeGap, 0)
	set(t, &history.KeyframeCost, 0)
}

// CostlyKeyframes has one be taken after days of steps for each millisecond that it costs,
// until the test is over.
func CostlyKeyframes(t testing.TB) {
	set(t, &history.KeyframeGap, 0)
	set(t, &history.KeyframeCost, 1e9)
}

// SparseKeyframes has none but the first until the test is over.
func SparseKeyframes(t testing.TB) { set(t, &history.KeyframeGap, time.Hour) }

// Keyframes returns the ticks of a player's keyframes and their size in bytes.
func (p *Player) Keyframes() (ticks []uint64, bytes int64) { return p.player.Keyframes() }

// Forget drops a player's keyframes after a tick.
func (p *Player) Forget(after uint64) { p.player.ForgetKeyframes(after) }

// Operations are the names of the commands in a recording.
func (r *Recording) Operations() map[string]int {
	all := map[string]int{}
	for i := range r.file.Entries {
		if c := r.file.Entries[i].Command; c != nil {
			all[c.Op.String()]++
		}
	}
	return all
}

// SlowBlackBox has the next file of a black box wait: begun is closed when it is
// to be written, and it is written once there is something in going.
func SlowBlackBox(e *Engine) (begun, going chan struct{}) {
	begun, going = make(chan struct{}), make(chan struct{}, 1)
	b := e.box
	b.write = func(name string, data []byte) (string, error) {
		close(begun)
		<-going
		return b.put(name, data)
	}
	return begun, going
}

// BeatEvery changes how often a stream says that nothing happens.
func BeatEvery(t testing.TB, d time.Duration) { set(t, &history.BeatEvery, d) }
