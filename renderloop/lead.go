package renderloop

import "math"

const (
	// maxLead is the greatest distance of the picture ahead of the clock, ns. The limit is on
	// both real and simulated time.
	maxLead = 50_000_000
	// leadFrames is the number of frames in the average of the display delay. In the first
	// leadSnap frames the lead changes to its target at once.
	leadFrames, leadSnap = 128, 8
	// leadSlack is the greatest difference between the lead and its target that is not
	// corrected, ns.
	leadSlack = 400_000
	// leadSilence is the time without a report after which the loop uses frame times again, ns.
	leadSilence = 1_000_000_000
	// After a frame that was held because a state was missing, the lead does not grow for
	// leadQuiet nanoseconds. Each such frame doubles that time, up to leadMostQuiet. The time
	// becomes shorter again, by quietDecay of the time that passes.
	leadQuiet, leadMostQuiet = 2_000_000_000, 64_000_000_000
	quietDecay               = 1.0 / 4
	// The lead changes by at most these fractions of the clock's advance in a frame. The picture
	// then moves slower or faster by this fraction.
	leadShrink = 1.0 / 16
	leadGrow   = 1.0 / 64
)

// lead is how far RunAhead shows instants beyond those of Lockstep: a step, and the time
// until the frame is on the display. The lead is smaller if steps are too slow.
type lead struct {
	on          bool    // the loop is ahead
	snaps       int     // the number of frames in which the lead still changes to its target at once
	ticks       float64 // the lead without trail
	trail       float64 // the part of the frame's advance, 0 to 1, by which the picture is behind that instant, as in Pipelined
	asked       uint64  // the tick up to which physics was asked to predict
	dt          float64 // the length of the steps that physics was asked to predict, s
	again       bool    // physics must predict all ticks again, with another length of steps or after it went back
	back        bool    // physics is too far ahead, and must go back
	rateChanged bool    // the rate has changed, and the present predicted states have the old length of steps

	// The display delay: the average time from the paced time of a frame to its display.
	delay      float64                 // ns
	n          float64                 // the number of frames in the average
	reportedAt int64                   // RealNanos at the last report; 0 before the first report
	paced      [aheadFrames]pacedFrame // the newest frames, by number

	frame typicalTime // the frame time since the mode was chosen

	rest    int // for this number of frames no frame waits
	backoff int // the value of rest after the last wait that did not succeed; each successful wait halves it

	scale   float64 // the time scale of the last frame
	moving  bool    // the lead is changing towards its target
	quiet   int64   // the time for which the lead must not grow, ns
	wanted  int64   // the next value of quiet, ns
	advance peak    // the most by which a frame advances, ticks
	early   peak    // the most by which a frame advances less than a typical one, ticks
}

// aheadFrames is the number of frames that can wait for their reports.
const aheadFrames = 256

// pacedFrame is a frame that waits for the report about its display.
type pacedFrame struct {
	number uint64
	start  int64 // the sum of all frame times (Stats.RealNanos) at the start of the frame, ns
	paced  int64 // the same sum, of the frame times after pacing, ns
}

// pace records a frame and its paced time. Without reports, the frame before counts as
// displayed at the start of this one.
func (l *lead) pace(number uint64, start, paced int64) {
	before := &l.paced[(number-1)%aheadFrames]
	if before.number == number-1 && number > 1 && (l.reportedAt == 0 || start-l.reportedAt > leadSilence) {
		l.displayed(start - before.paced)
	}
	l.paced[number%aheadFrames] = pacedFrame{number, start, paced}
}

// report adds the display delay of a frame to the mean. The frame was seen at seen. now is
// Stats.RealNanos at the newest frame. Both are in ns.
func (l *lead) report(frame uint64, seen, now int64) {
	if f := &l.paced[frame%aheadFrames]; f.number == frame && seen >= f.start && seen <= now+maxLead {
		if l.reportedAt == 0 || now-l.reportedAt > leadSilence {
			l.n = min(l.n, leadSnap) // delays that were inferred from frame times now count little
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

// target is the best lead, ticks. perTick is the length of a tick in ns of real time, and dt
// its length in s of simulated time.
func (l *lead) target(ns int64, perTick, dt float64) float64 {
	delay := l.delay
	if l.n == 0 {
		delay = min(float64(ns), maxLead)
	}
	return 1 + min(delay/perTick, maxLead/1e9/dt)
}

// update changes the lead towards the target, in a frame of ns nanoseconds that advances the
// clock by advance ticks.
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

// off is the lead of a frame that advances the clock by advance ticks.
func (l *lead) off(advance float64) float64 { return l.ticks - l.trail*advance }

// held is called for a frame that was held while its instant was excess ticks beyond the
// newest state. The lead may become smaller by excess without a visible effect. It does not
// become smaller than in Pipelined: a frame's advance behind the clock, and its greatest
// lag.
func (l *lead) held(excess, advance float64) {
	if l.snaps > 0 {
		return
	}
	l.ticks = max(l.ticks-excess, min(l.ticks, (l.trail-1)*advance-maxLag))
	l.wanted = max(l.wanted, leadQuiet)
	l.quiet = l.wanted
	l.wanted = min(2*l.wanted, leadMostQuiet)
}

// maxBackoff is the greatest number of frames that do not wait after waits without success.
const maxBackoff = 63

// mayWait reports whether a frame may wait for its tick.
func (l *lead) mayWait() bool {
	if l.rest > 0 {
		l.rest--
		return false
	}
	return true
}

// waited records whether a wait has succeeded. After each wait without success, twice as
// many frames do not wait. The cost of a correction is not only that of its steps, so it
// cannot be predicted.
func (l *lead) waited(done bool) {
	if done {
		l.backoff /= 2
		return
	}
	l.backoff = min(2*l.backoff+1, maxBackoff)
	l.rest = l.backoff
}
