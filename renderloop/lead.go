package renderloop

import "math"

const (
	// maxLead is the greatest time by which the picture is ahead of the clock, in ns of real time
	// and also in ns of the world's time.
	maxLead = 50_000_000
	// leadFrames is the number of frames over which the display delay is averaged. In the first
	// leadSnap frames the lead is set to its target at once.
	leadFrames, leadSnap = 128, 8
	// leadSlack is the greatest difference between the lead and its target that stays uncorrected,
	// in ns.
	leadSlack = 400_000
	// leadSilence is the time without a report after which the loop estimates the display delay
	// from frame times, in ns.
	leadSilence = 1_000_000_000
	// After a frame that was held because a state was missing, the lead does not grow for
	// lead.wanted nanoseconds. This time begins at leadQuiet. Each held frame doubles it up to
	// leadMostQuiet, and it decreases by quietDecay of the time that passes.
	leadQuiet, leadMostQuiet = 2_000_000_000, 64_000_000_000
	quietDecay               = 1.0 / 4
	// The lead changes in a frame by at most these fractions of the clock's advance, so the picture
	// moves slower or faster by at most these fractions.
	leadShrink = 1.0 / 16
	leadGrow   = 1.0 / 64
)

// lead computes how far the instant that RunAhead shows is ahead of the clock's instant: by a step
// plus the time until the frame is on the display, or less if steps are too slow.
type lead struct {
	on          bool    // true while the loop runs ahead
	snaps       int     // the number of coming frames in which the lead is set to its target at once
	ticks       float64 // the lead without trail, in ticks
	trail       float64 // this part of the frame's advance, from 0 to 1, is subtracted from ticks; see startAhead
	asked       uint64  // the tick up to which physics was asked to predict
	dt          float64 // the length of the steps that physics was asked to predict, in s
	again       bool    // true if physics must predict all ticks again
	back        bool    // true if physics is too far ahead and must go back
	rateChanged bool    // true if the rate has changed and the predicted states have the old length of steps

	// The display delay: the average time from the paced time of a frame until the frame is seen.
	delay      float64                 // ns
	n          float64                 // the number of frames in the average
	reportedAt int64                   // Stats.RealNanos at the last report; 0 before the first report
	paced      [aheadFrames]pacedFrame // the newest frames, by number modulo aheadFrames

	frame typicalTime // the typical frame time since RunAhead began

	rest    int // the number of coming frames that do not wait
	backoff int // the value of rest after the last failed wait; each successful wait halves it

	scale   float64 // the time scale of the last frame
	moving  bool    // true while the lead changes towards its target
	quiet   int64   // the remaining time in which the lead must not grow, in ns
	wanted  int64   // the value of quiet after the next held frame, in ns
	advance peak    // the most by which a recent frame has advanced, in ticks
	early   peak    // the most by which a recent frame has advanced less than a typical frame, in ticks
}

// aheadFrames is the number of frames that can wait for the reports about them.
const aheadFrames = 256

// pacedFrame is a frame that waits for the report about its display.
type pacedFrame struct {
	number uint64
	start  int64 // Stats.RealNanos at the start of the frame
	paced  int64 // the sum of all paced frame times at the start of the frame, in ns
}

// pace records a frame and its paced time. If there are no reports, the frame before counts as seen
// at the start of this frame.
func (l *lead) pace(number uint64, start, paced int64) {
	before := &l.paced[(number-1)%aheadFrames]
	if before.number == number-1 && number > 1 && (l.reportedAt == 0 || start-l.reportedAt > leadSilence) {
		l.displayed(start - before.paced)
	}
	l.paced[number%aheadFrames] = pacedFrame{number, start, paced}
}

// report updates the display delay from the time at which a frame was seen. The parameter now is
// Stats.RealNanos of the newest frame.
func (l *lead) report(frame uint64, seen, now int64) {
	if f := &l.paced[frame%aheadFrames]; f.number == frame && seen >= f.start && seen <= now+maxLead {
		if l.reportedAt == 0 || now-l.reportedAt > leadSilence {
			l.n = min(l.n, leadSnap) // earlier delays, estimated from frame times, now count little
		}
		l.reportedAt = now
		l.displayed(seen - f.paced)
	}
}

// displayed adds the display delay of a frame to the average.
func (l *lead) displayed(delay int64) {
	l.n = min(l.n+1, leadFrames)
	l.delay += (min(max(float64(delay), 0), maxLead) - l.delay) / l.n
}

// target returns the lead to which lead.ticks changes, in ticks. The parameter perTick is the
// length of a tick in ns of real time, and dt is its length in s of the world's time.
func (l *lead) target(ns int64, perTick, dt float64) float64 {
	delay := l.delay
	if l.n == 0 {
		delay = min(float64(ns), maxLead)
	}
	return 1 + min(delay/perTick, maxLead/1e9/dt)
}

// update changes the lead towards the target in a frame. The parameter advance is the number of
// ticks by which the frame advances the clock, and ns is the frame time in ns.
func (l *lead) update(target, advance float64, ns int64, perTick float64) {
	if l.quiet > 0 {
		l.quiet -= ns
		target = min(target, l.ticks)
	} else {
		l.wanted = max(l.wanted-int64(quietDecay*float64(ns)), leadQuiet)
		if l.trail > 0 {
			l.trail, l.moving = max(l.trail-leadGrow, 0), true
			return
		}
	}
	if l.snaps > 0 {
		l.ticks = target
		return
	}
	off := target - l.ticks
	if math.Abs(off)*perTick > leadSlack {
		l.moving = true
	}
	if l.moving {
		l.ticks += min(max(off, -leadShrink*advance), leadGrow*advance)
		l.moving = math.Abs(off)*perTick > leadSlack/8
	}
}

// off returns the lead of a frame that advances the clock by the given number of ticks.
func (l *lead) off(advance float64) float64 { return l.ticks - l.trail*advance }

// held updates the lead after a frame that showed the newest state because its instant was excess
// ticks later. So held can reduce the lead by excess without a visible effect. The picture is then
// at most as far behind the clock as in Pipelined with the greatest lag.
func (l *lead) held(excess, advance float64) {
	if l.snaps > 0 {
		return
	}
	l.ticks = max(l.ticks-excess, min(l.ticks, (l.trail-1)*advance-maxLag))
	l.wanted = max(l.wanted, leadQuiet)
	l.quiet = l.wanted
	l.wanted = min(2*l.wanted, leadMostQuiet)
}

// maxBackoff is the greatest number of frames that do not wait after a failed wait.
const maxBackoff = 63

// mayWait reports whether a frame may wait for its tick.
func (l *lead) mayWait() bool {
	if l.rest > 0 {
		l.rest--
		return false
	}
	return true
}

// waited records whether physics had done the tick at the end of a wait. After each failed wait,
// about twice as many frames do not wait.
func (l *lead) waited(done bool) {
	if done {
		l.backoff /= 2
		return
	}
	l.backoff = min(2*l.backoff+1, maxBackoff)
	l.rest = l.backoff
}
