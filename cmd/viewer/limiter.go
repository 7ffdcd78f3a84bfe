package main

import (
	"runtime"
	"slices"
	"time"

	"halfstep/internal/monotime"
)

// limiter caps the frame rate. Its deadlines are absolute: after a late frame
// the next one waits less, so the rate does not drift.
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

// plan computes when the next frame is due, and returns the time until then.
func (l *limiter) plan() time.Duration {
	if l.period <= 0 {
		return 0
	}
	now := monotime.Now()
	l.next = deadline(l.next, now, l.period)
	return l.next.Sub(now)
}

func (l *limiter) wait() {
	if l.period > 0 {
		sleepUntil(l.next)
	}
}

// deadline is when the frame after the one due at last is due. After a stall of
// more than a period it starts anew, or a burst of frames would follow.
func deadline(last, now time.Time, period time.Duration) time.Time {
	next := last.Add(period)
	if next.Before(now.Add(-period)) {
		return now
	}
	return next
}

// spin is the last part of a wait. The thread spins through it, because no sleep
// is exact to the microsecond.
const spin = 100 * time.Microsecond

func sleepUntil(t time.Time) {
	for {
		left := t.Sub(monotime.Now())
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

// setCap sets the frame cap: 0 is vsync, -1 is uncapped. With a simulated clock
// frames are never capped.
func (r *run) setCap(fps int) {
	r.cap, r.capName = fps, capName(fps)
	r.capNames = capNames
	if !slices.Contains(frameCaps, fps) {
		r.capNames = append(slices.Clone(capNames), r.capName)
	}
	if r.source.Simulated() {
		fps, r.capName = -1, "simulated clock"
	}
	r.limit.set(fps)
	if fps == 0 {
		r.screen.interval(1)
	} else {
		r.screen.interval(0)
	}
}
