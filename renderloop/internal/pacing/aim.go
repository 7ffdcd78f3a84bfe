package pacing

import (
	"math"
	"math/bits"

	"halfstep/renderloop/present"
)

const (
	// aimFrames is the number of frames whose data Aim keeps. Aim ignores reports about older
	// frames.
	aimFrames = 1024
	// aimReports is the greatest number of reports that Aim can store between two frames.
	aimReports = 256
	// aimAfter is the number of frames that must have been seen before Aim computes scores, and
	// once more before Aim has an effect. aimMemory is the number of frames in a score.
	aimAfter, aimMemory = 5, 128
	// aimSilence is the time without a report after which the times of refreshes count as unknown,
	// in ns.
	aimSilence = second
	// aimSlew is the time in which the weight of Aim changes from 0 to 1 or from 1 to 0, in ns.
	aimSlew = second / 10
	// Aim begins to have an effect when the mean square of the animation error that it expects is less than
	// aimGain times the mean square without Aim. The effect ends when the ratio is above aimKeep.
	aimGain, aimKeep = .5, .8
	// aimSure is the number of frames with a score that Aim needs if every frame is seen.
	aimSure = 48
	// The latency changes by at most 1/aimSlewLatency of the time that passes.
	aimSlewLatency = 512
	// maxDoubtful is the greatest number of the last 64 reports that may contradict earlier
	// reports.
	maxDoubtful = 6
)

// Aim predicts the refresh of the display in which a frame will be seen, and returns the
// offset from the paced instant to the right instant for that refresh.
//
// Without present times, the best guess is that each picture is seen a constant time after it was
// drawn. On a display that shows frames only at its refreshes, and not every frame, this guess is
// wrong by up to the time between two refreshes. Because the compositor chooses one of several
// frames for a refresh, all of these frames must show the instant of that refresh.
//
// Aim uses reports only as far as earlier predictions from them were right. For each frame that was
// seen, Aim compares the animation error of the paced instant with the error of the aimed instant.
// It then mixes the two instants in the way that would have made the error least. So Aim has no
// effect where every frame is seen for one refresh (vsync), where the display follows the frames
// (adaptive sync, tearing), or where reports are too late, wrong or missing.
//
// The zero Aim is ready to use. It allocates nothing.
type Aim struct {
	frames  [aimFrames]aimFrame
	newest  uint64 // the number of the newest frame
	reports [aimReports]present.Report
	queued  int // the number of reports that Next has not processed yet
	recent  frameWindow
	frame   float64 // the mean frame time, in ns

	refresh      refreshes
	reportedAt   int64  // the start of the frame that has used the last good report, ns; 0 if there was none
	inconsistent uint64 // a bit for each report, set if it contradicts earlier reports; the lowest bit is the newest report
	seen         uint64 // the number of the newest frame that was seen
	seenAt       int64  // ns
	unseen       uint64 // the number of later frames that were never seen

	// Averages over frames that were seen:
	n             float64 // the number of frames, at most aimMemory
	presentOffset float64 // the time from the refresh to the present, in ns; negative
	spread        float64 // the variance of presentOffset, in ns²
	age           float64 // the time from the paced instant to the refresh, in ns
	latency       float64 // the time from the aimed instant to the refresh, in ns
	slewing       bool    // true while latency changes towards its target

	scored              float64 // the number of frames with a score, at most aimMemory
	paced, aimed, mixed float64 // the means of the squared errors and of their product, in ns²
	weight              float64 // the part of the aimed instant in the mix, from 0 to 1
}

type aimFrame struct {
	number       uint64
	start        int64   // ns
	paced, aimed float64 // instants, ns of real time; aimed is NaN if it is unknown
}

// Reach is the range of instants that a frame can show, in nanoseconds from the paced instant. Held
// is the range of the frame's present pair of states, and Newest the range of the newest pair.
type Reach struct{ Held, Newest [2]float64 }

