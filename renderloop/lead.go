package renderloop

import "math"

const (
	// maxLead is how far ahead of the clock the picture may be, in nanoseconds of real
	// time and of the world's.
	maxLead = 50_000_000
	// leadFrames is the number of frames that the mean display delay is made of, and
	// leadSnap that of the first ones, in which the lead is what it should be at once.
	leadFrames, leadSnap = 128, 8
	// leadSlack is how far the lead may be off before it is brought closer, in ns.
	leadSlack = 400_000
	// leadSilence is the time without a report after which frame times count again, ns.
	leadSilence = 1_000_000_000
	// After a frame that was held for want of a state, the lead does not grow for
	// leadQuiet nanoseconds. That time doubles with each such frame, up to leadMostQuiet,
	// and becomes shorter again, by quietDecay of the time that passes.
	leadQuiet, leadMostQuiet = 2_000_000_000, 64_000_000_000
)

// lead is how far RunAhead shows instants beyond those of Lockstep: a step, and the
// time until the frame is on the display. It is less where steps are too slow.
type lead struct {
	on      bool    // the loop is ahead
	snaps   int     // so many frames more, the lead is what it should be at once
	ticks   float64 // the lead
	asked   uint64  // the tick up to which physics was asked to predict
	dt      float64 // s, the length of the steps that it was asked for
	again   bool    // physics is asked for all of them again, with another length
	carried bool    // the rate has changed, and the predicted states at hand are of the old length

	// The display delay: the mean time from the paced (evened out) time of a frame to its display.
	delay float64 // ns
	n     float64 // the number of frames in the mean
	told  int64   // RealNanos at the last report; 0 before the first
	paced [aheadFrames]pacedFrame

	rest, vain int // how many frames do not wait now, and how many did after the last wait in vain

	moving  bool  // the lead is being brought closer to the target
	quiet   int64 // the lead does not grow for so long, ns
	wanted  int64 // the next time of quiet, ns
	advance peak  // the most that a frame advances, ticks
	early   peak  // how much less a frame is than a typical one, ticks
}

// aheadFrames is how many frames may be without a report.
const aheadFrames = 256

// pacedFrame is a frame that waits for the report of its display.
type pacedFrame struct {
	number uint64
	start  int64 // the sum of all frame times at its start (Stats.RealNanos), ns
	paced  int64 // the same as pacing has evened it out, ns
}

// pace enters a frame and its paced time. Without reports, the one before counts as
// displayed when this one starts.
func (l *lead) pace(number uint64, start, paced int64) {
	before := &l.paced[(number-1)%aheadFrames]
	if before.number == number-1 && number > 1 && (l.told == 0 || start-l.told > leadSilence) {
		l.displayed(start - before.paced)
	}
	l.paced[number%aheadFrames] = pacedFrame{number, start, paced}
}

// report takes the time at which a frame was seen.
func (l *lead) report(frame uint64, seen, now int64) {
	if f := &l.paced[frame%aheadFrames]; f.number == frame && seen >= f.start && seen <= now+maxLead {
		if l.told == 0 || now-l.told > leadSilence {
			l.n = min(l.n, leadSnap) // what frame times said before counts little
		}
		l.told = now
		l.displayed(seen - f.paced)
	}
}

// displayed takes the display delay of a frame into the mean.
func (l *lead) displayed(delay int64) {
	l.n = min(l.n+1, leadFrames)
	l.delay += (min(max(float64(delay), 0), maxLead) - l.delay) / l.n
}

// target is where the lead should be. perTick is the length of a tick in ns of real
// time, and dt in s of the world's.
func (l *lead) target(ns int64, perTick, dt float64) float64 {
	delay := l.delay
	if l.n == 0 {
		delay = min(float64(ns), maxLead)
	}
	return 1 + min(delay/perTick, maxLead/1e9/dt)
}

// update brings the lead closer to the target, in a frame of ns that advances the clock
// by so many ticks.
func (l *lead) update(target, advance float64, ns int64, perTick float64) {
	if l.quiet > 0 {
		l.quiet -= ns
		target = min(target, l.ticks)
	} else {
		l.wanted = max(l.wanted-int64(quietDecay*float64(ns)), leadQuiet)
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
		l.ticks += min(max(off, -trailGrow*advance), trailShrink*advance)
		l.moving = math.Abs(off)*perTick > leadSlack/8
	}
}

// held accounts for a frame that was held while its instant was excess ticks beyond the
// newest state. The lead may shrink by that much without a visible effect, down to
// that of Pipelined: a frame's advance behind the clock, and its greatest lag.
func (l *lead) held(excess, advance float64) {
	if l.snaps > 0 {
		return
	}
	l.ticks = max(l.ticks-excess, min(l.ticks, -advance-maxLag))
	l.wanted = max(l.wanted, leadQuiet)
	l.quiet = l.wanted
	l.wanted = min(2*l.wanted, leadMostQuiet)
}

// mostVain is how many frames do not wait, at most, after waits in vain.
const mostVain = 63

// mayWait reports whether a frame may wait that has something to wait for.
func (l *lead) mayWait() bool {
	if l.rest > 0 {
		l.rest--
		return false
	}
	return true
}

// waited accounts for a wait. Each one in vain doubles the number of frames that do not
// wait afterwards: a correction costs more than its steps, and cannot be foreseen.
func (l *lead) waited(done bool) {
	if done {
		l.vain /= 2
		return
	}
	l.vain = min(2*l.vain+1, mostVain)
	l.rest = l.vain
}
