package main

import (
	"runtime"
	"time"
)

// limiter spaces frames evenly. Its deadlines are absolute: what one frame is
// late by, the next has less of, and the rate does not drift.
type limiter struct {
	period time.Duration // 0 is no limit
	next   time.Time
}

func (l *limiter) set(fps int) {
	*l = limiter{}
	if fps > 0 {
		l.period = time.Second / time.Duration(fps)
	}
}

// plan settles when the next frame is due, and returns how long that is.
func (l *limiter) plan() time.Duration {
	if l.period <= 0 {
		return 0
	}
	now := time.Now()
	l.next = deadline(l.next, now, l.period)
	return l.next.Sub(now)
}

// wait sleeps until the frame that was planned is due.
func (l *limiter) wait() {
	if l.period > 0 {
		sleepUntil(l.next)
	}
}

// deadline is when the frame after one that was due at last is due. A frame
// that came more than a period late starts a new count, or a stall would be
// followed by a burst.
func deadline(last, now time.Time, period time.Duration) time.Time {
	next := last.Add(period)
	if next.Before(now.Add(-period)) {
		return now
	}
	return next
}

// spin is the last part of a wait, which is not slept: no sleep ends on the
// microsecond.
const spin = 100 * time.Microsecond

func sleepUntil(t time.Time) {
	for {
		left := time.Until(t)
		switch {
		case left <= 0:
			return
		case left > spin+oversleep:
			sleep(left - spin - oversleep)
		default:
			runtime.Gosched()
		}
	}
}