// nearest returns the offset that the frame can show and that is nearest to the given offset.
func (r *Reach) nearest(offset float64) float64 {
	newest := min(max(offset, r.Newest[0]), r.Newest[1])
	// the end of the held pair is left out, because the newest pair begins there
	held := min(max(offset, r.Held[0]), r.Held[1]-1)
	if r.Held[1]-1 > r.Held[0] && math.Abs(held-offset) < math.Abs(newest-offset) {
		return held
	}
	return newest
}

// Report records a report about an earlier frame. If too many reports come between two
// frames, the oldest ones are lost.
func (a *Aim) Report(r present.Report) {
	if a.queued == len(a.reports) {
		copy(a.reports[:], a.reports[1:])
		a.queued--
	}
	a.reports[a.queued] = r
	a.queued++
}

// Next returns the offset of a frame's instant from the paced instant, in nanoseconds. The
// parameter number is the number of the frame, from 1 and possibly with gaps; start is the time at
// which the frame starts and paced the paced instant, both in nanoseconds of real time since the
// first frame; reach is the range of instants that the frame can show; refresh is Pacer.Refresh.
func (a *Aim) Next(number uint64, start int64, paced float64, reach Reach, refresh int64) (offset float64) {
	ns := a.begin(number, start, paced)
	if a.queued == 0 && a.reportedAt == 0 {
		return 0 // there was no report yet
	}
	for i := range a.queued {
		a.take(&a.reports[i], refresh)
	}
	a.queued = 0
	if a.recent.n == 0 {
		return 0
	}
	known := a.known(start)
	a.weigh(float64(ns), known)
	if !known {
		return 0
	}
	a.approach(float64(ns))
	f := a.at(number)
	presented := float64(start + a.recent.wide)
	f.aimed = paced + reach.nearest(a.refresh.nearest(presented-a.presentOffset)-a.latency-paced)
	return reach.nearest(a.weight * (f.aimed - paced))
}

// Reset drops all frames and reports.
func (a *Aim) Reset() { *a = Aim{} }

// AddOvershoot makes the paced instant of the newest frame later by ns nanoseconds.
func (a *Aim) AddOvershoot(ns float64) {
	if f := a.at(a.newest); f != nil {
		f.paced += ns
	}
}

// Weight returns the part of the aimed instant in the mix, from 0 to 1.
func (a *Aim) Weight() float64 { return a.weight }

// begin stores a frame, and returns the time since the frame before, in ns.
func (a *Aim) begin(number uint64, start int64, paced float64) (ns int64) {
	if before := a.at(number - 1); before != nil {
		ns = start - before.start
		a.recent.push(min(ns, stall))
		a.frame += (float64(min(ns, stall)) - a.frame) / min(float64(a.recent.n), aimMemory)
	}
	a.newest = number
	a.frames[number%aimFrames] = aimFrame{number, start, paced, math.NaN()}
	return ns
}

// at returns the frame with the given number, or nil if Aim no longer has its data.
func (a *Aim) at(number uint64) *aimFrame {
	if f := &a.frames[number%aimFrames]; f.number == number && number > 0 {
		return f
	}
	return nil
}

// width returns the range of the times from a seen frame's present to its refresh, in ns. Within
// this time no other frame is presented, because a compositor chooses the newest frame and shows it
// at the next refresh.
func (a *Aim) width() float64 {
	return min(float64(a.recent.wide), a.refresh.period)
}

// known reports whether Aim knows the refreshes, and the times at which frames are seen, well
// enough for a frame with the given start.
func (a *Aim) known(start int64) bool {
	tolerance := square(a.refresh.period / 16)
	if math.Abs(a.frame-a.refresh.period) < a.refresh.period/24 {
		return false // each refresh shows a new frame, so Pacer is enough
	}
	return a.refresh.locked && a.n >= aimAfter && start-a.reportedAt < aimSilence &&
		bits.OnesCount64(a.inconsistent) <= maxDoubtful &&
		a.refresh.noise < tolerance && a.spread < square(.4*a.width())+tolerance
}

