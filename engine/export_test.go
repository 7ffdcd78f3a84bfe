package engine

import (
	"testing"
	"time"

	"halfstep/internal/history"
)

// FlushEvery sets the time between flushes of recordings until the test is over.
func FlushEvery(t testing.TB, d time.Duration) { set(t, &history.FlushEvery, d) }

// LimitBacklog and LimitRecording set limits until the test is over.
func LimitBacklog(t testing.TB, bytes int64)   { set(t, &history.MaxBacklog, bytes) }
func LimitRecording(t testing.TB, bytes int64) { set(t, &history.MaxFile, bytes) }

// FeedEvery sets the time between writes of streams until the test is over.
func FeedEvery(t testing.TB, d time.Duration) { set(t, &history.FeedEvery, d) }

// LimitUnread limits the unread bytes of a watcher until the test is over.
func LimitUnread(t testing.TB, bytes int) { set(t, &history.MaxUnread, bytes) }

// Watched reports whether a stream is being written. Physics must be at rest.
func Watched(e *Engine) bool { return e.past.Watched() }

func set[T any](t testing.TB, to *T, v T) {
	old := *to
	*to = v
	t.Cleanup(func() { *to = old })
}

// Written returns a channel that is closed when the newest recording is written.
func (e *Engine) Written() <-chan struct{} { return e.recordings.newest().Done() }

// DenseKeyframes makes a replay take a keyframe in every frame until the test is over.
func DenseKeyframes(t testing.TB) {
	set(t, &history.KeyframeGap, 0)
	set(t, &history.KeyframeCost, 0)
}

// CostlyKeyframes makes a replay take a keyframe only after days of steps for each
// millisecond that a keyframe costs, until the test is over.
func CostlyKeyframes(t testing.TB) {
	set(t, &history.KeyframeGap, 0)
	set(t, &history.KeyframeCost, 1e9)
}

// SparseKeyframes makes a replay take no keyframe after the first one, until the test is
// over.
func SparseKeyframes(t testing.TB) { set(t, &history.KeyframeGap, time.Hour) }

// Keyframes returns the ticks of a player's keyframes, and their size in bytes.
func (p *Player) Keyframes() (ticks []uint64, bytes int64) { return p.player.Keyframes() }

// Forget drops a player's keyframes after a tick.
func (p *Player) Forget(after uint64) { p.player.ForgetKeyframes(after) }

// Operations returns how often each command occurs in a recording, by the name of the
// command.
func (r *Recording) Operations() map[string]int {
	all := map[string]int{}
	for i := range r.file.Entries {
		if c := r.file.Entries[i].Command; c != nil {
			all[c.Op.String()]++
		}
	}
	return all
}

// SlowBlackBox makes the next file of a black box wait. The channel begun is closed before
// the file is written. The file is written once the channel going has an element.
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

// SetHeartbeatInterval sets how often a stream writes an empty chunk while nothing
// happens.
func SetHeartbeatInterval(t testing.TB, d time.Duration) { set(t, &history.HeartbeatInterval, d) }
