// Package limit limits a frame rate with exact waits.
package limit

import (
	"time"

	"halfstep/internal/monotime"
)

// Limiter limits the frame rate. Its deadlines are absolute: after a late frame
// the next frame waits less, so that the rate does not drift.
type Limiter struct {
	period time.Duration // 0 is no limit
	next   time.Time     // next is when the next frame is due.
}

// Set sets the number of frames per second. With 0 or less there is no limit.
func (l *Limiter) Set(fps int) {
	*l = Limiter{}
	if fps > 0 {
		l.period = time.Second / time.Duration(fps)
	}
}

// Plan computes when the next frame is due, and returns the time until then.
func (l *Limiter) Plan() time.Duration {
	if l.period <= 0 {
		return 0
	}
	now := monotime.Now()
	l.next = deadline(l.next, now, l.period)
	return l.next.Sub(now)
}

// Wait waits until the frame that Plan has computed is due.
func (l *Limiter) Wait() {
	if l.period > 0 {
		monotime.SleepUntil(l.next)
	}
}

// deadline returns when the next frame is due. Normally this is a period after
// last, the deadline before. After a stall of more than a period it is now,
// because otherwise a burst of frames would follow.
func deadline(last, now time.Time, period time.Duration) time.Time {
	next := last.Add(period)
	if next.Before(now.Add(-period)) {
		return now
	}
	return next
}