// take updates Aim from a report. The parameter refresh is Pacer.Refresh.
func (a *Aim) take(r *present.Report, refresh int64) {
	f, next := a.at(r.Frame), a.at(r.Frame+1)
	if !r.Quality.Trusted() || f == nil || next == nil {
		return
	}
	now := a.at(a.newest).start
	a.reportedAt = max(now, 1)
	a.inconsistent <<= 1
	if !r.WasSeen() {
		a.unseen++
		return
	}
	if r.Frame <= a.seen || r.Seen < f.start || r.Seen > now+stall {
		a.inconsistent |= 1
		return
	}
	last, time := a.at(a.seen), float64(r.Seen-a.seenAt)
	if a.unseen != r.Frame-a.seen-1 {
		last = nil // a frame between the two frames may have been seen, too
	}
	a.seen, a.seenAt, a.unseen = r.Frame, r.Seen, 0
	a.refresh.observe(float64(r.Seen), float64(max(r.Refresh, 0)))
	if !a.refresh.locked || !a.refresh.plausible(refresh) {
		a.n, a.scored = 0, 0
		return
	}
	seen := a.refresh.nearest(float64(r.Seen))
	a.n = min(a.n+1, aimMemory)
	early := float64(next.start) - seen - a.presentOffset
	a.presentOffset += early / a.n
	if a.n > 1 {
		a.spread += (early*early - a.spread) / a.n
	} else {
		a.spread = 0
	}
	a.age += (seen - f.paced - a.age) / a.n
	if last != nil && !math.IsNaN(f.aimed) && !math.IsNaN(last.aimed) {
		a.score(f.paced-last.paced-time, f.aimed-last.aimed-time)
	}
}

// score updates the animation errors of the paced and of the aimed instants.
func (a *Aim) score(paced, aimed float64) {
	// a very long frame, which cannot be predicted, must not count more than all other frames
	most := a.refresh.period
	paced, aimed = min(max(paced, -most), most), min(max(aimed, -most), most)
	a.scored = min(a.scored+1, aimMemory)
	a.paced += (paced*paced - a.paced) / a.scored
	a.aimed += (aimed*aimed - a.aimed) / a.scored
	a.mixed += (paced*aimed - a.mixed) / a.scored
}

// weigh changes the weight towards its target, in a frame of ns nanoseconds.
func (a *Aim) weigh(ns float64, known bool) {
	best := 0.
	if known && a.scored >= aimAfter {
		best = a.best()
	}
	step := ns / aimSlew
	a.weight = min(max(best, a.weight-step), a.weight+step)
}

// best returns the weight that would have made the animation error least, or 0 if the gain would
// have been small.
func (a *Aim) best() float64 {
	if tiny := square(a.refresh.period / 1000); a.paced < tiny && a.aimed < tiny {
		// both instants are right while the compositor keeps choosing the same frame for a refresh
		if a.width() < a.refresh.period {
			return 1
		}
		return a.weight
	}
	apart := a.paced - 2*a.mixed + a.aimed // the mean square of the difference between the two errors
	if apart <= 0 {
		return a.weight
	}
	w := min(max((a.paced-a.mixed)/apart, 0), 1)
	least := a.paced + w*(w*apart-2*(a.paced-a.mixed))
	gain := aimGain
	switch {
	case a.weight > 0:
		gain = aimKeep
	case a.width() == a.refresh.period && a.scored < aimSure:
		return 0 // a few frames may agree by chance
	}
	if least > gain*a.paced {
		return 0
	}
	return w
}

// approach moves the latency towards the latency without Aim, in a frame that lasts ns
// nanoseconds. Then most of the aimed instants can be shown. If frames are short, the target
// is a part of a refresh longer, so that aimed instants are before the paced ones, where
// states exist. approach does not correct a difference of less than an eighth of a refresh.
func (a *Aim) approach(ns float64) {
	want := a.age + min(a.width()/2, a.refresh.period/10)
	if a.weight == 0 {
		a.latency = want // this jump is invisible
		return
	}
	off := want - a.latency
	if math.Abs(off) > a.refresh.period/8 {
		a.slewing = true
	}
	if a.slewing {
		most := ns / aimSlewLatency
		a.latency += min(max(off, -most), most)
		a.slewing = math.Abs(off) > a.refresh.period/64
	}
}

func square(x float64) float64 { return x * x }
