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

// Written is closed when the goroutine that writes the recording has ended.
func (e *Engine) Written() <-chan struct{} { return e.recorder.out.done }

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
